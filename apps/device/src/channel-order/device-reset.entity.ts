import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * A device that changed hands after it was in use, and still has the data of the company that gave it away: it is reset
 * at its next contact, whichever secret it connects with. The id is that of the command. One for each MAC, written only
 * inside of `platform()`.
 */
export const DeviceReset = defineEntity({
  name: 'DeviceReset',
  tableName: 'device_reset',
  indexes: [
    { name: 'device_reset_mac', expression: 'create unique index device_reset_mac on device_reset (mac)' },
    { name: 'device_reset_since', expression: 'create index device_reset_since on device_reset (since)' },
  ],
  properties: { ...tenantProperties, deviceId: p.uuid(), mac: p.string().length(12), since: instant() },
  ...tenant(),
});
