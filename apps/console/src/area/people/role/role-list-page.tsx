import { IconCopy, IconShieldCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteRoles, listRoles, restoreRoles } from './role.calls.ts';

await systemTexts();

const columns: ListColumn<typeof listRoles>[] = [
  { key: 'name', type: 'text', title: 'role.name', sort: true, fixed: true, value: (r) => r.name },
  {
    key: 'description',
    type: 'text',
    title: 'role.description',
    sort: true,
    width: 320,
    phone: 'sub',
    value: (r) => r.description,
  },
  { key: 'users', type: 'number', title: 'role.users', sort: true, value: (r) => r.users },
  { key: 'rights', type: 'number', title: 'role.rights', sort: true, value: (r) => r.permissions.length },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'user.updated',
    sort: true,
    phone: 'extra',
    value: (r) => r.updatedAt,
  },
];

/** Lists roles (ROLE-01). */
export function RoleListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <ListPage
      name="role"
      route="/_main/system/roles"
      list={listRoles}
      service="auth"
      title="menu.roles"
      icon={IconShieldCheck}
      texts="role"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'role.name' },
        { key: 'description', kind: 'text', empties: true, title: 'role.description' },
        { key: 'users', kind: 'number', title: 'role.users' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(r) => r.name}
      phone={(r) => ({ state: t('role.usersOf', { count: r.users, number: count(r.users) }) })}
      add={{ label: 'role.add', right: 'addRole', href: '/system/users/addRole' }}
      edit={{ right: 'editRole', href: (r) => `/system/users/editRole?id=${r.id}` }}
      actions={[
        {
          key: 'copy',
          label: 'roleCopy.action',
          icon: IconCopy,
          right: 'addRole',
          run: ({ record }) => void navigate({ to: '/system/users/addRole', search: { from: record!.id } as never }),
        },
      ]}
      drawer={{ parameter: 'role' }}
      remove={{
        right: 'deleteRole',
        dialog: ({ id, name, users }, close) => (
          <DeleteDialog
            noun="role"
            name={name}
            text={t('role.deleteText')}
            stays={users === 0 ? undefined : t('role.deleteUsed', { count: users, number: count(users) })}
            remove={() => call(deleteRoles, { query: { ids: [id] } })}
            restore={() => call(restoreRoles, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
