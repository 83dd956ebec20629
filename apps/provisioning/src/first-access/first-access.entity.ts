import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Whether a phone gets the configuration of a device by its MAC (EDGE-02); the id is the device's. */
export const FirstAccess = defineEntity({
  name: 'FirstAccess',
  tableName: 'first_access',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Until when it is let in; null: not without a known network or a certificate. */
    openUntil: instant().strictNullable(),
    /** The only network that it is let in from; null: any. */
    network: p.string().length(64).strictNullable(),
    /** When the device first used its own address, which ends the first access until it is opened again. */
    endedAt: instant().strictNullable(),
  },
});

/** A phone that asks for a device by its MAC and is not let in, once for each network. */
export const FirstAsk = defineEntity({
  name: 'FirstAsk',
  tableName: 'first_ask',
  indexes: [
    {
      name: 'first_ask_network',
      expression: 'create unique index first_ask_network on first_ask (device_id, network)',
    },
    { name: 'first_ask_company', expression: 'create index first_ask_company on first_ask (company_id, last_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    deviceId: p.uuid(),
    network: p.string().length(64),
    address: p.string().length(45),
    userAgent: p.string().length(256),
    times: p.integer(),
    lastAt: instant(3),
  },
});

/** A network from which phones of the company used their own addresses for the first time. */
export const KnownNetwork = defineEntity({
  name: 'KnownNetwork',
  tableName: 'known_network',
  indexes: [
    {
      name: 'known_network_once',
      expression: 'create unique index known_network_once on known_network (company_id, network)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, network: p.string().length(64), lastAt: instant() },
});
