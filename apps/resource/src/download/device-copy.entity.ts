import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Copy of what decides whether and how fast a device may load a file, and which firmware is in use. */
const DeviceCopySchema = defineEntity({
  name: 'DeviceCopy',
  tableName: 'device_copy',
  indexes: [{ name: 'device_copy_model', expression: 'create index device_copy_model on device_copy (model)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    model: p.string().length(128),
    firmware: p.string().length(128).strictNullable(),
    /** Its previous firmware, to which it may have to roll back. */
    previousFirmware: p.string().length(128).strictNullable(),
    ownerEpoch: p.integer(),
    siteId: p.uuid().strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class DeviceCopy extends DeviceCopySchema.class {}
DeviceCopySchema.setClass(DeviceCopy);
