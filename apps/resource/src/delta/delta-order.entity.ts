import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeltaOrderState, FirmwarePath } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { createdInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * An ordered differential package. It belongs to the company of the user who ordered it and is deleted when the package
 * is made; a failed one stays until a user deletes or repeats it.
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
    /** The version that it starts from. */
    version: p.string().length(32),
    state: p.string().$type<DeltaOrderState>().length(16),
    /** Percent. */
    progress: p.integer(),
    /** Number of starts: limits an order that crashes its process. */
    tries: p.integer(),
    error: p.string().$type<ErrorKey>().length(64).strictNullable(),
    values: p.json<Record<string, string | number>>(),
    /** When a process may take it: at once, or when the current one must be dead. */
    leaseUntil: instant(3),
    createdAt: createdInstant(3),
  },
});
export class DeltaOrder extends DeltaOrderSchema.class {}
DeltaOrderSchema.setClass(DeltaOrder);
