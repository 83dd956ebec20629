import { orgCompany, orgOrganization, orgSite } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { currentSql, iso, platform, type Database } from '@carillon/persistence';

interface CompanyRow {
  id: string;
  name: string;
  path: string;
  type: string;
  status: string;
  version: number;
}
interface OrganizationRow {
  id: string;
  companyId: string;
  name: string;
  description: string;
  updatedAt: string;
  version: number;
}

/** Tells the other services of these companies and organizations; absent ids: of all that the session sees. */
export async function publishState(ids?: readonly string[]): Promise<void> {
  const sql = currentSql();
  const companies = await sql.query<CompanyRow>(
    'select id, name, path, type, status, version from company where $1::uuid[] is null or id = any($1)',
    [ids ?? null],
  );
  for (const { version, ...view } of companies.rows)
    await emit(orgCompany, 'company', view.id, view, { companyId: view.id, version });
  const organizations = await sql.query<OrganizationRow>(
    `
      select id, company_id as "companyId", name, description, updated_at as "updatedAt", version
      from organization
      where $1::uuid[] is null or id = any($1)
    `,
    [ids ?? null],
  );
  for (const { version, updatedAt, ...view } of organizations.rows)
    await emit(
      orgOrganization,
      'organization',
      view.id,
      { ...view, updatedAt: iso(updatedAt) },
      { companyId: view.companyId, version },
    );
}

interface SiteRow {
  id: string;
  companyId: string;
  parentId: string | null;
  name: string;
  segments: string[];
  autoAssign: boolean;
  version: number;
}

/** The same of sites. */
export async function publishSites(ids?: readonly string[]): Promise<void> {
  const { rows } = await currentSql().query<SiteRow>(
    `
      select s.id, s.company_id as "companyId", s.parent_id as "parentId", s.name, s.auto_assign as "autoAssign",
        s.version,
        (
          select coalesce(array_agg(text(g.segment) order by g.segment), '{}')
          from site_segment g
          where g.site_id = s.id
        ) as segments
      from site s
      where $1::uuid[] is null or s.id = any($1)
    `,
    [ids ?? null],
  );
  for (const { version, ...view } of rows)
    await emit(orgSite, 'site', view.id, view, { companyId: view.companyId, version });
}

/** `state:republish`: for a new or damaged copy. */
export function republishState(database: Database): Promise<void> {
  return platform(database, 'republish all companies, organizations and sites', async () => {
    await publishState();
    await publishSites();
  });
}
