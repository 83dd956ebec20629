import { superKeys, type AccessView, type PermissionKey } from '@carillon/contracts';
import { alphabetic, column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import type { Enterprise } from './enterprise.entity.ts';
import { User, UserRole } from './user.entity.ts';

export interface AccessRow extends AccessView {
  version: number;
}

/** Returns the permissions of a role for an account type: some are for super administrators only (ROLE-03). */
export const effective = (permissions: readonly string[], accountType: string): string[] =>
  accountType === 'super' ? [...permissions] : permissions.filter((key) => !superKeys.includes(key as PermissionKey));

const access = columns(
  User,
  'u',
  [
    'companyId',
    'username',
    'nickname',
    'accountType',
    'mustChangePassword',
    'allOrgs',
    'defaultOrgId',
    'language',
    'timezoneId',
    'countryId',
    'tokensValidAfter',
    'lockedUntil',
    'version',
  ],
  {
    userId: column(User, 'u', 'id'),
    status: computed<AccessRow['status']>(`
      case when u.status = 'normal' and exists (
        select from company_copy c where c.id = u.company_id and c.status <> 'normal'
      ) then 'disabled' else u.status end
    `),
    roleIds: computed<string[]>(`coalesce(array_agg(r.id) filter (where r.id is not null), '{}')`),
    permissions: computed<string[]>(`
      coalesce(
        (
          select array_agg(distinct k order by k)
          from role r2
          join user_role x on x.role_id = r2.id
          cross join unnest(r2.permissions) k
          where x.user_id = u.id
        ),
        '{}'
      )
    `),
    orgIds: computed<string[]>(`
      case when u.all_orgs then coalesce(
        (
          select array_agg(o.id order by o.id)
          from organization_copy o
          join user_account v on o.company_id = v.company_id and v.id = u.id
        ),
        u.org_ids
      ) else u.org_ids end
    `),
  },
);

/** Returns users' access for the API gateways. Without `ids`, of all users that the session sees. */
export async function accessRows(ids?: readonly string[]): Promise<AccessRow[]> {
  const rows = await currentSql().rows(
    access,
    `
      select ${access}
      from user_account u
      left join user_role ur on ur.user_id = u.id
      left join role r on r.id = ur.role_id
      where $1::uuid[] is null or u.id = any($1)
      group by u.id
    `,
    [ids ?? null],
  );
  return rows.map(({ tokensValidAfter, lockedUntil, ...row }) => ({
    ...row,
    permissions: effective(row.permissions, row.accountType),
    tokensValidAfter: Date.parse(tokensValidAfter),
    ...(lockedUntil === null ? {} : { lockedUntil: Date.parse(lockedUntil) }),
  }));
}

/**
 * Locks users until the transaction ends, in the order of their ids, so that two transactions that change several users
 * cannot deadlock. The condition names the user `u`. A transaction calls this before it changes any of them. Only a
 * transaction that deletes users needs the mode `update`, which also waits for new rows that refer to them.
 */
export async function lockUsers(
  condition: string,
  values: readonly unknown[],
  mode: 'update' | 'no key update' = 'no key update',
): Promise<void> {
  await currentSql().query(`select 1 as one from user_account u where ${condition} order by u.id for ${mode} of u`, [
    ...values,
  ]);
}

/** SQL condition: the user `u` has the role. */
export const hasRoleSql = (role: string): string =>
  `exists (select from user_role x where x.user_id = u.id and x.role_id = ${role})`;

/** Raises the access version of users after a change. */
export async function raiseVersion(userIds: readonly string[]): Promise<void> {
  if (userIds.length > 1) await lockUsers('u.id = any ($1::uuid[])', [userIds]);
  await currentSql().query(
    'update user_account set version = version + 1, updated_at = now() where id = any($1::uuid[])',
    [userIds],
  );
}

const changed = columns(User, 'u', ['version'], { since: column(User, 'u', 'updatedAt') });
export async function accessVersion(userId: string): Promise<RowOf<typeof changed> | undefined> {
  return (await currentSql().rows(changed, `select ${changed} from user_account u where u.id = $1`, [userId]))[0];
}

const roleUser = columns(UserRole, 'x', ['userId']);
export async function usersOfRole(roleId: string): Promise<string[]> {
  const rows = await currentSql().rows(roleUser, `select ${roleUser} from user_role x where x.role_id = $1`, [roleId]);
  return rows.map((r) => r.userId);
}

const info = columns(
  User,
  'u',
  [
    'username',
    'nickname',
    'email',
    'accountType',
    'companyId',
    'language',
    'timezoneId',
    'zoneChosen',
    'lastLoginAt',
    'countryId',
    'avatar',
    'erpId',
    'createdBy',
    'editor',
    'createdAt',
    'updatedAt',
    'allOrgs',
    'dismissed',
  ],
  {
    userId: column(User, 'u', 'id'),
    orgId: column(User, 'u', 'defaultOrgId'),
    companyName: computed<string>(`coalesce((select c.name from company_copy c where c.id = u.company_id), '')`),
    roles: computed<string[]>(`
      coalesce(
        (
          select array_agg(r.name order by ${alphabetic('r.name')})
          from user_role x
          join role r on r.id = x.role_id
          where x.user_id = u.id
        ),
        '{}'
      )
    `),
    pendingEmail: computed<string | null>(`
      (
        select l.email
        from account_link l
        where l.user_id = u.id and l.kind = 'emailChange' and l.used_at is null and l.expires_at > now()
        order by l.created_at desc
        limit 1
      )
    `),
    /** Empty when the company has not set any. */
    enterprise: computed<Partial<Pick<Enterprise, 'contact' | 'phone' | 'address' | 'website'>>>(
      `coalesce((select to_jsonb(e) from enterprise e limit 1), '{}')`,
    ),
  },
);

export async function userInfoRow(userId: string) {
  const [row] = await currentSql().rows(info, `select ${info} from user_account u where u.id = $1`, [userId]);
  if (!row) return undefined;
  const { contact = '', phone = '', address = '', website = '' } = row.enterprise;
  return { ...row, enterprise: { contact, phone, address, website } };
}
export type UserInfoRow = NonNullable<Awaited<ReturnType<typeof userInfoRow>>>;
