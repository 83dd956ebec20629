import { MultiSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { MenuRecord } from '@carillon/contracts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { CheckField, NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { roleNamesQuery } from '../user/user.calls.ts';
import { icons, useEntryName } from './menu-entry.ts';

const addMenu = remote('addMenu', 'POST /api/f/mc/menu/');
const editMenu = remote('editMenu', 'PUT /api/f/mc/menu');

/** Edits an entry: everything except the page of a product's entry, everything of an added one. */
export function MenuDialog({
  entry,
  entries,
  onClose,
}: {
  entry: MenuRecord | undefined;
  entries: readonly MenuRecord[];
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const entryName = useEntryName();
  const { data: roles } = useQuery(roleNamesQuery);
  const form = useForm({
    name: entry && entry.ownName ? entry.name : '',
    source: entry?.source ?? 'link',
    parent: entry?.parent ?? '',
    sort: entry?.sort ?? (100 as number | string),
    path: entry?.path ?? '',
    hidden: entry?.hidden ?? false,
    keepAlive: entry?.meta.keepAlive ?? false,
    roles: entry?.meta.roles ?? ([] as string[]),
  });
  const { values, set } = form;
  const builtIn = entry?.builtIn === true;
  const check = () => ({
    ...(!builtIn && values.name.trim() === '' ? { name: t('menuAdmin.nameMissing') } : {}),
    ...(!builtIn && values.path.trim() !== '' && !/^(https?:\/\/[^\s/]+|\/(?![/\\])\S*html)/i.test(values.path.trim())
      ? { path: t('menuAdmin.pathFormat') }
      : {}),
  });
  async function save() {
    const body = {
      parent: values.parent === '' ? null : values.parent,
      source: values.source,
      sort: Number(values.sort) || 0,
      hidden: values.hidden,
      meta: { keepAlive: values.keepAlive, roles: values.roles.length === 0 ? null : values.roles },
    };
    const name = values.name.trim();
    const path = values.path.trim() === '' ? null : values.path.trim();
    if (entry)
      await call(editMenu, {
        body: { id: entry.id, ...body, name: name === '' ? null : name, ...(builtIn ? {} : { path }) },
      });
    else await call(addMenu, { body: { ...body, name, path } });
    await client.invalidateQueries({ queryKey: ['menu'] });
    await client.invalidateQueries({ queryKey: ['session', 'menu'] });
    await done(entry ? 'saved' : 'added', { name: name === '' && entry ? entryName(entry) : name });
    onClose();
  }
  const groups = entries.filter((e) => e.path === null && !e.hidden && e.id !== entry?.id);
  return (
    <FormDialog
      title={entry ? t('menuAdmin.editOne', { name: entryName(entry) }) : t('menuAdmin.add')}
      form={form}
      confirm={t(entry ? 'common.save' : 'menuAdmin.add')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t('menuAdmin.name')}
        description={builtIn ? t('menuAdmin.ownNameHint') : undefined}
        placeholder={builtIn ? t(entry.langKey as 'menu.home') : undefined}
        maxLength={64}
        data-autofocus
      />
      {!builtIn && (
        <TextField
          form={form}
          name="path"
          label={t('menuAdmin.address')}
          description={t('menuAdmin.addressHint')}
          maxLength={512}
          spellCheck={false}
        />
      )}
      <SelectField
        form={form}
        name="source"
        label={t('menuAdmin.icon')}
        data={Object.keys(icons).map((value) => ({ value, label: t(`menuIcon.${value as keyof typeof icons}`) }))}
      />
      <SelectField
        form={form}
        name="parent"
        label={t('menuAdmin.parent')}
        data={[{ value: '', label: t('menuAdmin.top') }, ...groups.map((e) => ({ value: e.id, label: entryName(e) }))]}
      />
      <NumberField form={form} name="sort" label={t('menuAdmin.order')} min={0} max={9999} />
      <MultiSelect
        label={t('menuAdmin.who')}
        placeholder={values.roles.length === 0 ? t('menuAdmin.everybody') : ''}
        data={(roles ?? []).map((r) => ({ value: r.id, label: r.name }))}
        value={values.roles}
        onChange={(chosen) => set({ roles: chosen })}
      />
      <CheckField form={form} name="keepAlive" label={t('menuAdmin.keepAliveHint')} />
      <CheckField form={form} name="hidden" label={t('menuAdmin.hide')} />
    </FormDialog>
  );
}
