import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A file of devices that somebody ordered. It sees what he saw when he ordered it. */
export const DeviceExport = defineEntity({
  name: 'DeviceExport',
  tableName: 'device_export',
  indexes: [
    {
      name: 'device_export_due',
      expression: `create index device_export_due on device_export (lease_until) where status = 'process'`,
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    orgIds: p.json(),
    wanted: p.json(),
    status: p.string().length(16),
    done: p.integer(),
    total: p.integer(),
    leaseUntil: instant(),
    createdAt: instant(3),
  },
});

export const DeviceExportPart = defineEntity({
  name: 'DeviceExportPart',
  tableName: 'device_export_part',
  indexes: [
    {
      name: 'device_export_part_export',
      expression: 'create index device_export_part_export on device_export_part (export_id, number)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, exportId: p.uuid(), number: p.integer(), bytes: p.blob().$type<Buffer>() },
});
