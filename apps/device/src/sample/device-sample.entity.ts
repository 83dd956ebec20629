import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, nilUuid, tenant, tenantProperties } from '@carillon/persistence';

/** Stands for "no site" in the counts. */
export const noSite = nilUuid;

/** Counts of devices and lines by state, per organization and site and per quarter of an hour. */
export const DeviceSample = defineEntity({
  name: 'DeviceSample',
  tableName: 'device_sample',
  indexes: [
    {
      name: 'device_sample_once',
      expression: 'create unique index device_sample_once on device_sample (org_id, site_id, at)',
    },
    {
      name: 'device_sample_company_at',
      expression: 'create index device_sample_company_at on device_sample (company_id, at)',
    },
    { name: 'device_sample_at', expression: 'create index device_sample_at on device_sample using brin (at)' },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    orgId: p.uuid(),
    siteId: p.uuid(),
    at: instant(3),
    online: p.integer(),
    offline: p.integer(),
    abnormal: p.integer(),
    notConfigured: p.integer(),
    registered: p.integer(),
    failed: p.integer(),
  },
});
