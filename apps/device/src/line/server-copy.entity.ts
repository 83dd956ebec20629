import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** SIP servers for devices (DEV-02). They belong to the whole company. */
export const ServerCopy = defineEntity({
  name: 'ServerCopy',
  tableName: 'server_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    address: p.string().length(253),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
