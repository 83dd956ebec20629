import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ConfigOutcome } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Requests of a device for one file with one outcome (EDGE-02), counted: phones repeat the same ones for years. */
const ConfigRequestSchema = defineEntity({
  name: 'ConfigRequest',
  tableName: 'config_request',
  indexes: [
    {
      name: 'config_request_file',
      expression: 'create unique index config_request_file on config_request (device_id, file, outcome)',
    },
    { name: 'config_request_last', expression: 'create index config_request_last on config_request (last_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    deviceId: p.uuid(),
    file: p.string().length(64),
    outcome: p.string().$type<ConfigOutcome>().length(16),
    userAgent: p.string().length(256),
    /** IP address of the last one. */
    address: p.string().length(45),
    times: p.integer(),
    firstAt: instant(3),
    lastAt: instant(3),
  },
});
export class ConfigRequest extends ConfigRequestSchema.class {}
ConfigRequestSchema.setClass(ConfigRequest);
