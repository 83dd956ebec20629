import { orgChannelAddress, orgCompany, orgOrganization, orgSite } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { column, columns, computed, currentSql, platform, type Database } from '@carillon/persistence';
import { ChannelAddress } from './channel-address/channel-address.entity.ts';
import { Company } from './company/company.entity.ts';
import { Organization } from './organization/organization.entity.ts';
import { Site, segmentsSql } from './site/site.entity.ts';

const company = columns(
  Company,
  'c',
  [
    'id',
    'name',
    'parentId',
    'path',
    'type',
    'status',
    'createSubLimit',
    'licenseGranting',
    'fcsEnabled',
    'localSync',
    'fcsUsed',
    'fcsUrl',
    'fcsDomain',
    'version',
  ],
  { fcsTotal: column(Company, 'c', 'fcsLimit'), fcsLimit: computed<number>('c.fcs_limit - c.fcs_given') },
);
const address = columns(ChannelAddress, 'a', ['id', 'companyId', 'version']);
const organization = columns(Organization, 'o', ['id', 'companyId', 'name', 'description', 'updatedAt', 'version']);
const site = columns(
  Site,
  's',
  ['id', 'companyId', 'parentId', 'name', 'autoAssign', 'downloadMbit', 'timeZone', 'version'],
  {
    segments: computed<string[]>(segmentsSql('s')),
  },
);

/** Publishes these companies and organizations; without ids all that the session sees. */
export async function publishCompanies(ids?: readonly string[]): Promise<void> {
  const sql = currentSql();
  const companies = await sql.rows(
    company,
    `select ${company} from company c where $1::uuid[] is null or c.id = any($1)`,
    [ids ?? null],
  );
  for (const { version, parentId, ...view } of companies)
    await emit(
      orgCompany,
      'company',
      view.id,
      { ...view, ...(parentId === null ? {} : { parentId }) },
      { companyId: view.id, version },
    );
  const organizations = await sql.rows(
    organization,
    `select ${organization} from organization o where $1::uuid[] is null or o.id = any($1)`,
    [ids ?? null],
  );
  for (const { version, ...view } of organizations)
    await emit(orgOrganization, 'organization', view.id, view, { companyId: view.companyId, version });
}

/** Publishes sites in the same way. */
export async function publishSites(ids?: readonly string[]): Promise<void> {
  const sites = await currentSql().rows(site, `select ${site} from site s where $1::uuid[] is null or s.id = any($1)`, [
    ids ?? null,
  ]);
  for (const { version, ...view } of sites)
    await emit(orgSite, 'site', view.id, view, { companyId: view.companyId, version });
}

/** Publishes channel addresses in the same way. */
export async function publishAddresses(ids?: readonly string[]): Promise<void> {
  const addresses = await currentSql().rows(
    address,
    `select ${address} from channel_address a where $1::uuid[] is null or a.id = any($1)`,
    [ids ?? null],
  );
  for (const { version, ...view } of addresses)
    await emit(orgChannelAddress, 'channelAddress', view.id, view, { companyId: view.companyId, version });
}

/** Implements `state:republish`, for a new or damaged copy. */
export function republishState(database: Database): Promise<void> {
  return platform(database, 'republish all companies, organizations, sites and channel addresses', async () => {
    await publishCompanies();
    await publishSites();
    await publishAddresses();
  });
}
