import { useMemo } from 'react';
import { t } from '../../../kit/text/translate.ts';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconLockOpen,
  IconMailForward,
  IconTrash,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { PermissionKey, UserRecord } from '@carillon/contracts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListAction, ListColumn } from '../../../kit/grid/list.types.ts';
import { useOrganizations } from '../../../kit/api/access.ts';
import { one } from '../../../kit/browser/address.ts';
import { session } from '../../../kit/session/session.ts';
import { countryOptions, countryText } from '../../../kit/text/country.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions } from '../../../kit/text/zone.ts';
import { AccountTypeCounts, accountTypes } from './account-type-counts.tsx';
import { UserAction, type UserRequest } from './user-action.tsx';
import { UserState } from './user-state.tsx';
import { listUsers, roleNamesQuery, userCountQuery } from './user.calls.ts';

const statuses = ['normal', 'inactive', 'disabled', 'locked'] as const;
const names = (all: readonly { name: string }[]) => all.map((r) => r.name);

const action = (
  key: UserRequest['key'],
  right: PermissionKey,
  Glyph: Icon,
  more: Pick<ListAction<UserRecord>, 'many' | 'menuOnly' | 'danger' | 'when'>,
): ListAction<UserRecord> => ({
  key,
  label: `userAction.${key}`,
  icon: Glyph,
  right,
  ...more,
  dialog: ({ record, target, count, close, deselect }) => (
    <UserAction
      request={{ key, target, count, ...(record ? { user: record, own: record.id === session()?.userId } : {}) }}
      onClose={close}
      onDeleted={deselect}
    />
  ),
});
/** Users cannot disable or delete themselves. */
const other = (u: UserRecord) => u.id !== session()?.userId;
const actions = [
  action('resend', 'resendActivation', IconMailForward, { when: (u) => u.status === 'inactive' }),
  action('unlock', 'unlockUser', IconLockOpen, { many: 'all', when: (u) => u.status === 'locked' }),
  action('enable', 'enableUser', IconCircleCheck, { many: 'all', when: (u) => u.status === 'disabled' }),
  action('disable', 'disableUser', IconCircleMinus, {
    many: 'all',
    danger: true,
    when: (u) => u.status !== 'disabled' && other(u),
  }),
  action('delete', 'deleteUser', IconTrash, { many: 'all', menuOnly: true, danger: true, when: other }),
];

