import type { AccessView } from '@carillon/contracts';
import { currentSql, iso } from '@carillon/persistence';

export interface AccessRow extends AccessView {
  version: number;
}

/** Who may do what, as the API gateways get to know it. `ids` absent: everybody that the session sees. */
export async function accessRows(ids?: readonly string[]): Promise<AccessRow[]> {
  const { rows } = await currentSql().query<Omit<AccessRow, 'tokensValidAfter'> & { validAfter: string }>(`
    select u.id as "userId", u.company_id as "companyId", u.username, u.nickname, u.account_type as "accountType", u.must_change_password as "mustChangePassword",
      case when u.status = 'normal' and exists (select from company_copy c where c.id = u.company_id and c.status <> 'normal') then 'disabled' else u.status end as status,
      coalesce(array_agg(r.id) filter (where r.id is not null), '{}') as "roleIds",
      coalesce((select array_agg(distinct k order by k) from role r2 join user_role x on x.role_id = r2.id cross join unnest(r2.permissions) k where x.user_id = u.id), '{}') as permissions,
      u.org_ids as "orgIds", u.default_org_id as "defaultOrgId", u.language, u.timezone_id as "timezoneId", u.tokens_valid_after as "validAfter", u.version
    from user_account u left join user_role ur on ur.user_id = u.id left join role r on r.id = ur.role_id
    where $1::uuid[] is null or u.id = any($1) group by u.id`, [ids ?? null]);
  return rows.map(({ validAfter, ...row }) => ({ ...row, tokensValidAfter: Date.parse(iso(validAfter)) }));
}

/** A change of a user is a new version of his access. */
export async function raiseVersion(userIds: readonly string[]): Promise<void> {
  await currentSql().query('update user_account set version = version + 1, updated_at = now() where id = any($1::uuid[])', [userIds]);
}

export async function usersOfRole(roleId: string): Promise<string[]> {
  return (await currentSql().query<{ id: string }>('select user_id as id from user_role where role_id = $1', [roleId])).rows.map((r) => r.id);
}

export interface UserInfoRow {
  userId: string; username: string; nickname: string; email: string | null; accountType: 'super' | 'channel' | 'ordinary'; companyId: string; companyName: string;
  orgId: string; roles: string[]; language: 'en_US' | 'zh_CN' | 'ko' | 'pt_BR' | null; timezoneId: number; lastLoginAt: string | null;
}

export async function userInfoRow(userId: string): Promise<UserInfoRow | undefined> {
  const { rows } = await currentSql().query<UserInfoRow>(`
    select u.id as "userId", u.username, u.nickname, u.email, u.account_type as "accountType", u.company_id as "companyId",
      coalesce((select c.name from company_copy c where c.id = u.company_id), '') as "companyName", u.default_org_id as "orgId",
      coalesce((select array_agg(r.name order by r.name) from user_role x join role r on r.id = x.role_id where x.user_id = u.id), '{}') as roles,
      u.language, u.timezone_id as "timezoneId", u.last_login_at as "lastLoginAt"
    from user_account u where u.id = $1`, [userId]);
  const row = rows[0];
  return row && { ...row, lastLoginAt: iso(row.lastLoginAt) };
}
