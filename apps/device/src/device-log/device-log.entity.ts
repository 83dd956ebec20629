import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeviceLogKind } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** An event of a device, visible to users who see the organization that it was in at that time (SYS-05). */
export const DeviceLog = defineEntity({
  name: 'DeviceLog',
  tableName: 'device_log',
  indexes: [
    {
      name: 'device_log_device_at',
      expression:
        'create index device_log_device_at on device_log (device_id, at, id) include (company_id, org_id, kind)',
    },
    {
      name: 'device_log_company_at',
      expression: 'create index device_log_company_at on device_log (company_id, at, id) include (org_id, kind)',
    },
    {
      name: 'device_log_end',
      expression:
        "create index device_log_end on device_log (company_id, mac, at desc) where kind in ('deleted', 'handedOver')",
    },
    { name: 'device_log_at', expression: 'create index device_log_at on device_log using brin (at)' },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    deviceId: p.uuid(),
    mac: p.string().length(12),
    at: instant(3),
    kind: p.string().$type<DeviceLogKind>().length(32),
    detail: p.json<Record<string, unknown>>(),
  },
});
