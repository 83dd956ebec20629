import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ChannelOrderRecord, custodySteps } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A MAC that a company holds or has given to a channel: one order line per company, which stays with the giver. */
export const ChannelOrder = defineEntity({
  name: 'ChannelOrder',
  tableName: 'channel_order',
  indexes: [
    {
      name: 'channel_order_mac',
      expression: 'create unique index channel_order_mac on channel_order (company_id, mac)',
    },
    {
      name: 'channel_order_in',
      expression: 'create index channel_order_in on channel_order (company_id, in_at desc, mac)',
    },
    {
      name: 'channel_order_receiver',
      expression: 'create index channel_order_receiver on channel_order (receiver_id) where (receiver_id is not null)',
    },
    {
      name: 'channel_order_device',
      expression: 'create index channel_order_device on channel_order (device_id) where (device_id is not null)',
    },
  ],
  properties: {
    ...tenantProperties,
    mac: p.string().length(12),
    model: p.string().length(64),
    /** Number or name of the order. */
    order: p.string().length(64).fieldName('order_name'),
    source: p.string().$type<ChannelOrderRecord['source']>().length(16),
    /** The parent company's name at that time, when the MAC came from it. */
    from: p.string().length(128).fieldName('from_name').strictNullable(),
    status: p.string().$type<ChannelOrderRecord['status']>().length(16),
    inAt: instant(3),
    assignedAt: instant(3).strictNullable(),
    /** The channel that has the MAC, and its name. */
    receiverId: p.uuid().strictNullable(),
    receiver: p.string().length(128).strictNullable(),
    /** The company's device with this MAC, while it exists. */
    deviceId: p.uuid().strictNullable(),
  },
  ...tenant(),
});

/** A MAC's change of hands as one of the two companies saw it. Each company has its own row. */
export const Custody = defineEntity({
  name: 'Custody',
  tableName: 'custody',
  indexes: [{ name: 'custody_mac', expression: 'create index custody_mac on custody (company_id, mac, at desc)' }],
  properties: {
    ...tenantProperties,
    mac: p.string().length(12),
    step: p.string().$type<(typeof custodySteps)[number]>().length(16),
    /** The other company's name at that time. */
    company: p.string().length(128).fieldName('other_name').strictNullable(),
    at: instant(3),
  },
  ...tenant(),
});
