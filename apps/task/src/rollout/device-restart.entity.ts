import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant } from '@carillon/persistence';

/**
 * When a device last crashed and restarted while a task of its company watched devices between two stages; not recorded
 * at other times.
 */
export const DeviceRestart = defineEntity({
  name: 'DeviceRestart',
  tableName: 'device_restart',
  properties: {
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    startedAt: instant(),
  },
  ...tenant(),
});
