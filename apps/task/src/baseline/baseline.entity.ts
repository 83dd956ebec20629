import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * The firmware that the devices of a model, a site or a group, or one device, must have (STORE-07). It belongs to the
 * whole company.
 */
const BaselineSchema = defineEntity({
  name: 'Baseline',
  tableName: 'baseline',
  indexes: [
    {
      name: 'baseline_name',
      expression: 'create unique index baseline_name on baseline (company_id, lower((name)::text))',
    },
    { name: 'baseline_look', expression: 'create index baseline_look on baseline (look_at) where active' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    firmwareId: p.uuid(),
    /** Exactly one of the four is set. */
    mac: p.string().length(12).strictNullable(),
    model: p.string().length(128).strictNullable(),
    siteId: p.uuid().strictNullable(),
    groupId: p.uuid().strictNullable(),
    active: p.boolean(),
    /** Its daily window in the time zone; null: at any time. */
    fromLocal: p.string().length(5).strictNullable(),
    toLocal: p.string().length(5).strictNullable(),
    timeZone: p.string().length(64).strictNullable(),
    /** Who saved it last: it upgrades with their permissions. */
    creatorId: p.uuid(),
    creatorName: p.string().length(128),
    /** Earlier failures are ignored. */
    retriedAt: instant(3),
    /** When a process next checks whether a device is behind. */
    lookAt: instant(3),
    updatedAt: changedInstant(3),
  },
});
export class Baseline extends BaselineSchema.class {}
BaselineSchema.setClass(Baseline);
