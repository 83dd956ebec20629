import { mostOfAll } from '@carillon/contracts';
import { companySession, currentSql, transaction, type Database } from '@carillon/persistence';
import { publishCompanies } from './org.publisher.ts';

export interface SeedCompany {
  companyId: string;
  name: string;
  /** The first organization, which takes users and devices when none is named. */
  orgId: string;
  organizationName: string;
  /** `operator` for the company that runs the installation, otherwise a company type (CHN-01). */
  type?: string;
}

/** Creates a company with its first organization. Returns false and changes nothing when it exists already. */
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
    await publishCompanies([seed.companyId, seed.orgId]);
    return true;
  });
}
