import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '@carillon/persistence';

/**
 * A device of a maker's delivery list, with what is printed on its label. It belongs to no company: the code proves
 * whose the MAC is (docs/adr/0047).
 */
export const DeliveredDevice = defineEntity({
  name: 'DeliveredDevice',
  tableName: 'delivered_device',
  indexes: [
    {
      name: 'delivered_device_mac',
      expression: 'create unique index delivered_device_mac on delivered_device (mac)',
    },
    {
      name: 'delivered_device_imported',
      expression: 'create index delivered_device_imported on delivered_device (imported_at desc, mac)',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    mac: p.string().length(12),
    sn: p.string().length(64),
    /** The claim code as a keyed hash, bound to the MAC. */
    codeHash: p.string().length(64),
    /** When a company used the code; it works once. */
    claimedAt: instant().strictNullable(),
    /** The company that used it; null as well for codes that were used before this was recorded. */
    claimedBy: p.uuid().strictNullable(),
    /** When a list last named the device with other data than before. */
    importedAt: instant(),
  },
});
