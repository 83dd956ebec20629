import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ConfigWay } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';
import type { ConfigSources } from '../device-config/device-config.entity.ts';

/** A configuration that a device reported, from when and until when. The last one of a device has no end. */
export const ConfigPeriod = defineEntity({
  name: 'ConfigPeriod',
  tableName: 'config_period',
  indexes: [
    {
      name: 'config_period_open',
      expression: 'create unique index config_period_open on config_period (device_id) where (until_at is null)',
    },
    {
      name: 'config_period_device',
      expression: 'create index config_period_device on config_period (device_id, from_at desc)',
    },
    { name: 'config_period_content', expression: 'create index config_period_content on config_period (content_id)' },
    { name: 'config_period_until', expression: 'create index config_period_until on config_period (until_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    deviceId: p.uuid(),
    /** As the device reported it: any text. */
    version: p.string().length(128),
    /** Null for a configuration that was not made here, such as a file. */
    contentId: p.uuid().strictNullable(),
    sources: p.json<ConfigSources>().strictNullable(),
    way: p.string().$type<ConfigWay>().length(8),
    fromAt: instant(3),
    untilAt: instant(3).strictNullable(),
  },
});
