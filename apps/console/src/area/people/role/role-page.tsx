import { useMemo, useState } from 'react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { done } from '../../../kit/part/done.ts';
import type { MenuItem, MenuNode } from '@carillon/contracts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { AreaField, TextField } from '../../../kit/part/form-field.tsx';
import { FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { roleNamesQuery } from '../user/user.calls.ts';
import { menuIcon, useMenuName } from '../menu/menu-entry.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { allRights, rightName } from './right-name.ts';
import { RightTree } from './right-tree.tsx';
import { addRole, editRole, previewQuery, rightsQuery, roleQuery, type RoleRecord } from './role.calls.ts';
import css from './role-page.module.css';

await systemTexts();

const route = getRouteApi('/_main/system/users_/editRole');

const addRoute = getRouteApi('/_main/system/users_/addRole');

/** Adds a role, empty or as a copy of another one. */
export function AddRolePage() {
  const { from } = addRoute.useSearch();
  const tree = useQuery(rightsQuery);
  const model = useQuery({ ...roleQuery(from ?? ''), enabled: from !== undefined });
  if (from === undefined || model.isError) return <RoleForm key="new" />;
  return model.data && tree.data ? <RoleForm key={from} model={model.data} /> : null;
}

export function EditRolePage() {
  const { id = '' } = route.useSearch();
  const role = useQuery(roleQuery(id));
  if (role.isError) return <StatusPage code="404" />;
  return role.data ? <RoleForm key={role.data.id} role={role.data} /> : null;
}

/** Edits a role: its name, its permissions, and a preview of what its users will see. */
function RoleForm({ role, model }: { role?: RoleRecord; model?: RoleRecord }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const tree = useQuery(rightsQuery);
  const names = useQuery({ ...roleNamesQuery, enabled: role === undefined });
  const [saved, setSaved] = useState(false);
  // Users may not grant permissions that they lack.
  const own = new Set(allRights(tree.data ?? []).map(({ id }) => id));
  const givable = model?.permissions.filter((key) => own.has(key));
  const form = useForm({
    name: role?.name ?? (model ? t('roleCopy.name', { name: model.name }).slice(0, 64) : ''),
    description: role?.description ?? model?.description ?? '',
    permissions: role?.permissions ?? givable ?? ([] as string[]),
  });
  const { values, set, fault } = form;
  const chosen = useMemo(() => new Set(values.permissions), [values.permissions]);
  // A role with permissions that this user lacks could not be saved by them.
  const foreign = tree.data && role ? role.permissions.some((key) => !own.has(key)) : false;
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('role.nameMissing') } : {}),
    ...(values.permissions.length === 0 ? { permissions: t('role.rightsMissing') } : {}),
  });
  async function save() {
    const body = { name: values.name.trim(), description: values.description.trim(), permissions: values.permissions };
    if (role) await call(editRole, { body: { id: role.id, ...body } });
    else await call(addRole, { body });
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['role'] });
    await done(role ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/system/roles', search: {} as never, ignoreBlocker: true });
  }
  if (access.ready && !access.can(role ? 'editRole' : 'addRole')) return <StatusPage code="403" />;
  return (
    <FormPage
      title={role ? t('role.edit', { name: role.name }) : t('role.add')}
      form={form}
      saved={saved}
      disabled={foreign === true}
      confirm={t(role ? 'common.save' : 'role.add')}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/system/roles', search: {} as never })}
    >
      {role === undefined && (
        <Select
          label={t('roleCopy.from')}
          data={[
            { value: '', label: t('roleCopy.nothing') },
            ...(names.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={model?.id ?? ''}
          onChange={(from) =>
            void navigate({
              to: '/system/users/addRole',
              search: (from ? { from } : {}) as never,
              replace: true,
              ignoreBlocker: true,
            })
          }
          allowDeselect={false}
          searchable
        />
      )}
      {model && givable!.length < model.permissions.length && <p role="status">{t('roleCopy.left')}</p>}
      <TextField form={form} name="name" label={t('role.name')} maxLength={64} autoFocus />
      <AreaField form={form} name="description" label={t('role.description')} maxLength={256} />
      <div className={css.columns}>
        <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <legend className={css.legend}>{t('role.rights')}</legend>
          {tree.data && (
            <RightTree nodes={tree.data} chosen={chosen} onChange={(next) => set({ permissions: [...next] })} />
          )}
          {fault('permissions') && (
            <p className={css.error} role="alert">
              {fault('permissions')}
            </p>
          )}
        </fieldset>
        <Preview permissions={values.permissions} roleId={role?.id} tree={tree.data ?? []} />
      </div>
      {foreign && <p role="status">{t('role.foreign')}</p>}
    </FormPage>
  );
}

const shown = (menu: readonly MenuItem[]): MenuItem[] =>
  menu.flatMap((m) => [...(m.path === null || m.meta.hidden ? [] : [m]), ...shown(m.children)]);

/** "View as role": the menu and the buttons for these permissions, as computed by the server. */
function Preview({
  permissions,
  roleId,
  tree,
}: {
  permissions: readonly string[];
  roleId: string | undefined;
  tree: readonly MenuNode[];
}) {
  const { t } = useText();
  const name = useMenuName();
  const [asked] = useDebouncedValue(permissions, 200);
  const { data } = useQuery(previewQuery(asked, roleId));
  const nodes = allRights(tree);
  const items = shown(data?.menu ?? []);
  return (
    <section className={css.preview} aria-label={t('role.preview')}>
      <h2>{t('role.preview')}</h2>
      {items.length === 0 ? (
        <p>{t('role.previewNothing')}</p>
      ) : (
        <ul>
          {items.map((m) => {
            const Icon = menuIcon(m);
            return (
              <li key={m.id}>
                <Icon size={16} stroke={1.75} aria-hidden />
                <span>{name(m)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {(data?.buttons.length ?? 0) > 0 && (
        <>
          <h2>{t('role.previewButtons')}</h2>
          <div className={css.buttons}>
            {data!.buttons.map((key) => {
              const node = nodes.find((n) => n.id === key);
              return <span key={key}>{node ? rightName(node) : key}</span>;
            })}
          </div>
        </>
      )}
    </section>
  );
}
