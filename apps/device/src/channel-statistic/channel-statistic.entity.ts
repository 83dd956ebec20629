import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * Sums of a channel's devices, stored for its parent company: the row's id is the channel's, its tenant the parent, so
 * that a parent reads sums and no policy lets it see a device.
 */
export const ChannelStatistic = defineEntity({
  name: 'ChannelStatistic',
  tableName: 'channel_statistic',
  indexes: [
    {
      name: 'channel_statistic_company',
      expression: 'create index channel_statistic_company on channel_statistic (company_id)',
    },
  ],
  properties: {
    ...tenantProperties,
    devices: p.integer(),
    online: p.integer(),
    offline: p.integer(),
    abnormal: p.integer(),
    notConfigured: p.integer(),
    /** Devices of all companies below the channel together. */
    below: p.integer(),
    belowAbnormal: p.integer(),
    belowOffline: p.integer(),
  },
  ...tenant(),
});
