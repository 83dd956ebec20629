import { currentSql } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { context } from '@carillon/tenancy';

/** Whether something may belong to an organization: it is there, and the user sees it. */
export async function seesOrganization(id: string): Promise<boolean> {
  const { orgId, orgIds } = context();
  if (orgIds !== '*') return orgIds.includes(id);
  // Who sees all organizations names any by its id; their own came with their rights.
  return id === orgId || (await currentSql().query('select 1 from organization_copy where id = $1', [id])).rowCount > 0;
}

/** The organization that something new belongs to: the one that was named, or the user's own. */
export async function organizationFor(named: string | undefined): Promise<string> {
  const id = named ?? context().orgId;
  if (!id || !(await seesOrganization(id))) fail('common.notFound');
  return id;
}
