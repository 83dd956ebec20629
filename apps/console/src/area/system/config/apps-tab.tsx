import { useState } from 'react';
import { ActionIcon, Button, MultiSelect, Textarea } from '@mantine/core';
import { IconAlertTriangleFilled, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ExternalApp } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, isCallError, remote } from '../../../kit/api/call.ts';
import { icons } from '../../people/menu/menu-entry.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { roleNamesQuery } from '../../people/user/user.calls.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

const list = remote('listExternalApps', 'GET /api/f/license/app/list');
const add = remote('addExternalApp', 'POST /api/f/license/app');
const edit = remote('editExternalApp', 'PUT /api/f/license/app');
const remove = remote('deleteExternalApp', 'DELETE /api/f/license/app/{id}');

/** Manages the hosts that may be embedded, and the apps in the menu (SYS-10). */
export default function AppsTab() {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const { data: hosts } = useQuery(configQuery<string[]>('frameHosts'));
  const { data: apps } = useQuery({
    queryKey: ['config', 'apps'],
    queryFn: ({ signal }) => call(list, {}, { signal }),
  });
  const { data: roles } = useQuery(roleNamesQuery);
  const [edited, setEdited] = useState<ExternalApp | 'new'>();
  const [gone, setGone] = useState<ExternalApp>();
  if (hosts === undefined || apps === undefined) return null;
  const may = access.can('editConfig');
  const renew = () => client.invalidateQueries({ queryKey: ['config', 'apps'] });
  const who = (app: ExternalApp) =>
    app.roles?.map((id) => roles?.find((r) => r.id === id)?.name ?? '–').join(', ') ?? t('menuAdmin.everybody');
  return (
    <>
      <Hosts now={hosts} may={may} onSaved={renew} />
      <section className={css.form} aria-labelledby="apps-title">
        <h2 id="apps-title">{t('config.apps')}</h2>
        {apps.length === 0 ? (
          <p className={css.hint}>{t('config.appsNone')}</p>
        ) : (
          <ul className={css.list}>
            {apps.map((app) => (
              <li key={app.id} data-id={app.id}>
                <div>
                  <strong>{app.name}</strong>
                  <br />
                  <code>{app.address}</code>
                  <br />
                  <span className={css.hint}>{who(app)}</span>
                  {!app.allowed && (
                    <p style={{ color: 'var(--abnormal)' }}>
                      <IconAlertTriangleFilled size={14} aria-hidden /> {t('config.appNotAllowed')}
                    </p>
                  )}
                </div>
                {may && (
                  <span className={css.buttons}>
                    <ActionIcon
                      variant="subtle"
                      size={28}
                      aria-label={t('menuAdmin.editOne', { name: app.name })}
                      onClick={() => setEdited(app)}
                    >
                      <IconPencil size={15} stroke={1.75} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      data-danger
                      size={28}
                      aria-label={t('config.deleteOne', { name: app.name })}
                      onClick={() => setGone(app)}
                    >
                      <IconTrash size={15} stroke={1.75} aria-hidden />
                    </ActionIcon>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
        {may && (
          <div>
            <Button variant="default" leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setEdited('new')}>
              {t('config.addApp')}
            </Button>
          </div>
        )}
      </section>
      {edited !== undefined && (
        <AppDialog
          app={edited === 'new' ? undefined : edited}
          roles={roles ?? []}
          onSaved={renew}
          onClose={() => setEdited(undefined)}
        />
      )}
      {gone && (
        <AskDialog
          title={t('config.deleteOne', { name: gone.name })}
          text={t('config.deleteAppText')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={async () => {
            await call(remove, { params: { id: gone.id } });
            await renew();
            await done('deleted', { name: gone.name });
          }}
        />
      )}
    </>
  );
}

function Hosts({ now, may, onSaved }: { now: readonly string[]; may: boolean; onSaved: () => Promise<void> }) {
  const { t } = useText();
  const save = useSaveConfig();
  const form = useForm({ value: now.join('\n') });
  async function submit() {
    try {
      await save({ configKey: 'frameHosts', value: form.values.value.split(/[\s,]+/).filter((host) => host !== '') });
    } catch (e) {
      if (isCallError(e)) for (const field of e.fields) field.path = 'value';
      throw e;
    }
    await onSaved();
    await done('saved', { name: t('config.frameHosts') });
  }
  return (
    <form
      className={css.form}
      onSubmit={form.submit(() => ({}), submit)}
      noValidate
      aria-label={t('config.frameHosts')}
    >
      <Textarea
        name="value"
        label={t('config.frameHosts')}
        description={t('config.frameHostsHint')}
        autosize
        minRows={3}
        maxRows={10}
        readOnly={!may}
        value={form.values.value}
        onChange={(e) => {
          form.set({ value: e.currentTarget.value });
        }}
        error={form.fault('value')}
        autoCapitalize="none"
        spellCheck={false}
      />
      <RefusalBox refusal={form.refusal} />
      {may && (
        <div className={css.buttons}>
          <Button type="submit" loading={form.busy}>
            {t('common.save')}
          </Button>
        </div>
      )}
    </form>
  );
}

function AppDialog({
  app,
  roles,
  onSaved,
  onClose,
}: {
  app: ExternalApp | undefined;
  roles: readonly { id: string; name: string }[];
  onSaved: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const form = useForm({
    name: app?.name ?? '',
    address: app?.address ?? 'https://',
    icon: app?.icon ?? 'link',
    roles: app?.roles ?? ([] as string[]),
  });
  const { values, set } = form;
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('menuAdmin.nameMissing') } : {}),
    ...(URL.canParse(values.address.trim()) ? {} : { address: t('menuAdmin.pathFormat') }),
  });
  async function save() {
    const body = {
      name: values.name.trim(),
      address: values.address.trim(),
      icon: values.icon,
      roles: values.roles.length === 0 ? null : values.roles,
    };
    await (app ? call(edit, { body: { id: app.id, ...body } }) : call(add, { body }));
    await onSaved();
    await done(app ? 'saved' : 'added', { name: body.name });
    onClose();
  }
  return (
    <FormDialog
      title={app ? t('menuAdmin.editOne', { name: app.name }) : t('config.addApp')}
      form={form}
      confirm={t(app ? 'common.save' : 'config.addApp')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t('config.name')} maxLength={64} data-autofocus />
      <TextField
        form={form}
        name="address"
        label={t('config.address')}
        maxLength={512}
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField
        form={form}
        name="icon"
        label={t('menuAdmin.icon')}
        data={Object.keys(icons).map((value) => ({ value, label: t(`menuIcon.${value as keyof typeof icons}`) }))}
      />
      <MultiSelect
        label={t('menuAdmin.who')}
        placeholder={values.roles.length === 0 ? t('menuAdmin.everybody') : ''}
        data={roles.map((r) => ({ value: r.id, label: r.name }))}
        value={values.roles}
        onChange={(chosen) => set({ roles: chosen })}
      />
    </FormDialog>
  );
}
