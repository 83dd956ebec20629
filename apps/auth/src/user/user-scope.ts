import { superKeys, type PermissionKey, type UserRecord } from '@carillon/contracts';
import { columns, currentSql } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { fail } from '@carillon/service';
import { OrganizationCopy } from '../organization/organization-copy.entity.ts';
import { Role } from '../role/role.entity.ts';
import { User } from './user.entity.ts';

const ownRow = columns(User, 'u', ['accountType', 'allOrgs', 'orgIds']);
const given = columns(Role, 'r', ['permissions']);
const organization = columns(OrganizationCopy, 'o', ['id']);

type AccountType = UserRecord['accountType'];
const ranks: Record<AccountType, number> = { ordinary: 0, channel: 1, super: 2 };

/** What the acting user may grant: their own permissions, organizations and account type (USER-02). */
export interface Scope {
  userId: string | null;
  permissions: ReadonlySet<string>;
  orgIds: readonly string[] | '*';
  accountType: AccountType;
}

export async function ownScope(): Promise<Scope> {
  const { userId, permissions, orgIds } = context();
  const [own] = await currentSql().rows(ownRow, `select ${ownRow} from user_account u where u.id = $1`, [userId]);
  // All organizations of the user, not only the ones that the organization switcher has selected.
  return {
    userId,
    permissions: new Set(permissions),
    orgIds: own ? (own.allOrgs ? '*' : own.orgIds) : orgIds,
    accountType: own?.accountType ?? 'ordinary',
  };
}

/**
 * Tells whether `permissions` exceed the scope. Permissions that only super administrators can use do not count unless
 * `strict`.
 */
export const beyond = (scope: Scope, permissions: readonly string[], strict = false): boolean =>
  permissions.some((key) => !scope.permissions.has(key) && (strict || !superKeys.includes(key as PermissionKey)));

/** SQL condition: all organizations of the user `u` are among the parameter `orgs`; null means every organization. */
export const heldSql = (orgs: string): string =>
  `(${orgs}::uuid[] is null or (not u.all_orgs and u.org_ids <@ ${orgs}::uuid[]))`;
export const heldOrganizations = ({ orgIds }: Scope): readonly string[] | null => (orgIds === '*' ? null : orgIds);

/**
 * Decides whether the acting user may change these users. Throws unless the caller has at least the permissions of
 * each, else they could take over a higher account, and all organizations of each, else they could take the user away
 * from other administrators or act there as that user.
 */
export async function mayTouch(
  scope: Scope,
  users: readonly { id: string; accountType: AccountType; permissions: readonly string[] }[],
): Promise<void> {
  if (users.some((user) => beyond(scope, user.permissions) || ranks[user.accountType] > ranks[scope.accountType]))
    fail('user.beyondOwnRights');
  await mustHold(
    scope,
    users.map((user) => user.id),
  );
}

/** Throws unless the acting user has all organizations of these users. */
export async function mustHold(scope: Scope, userIds: readonly string[]): Promise<void> {
  const { rowCount } = await currentSql().query(
    `select 1 as one from user_account u where u.id = any ($1::uuid[]) and not ${heldSql('$2')}`,
    [userIds, heldOrganizations(scope)],
  );
  if (rowCount > 0) fail('user.otherOrganizations');
}

export function mayGiveType(scope: Scope, type: AccountType): void {
  if (ranks[type] > ranks[scope.accountType]) fail('user.beyondOwnRights');
}

/** Throws unless these roles belong to the company and hold only permissions of the acting user. */
export async function mayGiveRoles(scope: Scope, roleIds: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(given, `select ${given} from role r where r.id = any ($1::uuid[])`, [roleIds]);
  if (rows.length !== new Set(roleIds).size) fail('common.notFound');
  if (rows.some((role) => beyond(scope, role.permissions))) fail('user.beyondOwnRights');
}

/** Throws unless these organizations exist and the acting user sees them. */
export async function mayGiveOrganizations(
  scope: Scope,
  { allOrgs, orgIds }: { allOrgs: boolean; orgIds: readonly string[] },
): Promise<void> {
  if (allOrgs) {
    if (scope.orgIds !== '*') fail('user.beyondOwnOrganizations');
    return;
  }
  if (orgIds.length === 0) fail('user.organizationMissing');
  const wanted = [...new Set(orgIds)];
  const sql = `select ${organization} from organization_copy o where o.id = any ($1::uuid[])`;
  const rows = await currentSql().rows(organization, sql, [wanted]);
  const own = scope.orgIds;
  if (rows.length !== wanted.length || (own !== '*' && wanted.some((id) => !own.includes(id))))
    fail('user.beyondOwnOrganizations');
}
