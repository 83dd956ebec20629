import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeltaOrderState, FirmwarePath } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { createdInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * A differential package that is to be made. It is the company's of who ordered it; with the package it goes, and what
 * could not be made stays until somebody deletes it or orders it anew.
 */
const DeltaOrderSchema = defineEntity({
  name: 'DeltaOrder',
  tableName: 'delta_order',
  indexes: [
    {
      name: 'delta_order_due',
      expression: `create index delta_order_due on delta_order (created_at) where state <> 'failed'`,
    },
    {
      name: 'delta_order_from',
      expression: `create unique index delta_order_from on delta_order (firmware_id, lower((version)::text))`,
    },
    { name: 'delta_order_source', expression: 'create index delta_order_source on delta_order (from_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    path: p.string().$type<FirmwarePath>().length(16),
    firmwareId: p.uuid(),
    fromId: p.uuid(),
    /** The version that it is from. */
    version: p.string().length(32),
    state: p.string().$type<DeltaOrderState>().length(16),
    /** Percent. */
    progress: p.integer(),
    /** How often it was begun: one that ends its process does not do so for ever. */
    tries: p.integer(),
    error: p.string().$type<ErrorKey>().length(64).strictNullable(),
    values: p.json<Record<string, string | number>>(),
    /** When a process may take it: at once, or when the one that has it must be dead. */
    leaseUntil: instant(3),
    createdAt: createdInstant(3),
  },
});
export class DeltaOrder extends DeltaOrderSchema.class {}
DeltaOrderSchema.setClass(DeltaOrder);
