import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A phone that uses its own address over HTTP; its id is the device's. It is online until it is silent for too long. */
export const PhoneSession = defineEntity({
  name: 'PhoneSession',
  tableName: 'phone_session',
  indexes: [
    {
      name: 'phone_session_seen',
      expression: 'create index phone_session_seen on phone_session (seen_at) where online',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    mac: p.string().length(12),
    ownerEpoch: p.integer(),
    /** Rises with each start of the phone, in seconds (docs/adr/0044-phone-sessions.md). */
    epoch: p.bigint('number'),
    online: p.boolean(),
    /** When it asked last, to the minute. */
    seenAt: instant(),
    maker: p.string().length(32),
    firmware: p.string().length(128).nullable(),
    /** IP address from which it asks. */
    address: p.string().length(45),
    /** IP address that it told when it started. */
    ownAddress: p.string().length(45).nullable(),
  },
});
