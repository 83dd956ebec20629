import type { UserRecord, RouteInput, listUsers, countUsers } from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  parameters,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { User } from './user.entity.ts';

type Filter = RouteInput<typeof countUsers>['query'];
type Query = RouteInput<typeof listUsers>['query'];
type Add = (value: unknown) => string;

/**
 * SQL condition for the users that the running context may see: all, or for a caller with some organizations only
 * themselves and users of these who do not see all organizations (USER-02). Policies limit it to the company.
 */
export function visible(add: Add): string {
  const { orgIds, allOrgs, userId } = context();
  return orgIds === '*' || allOrgs
    ? 'true'
    : `(u.id = ${add(userId)} or (not u.all_orgs and u.org_ids && ${add(orgIds)}::uuid[]))`;
}

/** Shows a user with a running lock as locked: a lock expires by itself and is not stored in the status. */
const statusSql = (locked: string): string =>
  `case when u.status = 'normal' and u.id = any (${locked}::uuid[]) then 'locked' else u.status end`;

const user = columnNames(User, 'u');
const { text, id, number, moment } = filterBy;
const filterColumns = {
  accountType: text(user.accountType),
  roleId: id('', {
    any: (ids, add) =>
      `exists (select from user_role f where f.user_id = u.id and f.role_id = any (${add(ids)}::uuid[]))`,
  }),
  orgId: id('', { any: (ids, add) => `(u.all_orgs or u.org_ids && ${add(ids)}::uuid[])` }),
  username: text(user.username),
  nickname: text(user.nickname),
  email: text(user.email),
  erpId: text(user.erpId),
  activation: text(user.activation),
  timezoneId: number(user.timezoneId),
  countryId: number(user.countryId),
  createdBy: text(user.createdBy),
  editor: text(user.editor),
  lastLoginAt: moment(user.lastLoginAt),
  createdAt: moment(user.createdAt),
  updatedAt: moment(user.updatedAt),
};

function conditions(filter: Filter, locked: string, add: Add): string {
  const like = filter.search ? add(containsPattern(filter.search)) : undefined;
  return [
    visible(add),
    ...(like ? [anyContains(['u.username', 'u.nickname', 'u.email', 'u.erp_id'], like)] : []),
    ...filterSql(filter, { ...filterColumns, status: filterBy.text(statusSql(locked)) }, add),
  ].join(' and ');
}

const shown = [
  'id',
  'username',
  'nickname',
  'email',
  'accountType',
  'activation',
  'allOrgs',
  'defaultOrgId',
  'companyId',
  'language',
  'timezoneId',
  'zoneChosen',
  'countryId',
  'erpId',
  'createdBy',
  'editor',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
] as const;
/** What a user is shown with besides their own columns; `locked` are the ids of the users who are locked now. */
const shownWith = (locked: string) => ({
  status: computed<UserRecord['status']>(statusSql(locked)),
  companyName: computed<string>(`coalesce((select c.name from company_copy c where c.id = u.company_id), '')`),
  roles: computed<UserRecord['roles']>(`
    (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by ${alphabetic('r.name')}), '[]')
      from user_role x
      join role r on r.id = x.role_id
      where x.user_id = u.id
    )
  `),
  orgs: computed<UserRecord['orgs']>(`
    (
      select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by ${alphabetic('o.name')}), '[]')
      from organization_copy o
      where not u.all_orgs and o.id = any (u.org_ids)
    )
  `),
});
const permissions = computed<string[]>(`
  (
    select coalesce(array_agg(distinct k), '{}')
    from user_role x
    join role r on r.id = x.role_id
    cross join unnest(r.permissions) k
    where x.user_id = u.id
  )
`);

const sorts = {
  username: alphabetic(user.username),
  nickname: alphabetic(user.nickname),
  email: alphabetic(user.email),
  type: user.accountType,
  activation: user.activation,
  erpId: alphabetic(user.erpId),
  createdBy: alphabetic(user.createdBy),
  editor: alphabetic(user.editor),
  lastLoginAt: user.lastLoginAt,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
};

export async function userPage(
  query: Query,
  lockedIds: readonly string[],
): Promise<{ records: UserRecord[]; total: number; current: number; size: number }> {
  return readPage({
    query,
    record: columns(User, 'u', shown, shownWith('$1')),
    from: 'user_account u',
    values: [lockedIds],
    // PostgreSQL has to know the type of a parameter, also where nothing else uses it.
    where: (add) => [conditions(query, '$1', add), '$1::uuid[] is not null'],
    sorts: { ...sorts, status: statusSql('$1') },
    order: alphabetic('u.username'),
  });
}

export async function userCounts(
  filter: Filter,
  lockedIds: readonly string[],
): Promise<{ total: number; status: Record<string, number>; accountType: Record<string, number> }> {
  const { add, values } = parameters();
  const locked = add(lockedIds);
  const kind = columns(User, 'u', ['accountType'], {
    status: computed<UserRecord['status']>(statusSql(locked)),
    n: computed<number>('count(*)::int'),
  });
  const rows = await currentSql().rows(
    kind,
    `
      select ${kind}
      from user_account u
      where ${conditions(filter, locked, add)}
      group by 1, 2
    `,
    values,
  );
  const sums = {
    total: 0,
    status: { normal: 0, inactive: 0, disabled: 0, locked: 0 } as Record<string, number>,
    accountType: { super: 0, channel: 0, ordinary: 0 } as Record<string, number>,
  };
  for (const { status, accountType: type, n } of rows) {
    sums.total += n;
    sums.status[status] = (sums.status[status] ?? 0) + n;
    sums.accountType[type] = (sums.accountType[type] ?? 0) + n;
  }
  return sums;
}

/** Returns those of the ids that the running context may see, in their order. */
export async function usersById(
  ids: readonly string[],
  lockedIds: readonly string[],
): Promise<(UserRecord & { permissions: string[] })[]> {
  const { add, values } = parameters();
  const locked = add(lockedIds);
  const record = columns(User, 'u', shown, { ...shownWith(locked), permissions });
  return currentSql().rows(
    record,
    `
      select ${record}
      from user_account u
      where u.id = any (${add(ids)}::uuid[]) and ${visible(add)}
    `,
    values,
  );
}
