import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconLockOpen,
  IconMailForward,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { UserRecord } from '@carillon/contracts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, Filter, GridAction } from '../../../kit/grid/grid.types.ts';
import { filterOf, queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { useAccess, useOrganizations } from '../../../kit/session/access.ts';
import { session } from '../../../kit/session/session.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { UserAction, type UserRequest } from './user-action.tsx';
import { UserState } from './user-state.tsx';
import { roleNamesQuery, userCountQuery, userListQuery, type UserFilter, type UserQuery } from './user.calls.ts';

const route = getRouteApi('/_main/system/users');
const statuses = ['normal', 'inactive', 'disabled', 'locked'] as const;
const types = ['super', 'channel', 'ordinary'] as const;
type Field = 'status' | 'accountType' | 'roleId' | 'orgId';
const rules: ListRules<Field> = {
  sorts: ['username', 'nickname', 'email', 'lastLoginAt', 'createdAt', 'updatedAt'],
  filters: { status: statuses, accountType: types, roleId: undefined, orgId: undefined },
};
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

/** Who may log in, with what is known of each (USER-01). */
export function UserListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const access = useAccess();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const query = useQuery(userListQuery(queryOf(state) as UserQuery));
  const counts = useQuery(userCountQuery((state.search === '' ? {} : { search: state.search }) as UserFilter)).data;
  const { data: roles } = useQuery(roleNamesQuery);
  const { data: organizations } = useOrganizations();
  const [request, setRequest] = useState<UserRequest>();
  const [cleared, setCleared] = useState(0);
  const columns = useMemo(
    (): Column<UserRecord>[] => [
      {
        key: 'status',
        title: t('user.status'),
        width: 120,
        render: (u) => <UserState status={u.status} />,
        live: (u) => u.status,
      },
      {
        key: 'username',
        title: t('user.username'),
        width: 130,
        sortable: true,
        fixed: true,
        render: (u) => u.username,
        ...(access.can('editUser') ? { link: (u: UserRecord) => `/system/users/editUser?id=${u.id}` } : {}),
      },
      { key: 'nickname', title: t('user.nickname'), width: 130, sortable: true, render: (u) => u.nickname },
      { key: 'email', title: t('user.email'), width: 190, sortable: true, render: (u) => u.email ?? '–' },
      { key: 'type', title: t('user.type'), width: 150, render: (u) => t(`accountType.${u.accountType}`) },
      {
        key: 'roles',
        title: t('user.roles'),
        width: 120,
        render: (u) => (
          <span title={u.roles.map((r) => r.name).join(', ')}>{u.roles.map((r) => r.name).join(', ')}</span>
        ),
      },
      {
        key: 'orgs',
        title: t('user.organizations'),
        width: 120,
        render: (u) =>
          u.allOrgs ? (
            t('user.allOrganizations')
          ) : (
            <span title={u.orgs.map((o) => o.name).join(', ')}>{u.orgs.map((o) => o.name).join(', ')}</span>
          ),
      },
      {
        key: 'lastLoginAt',
        title: t('user.lastLogin'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        render: (u) => moment(u.lastLoginAt),
      },
      { key: 'erpId', title: t('user.erpId'), width: 120, optional: true, render: (u) => u.erpId ?? '–' },
      { key: 'company', title: t('user.company'), width: 150, optional: true, render: (u) => u.companyName },
      { key: 'createdBy', title: t('user.createdBy'), width: 120, optional: true, render: (u) => u.createdBy ?? '–' },
      { key: 'editor', title: t('user.editor'), width: 120, optional: true, render: (u) => u.editor ?? '–' },
      {
        key: 'createdAt',
        title: t('user.created'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        optional: true,
        render: (u) => moment(u.createdAt),
      },
      {
        key: 'updatedAt',
        title: t('user.updated'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        optional: true,
        render: (u) => moment(u.updatedAt),
      },
    ],
    [t, access],
  );
  const filters: Filter<Field>[] = [
    {
      key: 'status',
      title: t('user.status'),
      options: statuses.map((s) => ({ value: s, label: t(`userStatus.${s}`), count: counts?.status[s] ?? 0 })),
    },
    {
      key: 'accountType',
      title: t('user.type'),
      options: types.map((s) => ({ value: s, label: t(`accountType.${s}`), count: counts?.accountType[s] ?? 0 })),
    },
    { key: 'roleId', title: t('user.roles'), options: (roles ?? []).map((r) => ({ value: r.id, label: r.name })) },
    {
      key: 'orgId',
      title: t('user.organizations'),
      options: (organizations ?? []).map((o) => ({ value: o.id, label: o.name })),
    },
  ];
  const actions = useMemo((): GridAction<UserRecord>[] => {
    const own = session()?.userId;
    const of = (key: UserRequest['key'], Icon: typeof IconPencil, many: boolean): GridAction<UserRecord> => ({
      key,
      label: t(`userAction.${key}`),
      icon: <Icon {...icon} />,
      ...(key === 'delete' ? { menuOnly: true as const } : {}),
      onOne: (u) => setRequest({ key, target: { ids: [u.id] }, count: 1, user: u, own: u.id === own }),
      ...(many
        ? { onMany: (target, count) => setRequest({ key, target: target as UserRequest['target'], count }) }
        : {}),
    });
    return [
      ...(access.can('editUser')
        ? [
            {
              key: 'edit',
              label: t('common.edit'),
              icon: <IconPencil {...icon} />,
              onOne: (u: UserRecord) => void navigate({ to: '/system/users/editUser', search: { id: u.id } as never }),
            },
          ]
        : []),
      ...(access.can('resendActivation') ? [of('resend', IconMailForward, false)] : []),
      ...(access.can('unlockUser') ? [of('unlock', IconLockOpen, true)] : []),
      ...(access.can('enableUser') ? [of('enable', IconCircleCheck, true)] : []),
      ...(access.can('disableUser') ? [of('disable', IconCircleMinus, true)] : []),
      ...(access.can('deleteUser') ? [of('delete', IconTrash, true)] : []),
    ];
  }, [t, access, navigate]);
  const add = access.can('addUser') && (
    <Button component={Link} to="/system/users/addUser" leftSection={<IconPlus size={15} stroke={2} />}>
      {t('user.add')}
    </Button>
  );
  return (
    <>
      <DataGrid<UserRecord, Field>
        key={cleared}
        name="user"
        title={t('menu.users')}
        columns={columns}
        query={query}
        state={state}
        filters={filters}
        actions={actions}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(u) => u.username}
        searchLabel={t('user.search')}
        phone={(u) => ({
          title: u.nickname,
          sub: `${u.username} · ${u.roles.map((r) => r.name).join(', ')}`,
          state: <UserState status={u.status} />,
          extra: t(`accountType.${u.accountType}`),
        })}
        primary={add}
        empty={{
          icon: <IconUsers size={20} stroke={1.5} />,
          title: t('user.none'),
          text: t('user.noneText'),
          action: add,
        }}
        noMatch={t('user.noMatch', { count: Object.keys(filterOf(state)).length })}
        failure={t('user.listFailed')}
      />
      {request && (
        <UserAction
          request={request}
          onClose={() => setRequest(undefined)}
          onDeleted={() => setCleared((n) => n + 1)}
        />
      )}
    </>
  );
}
