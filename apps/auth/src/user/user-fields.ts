import { raw, type QueryOrderMap } from '@mikro-orm/postgresql';
import type { editUser, RouteInput, UserRecord } from '@carillon/contracts';
import { loginNameFault, toLoginName } from '@carillon/contracts/login-name';
import { alphabetic, currentEntities } from '@carillon/persistence';
import { fail, failAt } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { OrganizationCopy } from '../organization/organization-copy.entity.ts';

export type UserFields = RouteInput<typeof editUser>['body'];
export type KnownUser = UserRecord & { permissions: string[] };

/** Returns what the operation log keeps of a user. */
export const auditable = ({
  username,
  nickname,
  email,
  accountType,
  status,
  roles,
  allOrgs,
  orgs,
  erpId,
  timezoneId,
  zoneChosen,
  language,
}: UserRecord): Record<string, unknown> => ({
  username,
  nickname,
  email,
  accountType,
  status,
  roles: roles.map((r) => r.name),
  allOrgs,
  orgs: orgs.map((o) => o.name),
  erpId,
  timezoneId: zoneChosen ? timezoneId : null,
  language,
});

/** Returns the organization for new objects that name none. Keeps the current one while the user still has it. */
export async function defaultOrg(
  { allOrgs, orgIds }: { allOrgs: boolean; orgIds: readonly string[] },
  before: string | null,
): Promise<string> {
  if (!allOrgs) return before !== null && orgIds.includes(before) ? before : orgIds[0]!;
  if (before !== null) return before;
  const orderBy: QueryOrderMap<OrganizationCopy>[] = [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }];
  const [first] = await currentEntities().findAll(OrganizationCopy, { orderBy, limit: 1 });
  return first?.id ?? context().orgId ?? fail('user.organizationMissing');
}

/**
 * Checks a changed login name against the rule; an unchanged one is accepted, whatever the rule was when it was given.
 */
export function newName(before: string, wanted: string): string {
  if (wanted === before) return before;
  const name = toLoginName(wanted);
  const fault = loginNameFault(name);
  if (fault) failAt('username', fault);
  return name;
}

/** Users may not change their own permissions; another administrator has to. */
export function onlyOwnFacts(before: KnownUser, body: UserFields): void {
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.length === b.length && a.every((x) => b.includes(x));
  if (
    !same(
      before.roles.map((r) => r.id),
      [...new Set(body.roleIds)],
    ) ||
    before.allOrgs !== body.allOrgs ||
    (!body.allOrgs &&
      !same(
        before.orgs.map((o) => o.id),
        [...new Set(body.orgIds)],
      )) ||
    (body.accountType ?? before.accountType) !== before.accountType
  )
    fail('user.notYourself');
}
