import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ReasonValues } from '@carillon/actions';
import type { DeviceTarget, TaskRecord, TaskStatus } from '@carillon/contracts';
import type { Context } from '@carillon/tenancy';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

export const Task = defineEntity({
  name: 'Task',
  tableName: 'task',
  indexes: [
    { name: 'task_unexpanded', expression: 'create index task_unexpanded on task (created_at) where (NOT expanded)' },
  ],
  properties: {
    ...tenantProperties,
    /** For people: rises by one in a company. */
    number: p.integer(),
    name: p.string().length(64),
    action: p.string().length(64),
    type: p.string().$type<TaskRecord['type']>().length(16),
    status: p.string().$type<TaskStatus>().length(16),
    params: p.json<Record<string, unknown>>(),
    target: p.json<DeviceTarget>(),
    /** The access under which it was ordered, and runs. */
    access: p.json<Pick<Context, 'userId' | 'username' | 'orgIds'>>(),
    /** The last device that has its row; expansion goes on behind it after a crash. */
    expandedTo: p.uuid().strictNullable(),
    expanded: p.boolean(),
    total: p.integer(),
    success: p.integer(),
    fail: p.integer(),
    timeout: p.integer(),
    cancel: p.integer(),
    process: p.integer(),
    wait: p.integer(),
    creatorId: p.uuid(),
    creatorName: p.string().length(128),
    traceparent: p.string().length(64).strictNullable(),
    createdAt: instant(),
    startedAt: instant().strictNullable(),
    endedAt: instant().strictNullable(),
  },
  uniques: [{ properties: ['companyId', 'number'] }],
  // Seen by who ordered it and by who sees at least one device of it.
  ...tenant({ shared: { of: 'task', table: 'task_organization', column: 'task_id', owner: 'creator_id' } }),
});

/**
 * The sums of a task in one organization. They decide who sees the task, and are what he is told of it: the whole
 * task's would tell of devices that he does not see. In one row for each organization, because that is asked of every
 * task of a list, and a hundred thousand rows of devices could not be counted for it.
 */
export const TaskOrganization = defineEntity({
  name: 'TaskOrganization',
  tableName: 'task_organization',
  indexes: [
    {
      name: 'task_organization_org',
      expression: 'create index task_organization_org on task_organization (org_id, task_id)',
    },
  ],
  properties: {
    taskId: p.uuid().primary(),
    orgId: p.uuid().primary(),
    companyId: p.uuid(),
    total: p.integer(),
    success: p.integer(),
    fail: p.integer(),
    timeout: p.integer(),
    cancel: p.integer(),
    process: p.integer(),
    wait: p.integer(),
  },
  ...tenant({ organization: true }),
});

/** One device of a task, and the one command that it gets. */
export const TaskDevice = defineEntity({
  name: 'TaskDevice',
  tableName: 'task_device',
  indexes: [
    {
      name: 'task_device_waiting',
      expression: `
        create index task_device_waiting on task_device (device_id, task_id)
        where ((status)::text = 'wait'::text)
      `,
    },
    { name: 'task_device_status', expression: 'create index task_device_status on task_device (task_id, status)' },
    {
      name: 'task_device_in_flight',
      expression: `
        create unique index task_device_in_flight
        on task_device (device_id, (case when changes_device then device_id else task_id end))
        where status in ('process', 'downloadSuccess')
      `,
    },
    {
      name: 'task_device_history',
      expression: 'create index task_device_history on task_device (device_id, task_id desc)',
    },
    {
      name: 'task_device_expiry',
      expression: 'create index task_device_expiry on task_device (expires_at) where (ended_at is null)',
    },
    {
      name: 'task_device_deadline',
      expression: 'create index task_device_deadline on task_device (deadline_at) where (deadline_at is not null)',
    },
  ],
  properties: {
    taskId: p.uuid().primary(),
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    ownerEpoch: p.integer(),
    status: p.string().$type<TaskStatus>().length(16),
    commandId: p.uuid().unique(),
    progress: p.integer().strictNullable(),
    /** False: it is sent beside whatever the device does. */
    changesDevice: p.boolean().default(true),
    /** Why it ended so: the platform's reason, or the device's. */
    code: p.string().length(64).strictNullable(),
    codeValues: p.json<ReasonValues>().strictNullable(),
    message: p.string().length(512).strictNullable(),
    sentAt: instant().strictNullable(),
    /** Epoch of the connection that it was last sent into: a newer one gets it again. */
    sentEpoch: p.bigint('number').strictNullable(),
    acceptedAt: instant().strictNullable(),
    /** When an online device has had its time. */
    deadlineAt: instant().strictNullable(),
    expiresAt: instant(),
    endedAt: instant().strictNullable(),
    updatedAt: instant(),
  },
  ...tenant({ organization: true }),
});

/** Last number given in a company. */
export const TaskNumber = defineEntity({
  name: 'TaskNumber',
  tableName: 'task_number',
  properties: { companyId: p.uuid().primary(), last: p.integer() },
  ...tenant(),
});

/** What a task may tell at once (TASK-07): refilled with time, taken by each sending. */
export const TaskRate = defineEntity({
  name: 'TaskRate',
  tableName: 'task_rate',
  properties: {
    taskId: p.uuid().primary(),
    companyId: p.uuid(),
    rest: p.double(),
    given: p.integer(),
    at: instant(),
    /** The device behind which the pass over its rows goes on, and when it last went on. */
    walked: p.uuid().strictNullable(),
    walkedAt: instant().strictNullable(),
  },
  ...tenant(),
});
