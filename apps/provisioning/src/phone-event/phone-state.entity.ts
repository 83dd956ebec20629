import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';
import type { ToldLine } from './phone-line.ts';

/** The lines of a phone as its events told of them; its id is the device's. */
export const PhoneState = defineEntity({
  name: 'PhoneState',
  tableName: 'phone_state',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** The owner whose phone told it; that of another one starts with nothing. */
    ownerEpoch: p.integer(),
    lines: p.json<ToldLine[]>(),
  },
});
