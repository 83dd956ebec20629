import type { UserRecord, RouteInput, listUsers, countUsers } from '@carillon/contracts';
import { toPage } from '@carillon/contracts';
import { containsPattern, currentSql, iso, orderBy, parameters } from '@carillon/persistence';
import { context } from '@carillon/tenancy';

type Filter = RouteInput<typeof countUsers>['query'];
type Query = RouteInput<typeof listUsers>['query'];
type Add = (value: unknown) => string;

/**
 * Whom the running context may see: everybody of the company, or with some organizations only himself and who is in one
 * of those and not in all (USER-02). The company itself is the policies' affair.
 */
function visible(add: Add): string {
  const { orgIds, allOrgs, userId } = context();
  return orgIds === '*' || allOrgs
    ? 'true'
    : `(u.id = ${add(userId)} or (not u.all_orgs and u.org_ids && ${add(orgIds)}::uuid[]))`;
}

/** Whoever is locked now reads so, whatever is stored: a lock passes by itself. */
const statusSql = (locked: string): string =>
  `case when u.status = 'normal' and u.id = any (${locked}::uuid[]) then 'locked' else u.status end`;

function conditions(filter: Filter, locked: string, add: Add): string {
  const like = filter.search ? add(containsPattern(filter.search)) : undefined;
  return [
    visible(add),
    ...(like
      ? [`(u.username ilike ${like} or u.nickname ilike ${like} or u.email ilike ${like} or u.erp_id ilike ${like})`]
      : []),
    ...(filter.status ? [`${statusSql(locked)} = any (${add(filter.status)}::text[])`] : []),
    ...(filter.accountType ? [`u.account_type = any (${add(filter.accountType)}::text[])`] : []),
    ...(filter.roleId
      ? [`exists (select from user_role f where f.user_id = u.id and f.role_id = any (${add(filter.roleId)}::uuid[]))`]
      : []),
    ...(filter.orgId ? [`(u.all_orgs or u.org_ids && ${add(filter.orgId)}::uuid[])`] : []),
  ].join(' and ');
}

const columns = (locked: string): string => `
  u.id, u.username, u.nickname, u.email, u.account_type as "accountType", ${statusSql(locked)} as status,
  u.activation,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by lower(r.name)), '[]')
    from user_role x
    join role r on r.id = x.role_id
    where x.user_id = u.id
  ) as roles,
  u.all_orgs as "allOrgs",
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by lower(o.name)), '[]')
    from organization_copy o
    where not u.all_orgs and o.id = any (u.org_ids)
  ) as orgs,
  u.default_org_id as "defaultOrgId", u.company_id as "companyId",
  coalesce((select c.name from company_copy c where c.id = u.company_id), '') as "companyName", u.language,
  u.timezone_id as "timezoneId", u.country_id as "countryId", u.erp_id as "erpId", u.created_by as "createdBy",
  u.editor, u.last_login_at as "lastLoginAt", u.created_at as "createdAt", u.updated_at as "updatedAt"
`;

const toRecord = (row: UserRecord): UserRecord => ({
  ...row,
  lastLoginAt: iso(row.lastLoginAt),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});
const sorts = {
  username: 'lower(u.username)',
  nickname: 'lower(u.nickname)',
  email: 'lower(u.email)',
  lastLoginAt: 'u.last_login_at',
  createdAt: 'u.created_at',
  updatedAt: 'u.updated_at',
};

export async function userPage(
  query: Query,
  lockedIds: readonly string[],
): Promise<{ records: UserRecord[]; total: number; current: number; size: number }> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters();
  const locked = add(lockedIds);
  const where = conditions(query, locked, add);
  const total = (
    await currentSql().query<{ n: number }>(
      `select count(*)::int as n from user_account u where ${where} and ${locked}::uuid[] is not null`,
      values,
    )
  ).rows[0]!.n;
  const { rows } = await currentSql().query<UserRecord>(
    `
      select ${columns(locked)}
      from user_account u
      where ${where}
      order by ${orderBy(query.sort, sorts, 'lower(u.username)')}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  return { records: rows.map(toRecord), total, current: page, size: limit };
}

export async function userCounts(
  filter: Filter,
  lockedIds: readonly string[],
): Promise<{ total: number; status: Record<string, number>; accountType: Record<string, number> }> {
  const { add, values } = parameters();
  const locked = add(lockedIds);
  const { rows } = await currentSql().query<{ status: string; type: string; n: number }>(
    `
      select ${statusSql(locked)} as status, u.account_type as type, count(*)::int as n
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
  for (const { status, type, n } of rows) {
    sums.total += n;
    sums.status[status] = (sums.status[status] ?? 0) + n;
    sums.accountType[type] = (sums.accountType[type] ?? 0) + n;
  }
  return sums;
}

/** Those of the ids that the running context may see, in their order. */
export async function usersById(
  ids: readonly string[],
  lockedIds: readonly string[],
): Promise<(UserRecord & { permissions: string[] })[]> {
  const { add, values } = parameters();
  const locked = add(lockedIds);
  const { rows } = await currentSql().query<UserRecord & { permissions: string[] }>(
    `
      select ${columns(locked)},
        coalesce(
          (
          select array_agg(distinct k)
          from user_role x
          join role r on r.id = x.role_id
          cross join unnest(r.permissions) k
          where x.user_id = u.id
        ),
          '{}'
        ) as permissions
      from user_account u
      where u.id = any (${add(ids)}::uuid[]) and ${visible(add)}
    `,
    values,
  );
  return rows.map((row) => ({ ...toRecord(row), permissions: row.permissions }));
}
