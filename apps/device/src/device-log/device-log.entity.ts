import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** One thing that happened to a device, seen by who may see the organization that it was in then (SYS-05). */
export const DeviceLog = defineEntity({
  name: 'DeviceLog',
  tableName: 'device_log',
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    deviceId: p.uuid(),
    mac: p.string().length(12),
    at: p.datetime(3),
    kind: p.string().length(32),
    detail: p.json(),
  },
});
