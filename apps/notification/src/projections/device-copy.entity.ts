import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Copy of the device fields that an alarm shows, and of its organization. */
const DeviceCopySchema = defineEntity({
  name: 'DeviceCopy',
  tableName: 'device_copy',
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    siteId: p.uuid().strictNullable(),
    ownerEpoch: p.integer(),
    enabled: p.boolean(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class DeviceCopy extends DeviceCopySchema.class {}
DeviceCopySchema.setClass(DeviceCopy);