/** Lists users with all their data (USER-01). */
export function UserListPage() {
  const { t } = useText();
  const search = one(useSearch({ from: '/_main/system/users' }).search);
  const counts = useQuery(userCountQuery(search === undefined ? {} : { search })).data;
  const { data: roles } = useQuery(roleNamesQuery);
  const { data: organizations } = useOrganizations();
  const zones = useZoneOptions();
  const columns = useMemo(() => {
    const names = new Map(zones.map((z) => [z.value, z.label]));
    return userColumns(names);
  }, [zones]);
  const choices = (all: readonly { id: string; name: string }[] = []) =>
    all.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <ListPage
      name="user"
      route="/_main/system/users"
      list={listUsers}
      service="auth"
      title="menu.users"
      icon={IconUsers}
      texts="user"
      columns={columns}
      filters={[
        {
          key: 'status',
          title: 'user.status',
          values: statuses,
          word: (s: (typeof statuses)[number]) => `userStatus.${s}`,
          counts: counts?.status ?? {},
        },
        {
          key: 'accountType',
          title: 'user.type',
          values: accountTypes,
          word: (s: (typeof accountTypes)[number]) => `accountType.${s}`,
          counts: counts?.accountType ?? {},
        },
        { key: 'roleId', title: 'user.roles', options: choices(roles) },
        { key: 'orgId', title: 'user.organizations', options: choices(organizations) },
        { key: 'username', kind: 'text', title: 'user.username' },
        { key: 'nickname', kind: 'text', title: 'user.nickname' },
        { key: 'email', kind: 'text', empties: true, title: 'user.email' },
        { key: 'lastLoginAt', kind: 'moment', empties: true, title: 'user.lastLogin' },
        {
          key: 'activation',
          title: 'user.activation',
          values: ['email', 'password'],
          word: (by: UserRecord['activation']) => (by === 'email' ? 'user.byEmail' : 'user.byPassword'),
        },
        { key: 'timezoneId', title: 'user.timezone', options: zones },
        { key: 'countryId', title: 'user.country', options: countryOptions(t('user.countryNone')) },
        { key: 'erpId', kind: 'text', empties: true, title: 'user.erpId' },
        { key: 'createdBy', kind: 'text', empties: true, title: 'user.createdBy' },
        { key: 'editor', kind: 'text', empties: true, title: 'user.editor' },
        { key: 'createdAt', kind: 'moment', title: 'user.created' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(u) => u.username}
      phone={(u) => ({
        title: u.nickname,
        sub: `${u.username} · ${names(u.roles).join(', ')}`,
        extra: t(`accountType.${u.accountType}`),
      })}
      add={{ label: 'user.add', right: 'addUser', href: '/system/users/addUser' }}
      edit={{ right: 'editUser', href: (u) => `/system/users/editUser?id=${u.id}` }}
      drawer={{ parameter: 'user' }}
      actions={actions}
      strip={counts && <AccountTypeCounts counts={counts.accountType} />}
    />
  );
}

const userColumns = (zones: ReadonlyMap<string, string>): ListColumn<typeof listUsers>[] => [
  {
    key: 'status',
    type: 'word',
    title: 'user.status',
    sort: true,
    width: 100,
    live: true,
    phone: 'state',
    value: (u) => `userStatus.${u.status}`,
    show: (u) => <UserState status={u.status} />,
  },
  {
    key: 'username',
    type: 'text',
    title: 'user.username',
    width: 112,
    sort: true,
    fixed: true,
    value: (u) => u.username,
  },
  { key: 'nickname', type: 'text', title: 'user.nickname', width: 112, sort: true, value: (u) => u.nickname },
  { key: 'email', type: 'text', title: 'user.email', width: 168, sort: true, value: (u) => u.email },
  {
    key: 'type',
    type: 'word',
    title: 'user.type',
    optional: true,
    sort: true,
    words: 'accountType',
    value: (u) => `accountType.${u.accountType}`,
  },
  { key: 'roles', type: 'names', title: 'user.roles', width: 140, value: (u) => names(u.roles) },
  {
    key: 'orgs',
    type: 'names',
    words: { '*': t('user.allOrganizations') },
    title: 'user.organizations',
    width: 140,
    value: (u) => (u.allOrgs ? [t('user.allOrganizations')] : names(u.orgs)),
  },
  { key: 'lastLoginAt', type: 'moment', title: 'user.lastLogin', sort: true, value: (u) => u.lastLoginAt },
  {
    key: 'timezone',
    type: 'text',
    words: { ...Object.fromEntries(zones), '': t('shell.zoneOfBrowser') },
    title: 'user.timezone',
    optional: true,
    value: (u) => (u.zoneChosen ? zones.get(String(u.timezoneId)) : t('shell.zoneOfBrowser')),
  },
  {
    key: 'country',
    type: 'text',
    words: 'countryId',
    title: 'user.country',
    width: 150,
    optional: true,
    value: (u) => countryText(u.countryId),
  },
  {
    key: 'activation',
    type: 'word',
    title: 'user.activation',
    sort: true,
    optional: true,
    value: (u) => (u.activation === 'email' ? 'user.byEmail' : 'user.byPassword'),
  },
  { key: 'erpId', type: 'text', title: 'user.erpId', sort: true, width: 120, optional: true, value: (u) => u.erpId },
  { key: 'company', type: 'text', title: 'user.company', width: 150, optional: true, value: (u) => u.companyName },
  { key: 'id', type: 'code', title: 'user.id', width: 290, optional: true, value: (u) => u.id },
  {
    key: 'createdBy',
    type: 'text',
    title: 'user.createdBy',
    sort: true,
    width: 120,
    optional: true,
    value: (u) => u.createdBy,
  },
  { key: 'editor', type: 'text', title: 'user.editor', sort: true, width: 120, optional: true, value: (u) => u.editor },
  { key: 'createdAt', type: 'moment', title: 'user.created', sort: true, optional: true, value: (u) => u.createdAt },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (u) => u.updatedAt },
];
