import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Copy of the device fields that a task needs to find, check and later name a device. */
export const DeviceCopy = defineEntity({
  name: 'DeviceCopy',
  tableName: 'device_copy',
  indexes: [
    {
      name: 'device_copy_company_name',
      expression: 'create index device_copy_company_name on device_copy (company_id, name, id)',
    },
    { name: 'device_copy_mac', expression: 'create index device_copy_mac on device_copy (mac)' },
  ],
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    sn: p.string().length(128),
    firmware: p.string().length(128).strictNullable(),
    internalIp: p.string().length(64).strictNullable(),
    capabilities: p.json<string[]>(),
    configured: p.boolean(),
    configFailed: p.boolean(),
    configVersion: p.string().length(128).strictNullable(),
    configDrifted: p.boolean().default(false),
    failedLines: p.integer(),
    ownerEpoch: p.integer(),
    siteId: p.uuid().strictNullable(),
    enabled: p.boolean().default(true),
    groupIds: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    doorCount: p.integer().strictNullable(),
    tags: p.json<Record<string, string>>().defaultRaw(`'{}'`),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant({ organization: true }),
});
