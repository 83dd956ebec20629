import { defineEntity, p } from '@mikro-orm/postgresql';
import type { getDeviceExport, RouteReturn } from '@carillon/contracts';
import { createdInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { Wanted } from './cells.ts';

type ExportStatus = RouteReturn<typeof getDeviceExport>['status'];

/** A file of devices that somebody ordered. It sees what they saw when they ordered it. */
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
    orgIds: p.json<readonly string[] | '*'>(),
    wanted: p.json<Wanted>(),
    status: p.string().$type<ExportStatus>().length(16),
    done: p.integer(),
    total: p.integer(),
    /** When a writer may take it: at once, or when the one that has it must be dead. */
    leaseUntil: createdInstant(),
    createdAt: createdInstant(3),
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
