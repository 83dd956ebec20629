import { currentSql } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { context } from '@carillon/tenancy';

/** Returns whether the organization exists and the user sees it. */
export async function seesOrganization(id: string): Promise<boolean> {
  const { orgId, orgIds } = context();
  if (orgIds !== '*') return orgIds.includes(id);
  // A user who sees all organizations may name any; their own one came with their permissions.
  return id === orgId || (await currentSql().query('select 1 from organization_copy where id = $1', [id])).rowCount > 0;
}

/** Returns the organization for a new object: the given one, or the user's own. */
export async function organizationFor(named: string | undefined): Promise<string> {
  const id = named ?? context().orgId;
  if (!id || !(await seesOrganization(id))) fail('common.notFound');
  return id;
}
