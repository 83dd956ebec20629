import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant } from '@carillon/persistence';

/**
 * When a device last fell and started anew, while a task of its company watched its devices between two stages: at
 * other times nobody asks.
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
