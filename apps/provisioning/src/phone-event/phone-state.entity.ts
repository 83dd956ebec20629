import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';
import type { ReportedLine } from './phone-line.ts';

/** The lines of a phone as its events told of them; its id is the device's. */
export const PhoneState = defineEntity({
  name: 'PhoneState',
  tableName: 'phone_state',
  indexes: [
    {
      name: 'phone_state_calls',
      expression: 'create index phone_state_calls on phone_state (calls_until) where calls_until is not null',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** The owner whose phone told it; that of another one starts with nothing. */
    ownerEpoch: p.integer(),
    lines: p.json<ReportedLine[]>(),
    /** When its calls count as ended although it has not said so; null without a call. */
    callsUntil: instant().nullable(),
  },
});
