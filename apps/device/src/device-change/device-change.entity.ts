import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeviceChangeState, RouteReturn, addDeviceChange } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { createdInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { Context } from '@carillon/tenancy';

type ChangeRecord = RouteReturn<typeof addDeviceChange>;

/** The identity under which a change runs: the user who ordered it, with what they saw at that time. */
export type ChangeAccess = Pick<Context, 'userId' | 'username' | 'orgIds' | 'orgId' | 'language'> & { allOrgs?: true };
/** The new values, checked when the change was ordered. */
export interface ChangeSet {
  model?: string;
  orgId?: string;
  siteId?: string | null;
  serverId?: string;
}

/** A change of many devices that a user ordered. */
export const DeviceChange = defineEntity({
  name: 'DeviceChange',
  tableName: 'device_change',
  indexes: [
    {
      name: 'device_change_due',
      expression: `create index device_change_due on device_change (lease_until) where status = 'process'`,
    },
    { name: 'device_change_user', expression: 'create index device_change_user on device_change (user_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    access: p.json<ChangeAccess>(),
    kind: p.string().$type<ChangeRecord['kind']>().length(16),
    set: p.json<ChangeSet>(),
    /** The new values by their names at that time. */
    names: p.json<ChangeRecord['set']>(),
    status: p.string().$type<ChangeRecord['status']>().length(16),
    total: p.integer(),
    done: p.integer(),
    unchanged: p.integer(),
    failed: p.integer(),
    /** When a process may take the change: at once, or when the process that has it must be dead. */
    leaseUntil: createdInstant(),
    createdAt: createdInstant(3),
  },
});

/** A device of a change and its outcome. */
export const DeviceChangeRow = defineEntity({
  name: 'DeviceChangeRow',
  tableName: 'device_change_row',
  indexes: [
    {
      name: 'device_change_row_state',
      expression: 'create index device_change_row_state on device_change_row (change_id, state, device_id)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    changeId: p.uuid(),
    deviceId: p.uuid(),
    name: p.string().length(64),
    mac: p.string().length(12),
    state: p.string().$type<DeviceChangeState>().length(16),
    error: p.string().$type<ErrorKey>().length(64).strictNullable(),
  },
});
