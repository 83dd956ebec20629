import { mostOfAll } from '@carillon/contracts';
import { companySession, currentSql, transaction, type Database } from '@carillon/persistence';
import { publishState } from './state.ts';

export interface SeedCompany {
  companyId: string;
  name: string;
  /** The first organization, where users and devices go when none is named. */
  orgId: string;
  organizationName: string;
  /** `operator` runs the installation; a company type of the spec's section 6 otherwise. */
  type?: string;
}

/** A company with its first organization. Answers false, and changes nothing, when it is there already. */
export async function seedCompany(database: Database, seed: SeedCompany): Promise<boolean> {
  return transaction(database, companySession(seed.companyId), async () => {
    const sql = currentSql();
    const made = await sql.query(
      `
        insert into company (
          id, company_id, name, path, type, status, create_sub_limit, fcs_limit, license_granting, fcs_enabled,
          local_sync, version, created_at, updated_at
        )
        values ($1, $1, $2, $3, $4, 'normal', $5, $5, true, true, true, 1, now(), now())
        on conflict (id) do nothing
        returning id
      `,
      [seed.companyId, seed.name, `/${seed.companyId}/`, seed.type ?? 'enterprise', mostOfAll],
    );
    if (made.rows.length === 0) return false;
    await sql.query(
      `
        insert into organization (id, company_id, name, description, version, updated_at)
        values ($1, $2, $3, '', 1, now())
      `,
      [seed.orgId, seed.companyId, seed.organizationName],
    );
    await publishState([seed.companyId, seed.orgId]);
    return true;
  });
}
