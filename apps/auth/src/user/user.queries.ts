import { superKeys, type AccessView, type Language, type PermissionKey } from '@carillon/contracts';
import { currentSql, iso } from '@carillon/persistence';

export interface AccessRow extends AccessView {
  version: number;
}

/** What a role gives to an account of this type: some rights are the super administrator's alone (spec, section 6). */
export const effective = (permissions: readonly string[], accountType: string): string[] =>
  accountType === 'super' ? [...permissions] : permissions.filter((key) => !superKeys.includes(key as PermissionKey));

/** Who may do what, as the API gateways get to know it. `ids` absent: everybody that the session sees. */
export async function accessRows(ids?: readonly string[]): Promise<AccessRow[]> {
  const { rows } = await currentSql().query<
    Omit<AccessRow, 'tokensValidAfter' | 'lockedUntil'> & { validAfter: string; until: string | null }
  >(
    `
      select u.id as "userId", u.company_id as "companyId", u.username, u.nickname, u.account_type as "accountType",
        u.must_change_password as "mustChangePassword",
        case when u.status = 'normal' and exists (
          select from company_copy c where c.id = u.company_id and c.status <> 'normal'
        ) then 'disabled' else u.status end as status,
        coalesce(array_agg(r.id) filter (where r.id is not null), '{}') as "roleIds",
        coalesce(
          (
          select array_agg(distinct k order by k)
          from role r2
          join user_role x on x.role_id = r2.id
          cross join unnest(r2.permissions) k
          where x.user_id = u.id
        ),
          '{}'
        ) as permissions,
        u.all_orgs as "allOrgs",
        case when u.all_orgs then coalesce(
          (
          select array_agg(o.id order by o.id)
          from organization_copy o
          join user_account v on o.company_id = v.company_id and v.id = u.id
        ),
          u.org_ids
        ) else u.org_ids end as "orgIds",
        u.default_org_id as "defaultOrgId", u.language, u.timezone_id as "timezoneId",
        u.tokens_valid_after as "validAfter", u.locked_until as until, u.version
      from user_account u
      left join user_role ur on ur.user_id = u.id
      left join role r on r.id = ur.role_id
      where $1::uuid[] is null or u.id = any($1)
      group by u.id
    `,
    [ids ?? null],
  );
  return rows.map(({ validAfter, until, ...row }) => ({
    ...row,
    permissions: effective(row.permissions, row.accountType),
    tokensValidAfter: Date.parse(iso(validAfter)),
    ...(until === null ? {} : { lockedUntil: Date.parse(iso(until)) }),
  }));
}

/** A change of a user is a new version of his access. */
export async function raiseVersion(userIds: readonly string[]): Promise<void> {
  await currentSql().query(
    'update user_account set version = version + 1, updated_at = now() where id = any($1::uuid[])',
    [userIds],
  );
}

export async function accessVersion(userId: string): Promise<{ version: number; since: string } | undefined> {
  const { rows } = await currentSql().query<{ version: number; since: string }>(
    'select version::int as version, updated_at as since from user_account where id = $1',
    [userId],
  );
  return rows[0] && { version: rows[0].version, since: iso(rows[0].since) };
}

export async function usersOfRole(roleId: string): Promise<string[]> {
  return (
    await currentSql().query<{ id: string }>('select user_id as id from user_role where role_id = $1', [roleId])
  ).rows.map((r) => r.id);
}

export interface UserInfoRow {
  userId: string;
  username: string;
  nickname: string;
  email: string | null;
  accountType: 'super' | 'channel' | 'ordinary';
  companyId: string;
  companyName: string;
  orgId: string;
  roles: string[];
  language: Language | null;
  timezoneId: number;
  zoneChosen: boolean;
  lastLoginAt: string | null;
  countryId: number;
  avatar: string | null;
  erpId: string | null;
  createdBy: string | null;
  editor: string | null;
  createdAt: string;
  updatedAt: string;
  allOrgs: boolean;
  pendingEmail: string | null;
  dismissed: string[];
  enterprise: { contact: string; phone: string; address: string; website: string };
}

export async function userInfoRow(userId: string): Promise<UserInfoRow | undefined> {
  const { rows } = await currentSql().query<UserInfoRow>(
    `
      select u.id as "userId", u.username, u.nickname, u.email, u.account_type as "accountType",
        u.company_id as "companyId",
        coalesce((select c.name from company_copy c where c.id = u.company_id), '') as "companyName",
        u.default_org_id as "orgId",
        coalesce(
          (
          select array_agg(r.name order by r.name)
          from user_role x
          join role r on r.id = x.role_id
          where x.user_id = u.id
        ),
          '{}'
        ) as roles,
        u.language, u.timezone_id as "timezoneId", u.zone_chosen as "zoneChosen",
        u.last_login_at as "lastLoginAt", u.country_id as "countryId",
        u.avatar, u.erp_id as "erpId", u.created_by as "createdBy", u.editor, u.created_at as "createdAt",
        u.updated_at as "updatedAt", u.all_orgs as "allOrgs", u.dismissed,
        (
          select l.email
          from account_link l
          where l.user_id = u.id and l.kind = 'emailChange' and l.used_at is null and l.expires_at > now()
          order by l.created_at desc
          limit 1
        ) as "pendingEmail",
        coalesce((select to_jsonb(e) from enterprise e limit 1), '{}') as enterprise
      from user_account u
      where u.id = $1
    `,
    [userId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { contact = '', phone = '', address = '', website = '' } = row.enterprise;
  return {
    ...row,
    lastLoginAt: iso(row.lastLoginAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    enterprise: { contact, phone, address, website },
  };
}
