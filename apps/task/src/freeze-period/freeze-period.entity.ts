import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/** A time in which no task changes devices of a company or of some sites (TASK-12). It belongs to the whole company. */
const FreezePeriodSchema = defineEntity({
  name: 'FreezePeriod',
  tableName: 'freeze_period',
  indexes: [
    {
      name: 'freeze_period_end',
      expression: 'create index freeze_period_end on freeze_period (company_id, ends_at)',
    },
    {
      name: 'freeze_period_to_thaw',
      expression: 'create index freeze_period_to_thaw on freeze_period (ends_at) where (NOT thawed)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    /** Empty: the whole company. */
    siteIds: p.array().columnType('uuid[]'),
    /** In the clock of its zone, as entered, and the corresponding instants. */
    beginLocal: p.string().length(16),
    endLocal: p.string().length(16),
    timeZone: p.string().length(64),
    beginsAt: instant(3),
    endsAt: instant(3),
    /** Whether commands that waited for its end were looked for. */
    thawed: p.boolean(),
    updatedAt: changedInstant(3),
  },
});
export class FreezePeriod extends FreezePeriodSchema.class {}
FreezePeriodSchema.setClass(FreezePeriod);
