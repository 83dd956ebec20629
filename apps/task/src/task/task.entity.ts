import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ActionFile, ReasonValues } from '@carillon/actions';
import type {
  TaskHealth,
  TaskPace,
  TaskRecord,
  TaskRollout,
  TaskRunRecord,
  TaskSchedule,
  TaskStatus,
  VersionRange,
} from '@carillon/contracts';
import type { Context } from '@carillon/tenancy';
import type { Approval } from '../approval/approval.entity.ts';
import type { TaskTarget } from '../dispatch/target.ts';
import type { StageBase } from '../rollout/stage.ts';
import { instant, seesAllSql, tenant, tenantProperties } from '@carillon/persistence';

export const Task = defineEntity({
  name: 'Task',
  tableName: 'task',
  indexes: [
    {
      name: 'task_unexpanded',
      expression: 'create index task_unexpanded on task (created_at) where ((NOT expanded) and (runs > 0))',
    },
    {
      name: 'task_rollout',
      expression: `
        create index task_rollout on task (company_id)
        where ((rollout is not null) and (ended_at is null))
      `,
    },
    { name: 'task_due', expression: 'create index task_due on task (due_at) where (due_at is not null)' },
    {
      name: 'task_baseline',
      expression: 'create index task_baseline on task (baseline_id) where (baseline_id IS NOT NULL)',
    },
    {
      name: 'task_order',
      expression: `
        create unique index task_order on task (creator_id, order_id)
        where (order_id IS NOT NULL)
      `,
    },
    {
      name: 'task_asked',
      expression: `create index task_asked on task (company_id) where ((approval ->> 'state'::text) = 'asked'::text)`,
    },
    { name: 'task_rollback', expression: 'create index task_rollback on task (id) where rollback_due' },
    { name: 'task_going', expression: 'create index task_going on task (company_id) where (ended_at IS NULL)' },
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
    target: p.json<TaskTarget>(),
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
    schedule: p.json<TaskSchedule>().defaultRaw(`'{"type":"now"}'`),
    /** In whose clock the schedule is. */
    timeZone: p.string().length(64).default('Etc/UTC'),
    durationMinutes: p.integer().strictNullable(),
    sync: p.integer().default(0),
    versionRange: p.json<VersionRange>().strictNullable(),
    beginAt: instant().defaultRaw('now()'),
    endAt: instant().strictNullable(),
    /** When it runs next; a run may go on meanwhile. */
    dueAt: instant().strictNullable(),
    /** Number of the run that goes on or was the last. The sums, and when it started and ended, are of that. */
    runs: p.integer().default(1),
    /** Due times that passed unused. */
    missed: p.integer().default(0),
    windowEndsAt: instant().strictNullable(),
    /** Its stages, the one that goes on, and up to which place each goes. */
    rollout: p.json<TaskRollout>().strictNullable(),
    stage: p.integer().default(1),
    stageCuts: p.json<number[]>().strictNullable(),
    stageBase: p.json<StageBase>().strictNullable(),
    planned: p.integer().strictNullable(),
    pausedAt: instant().strictNullable(),
    pausedFor: p.string().$type<NonNullable<TaskRecord['pausedFor']>>().length(16).strictNullable(),
    /** What the gate behind a stage sees. */
    health: p.json<TaskHealth>().strictNullable(),
    creatorId: p.uuid(),
    creatorName: p.string().length(128),
    traceparent: p.string().length(64).strictNullable(),
    createdAt: instant(),
    startedAt: instant().strictNullable(),
    endedAt: instant().strictNullable(),
    /** Freeze periods do not hold it (TASK-12). */
    overrideFreeze: p.boolean().default(false),
    /** What it brings to devices, as it was when it was ordered. */
    file: p.json<ActionFile>().strictNullable(),
    /** The same of a task that brings several; then there is no one file. */
    files: p.json<ActionFile[]>().strictNullable(),
    /** It has paused by itself, and its devices are still to go back. */
    rollbackDue: p.boolean().default(false),
    /** The baseline that began it (STORE-07). */
    baselineId: p.uuid().strictNullable(),
    /** Its creator's own id of the order, so that one that is sent twice is given once. */
    orderId: p.uuid().strictNullable(),
    /** How it paces itself: tries, spread, limits by site. */
    pace: p.json<TaskPace>().strictNullable(),
    /** What a second person is asked about it, and has said; null of a task that needs none. */
    approval: p.json<Approval>().strictNullable(),
    /** From so many devices on it needs one, by the rule of the day it was ordered; null: never. */
    approvalFrom: p.integer().strictNullable(),
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

/** One firing of a task, or one re-run. A due time fires once, whoever sees it first. */
export const TaskRun = defineEntity({
  name: 'TaskRun',
  tableName: 'task_run',
  properties: {
    taskId: p.uuid().primary(),
    run: p.integer().primary(),
    companyId: p.uuid(),
    cause: p.string().$type<TaskRunRecord['cause']>().length(16),
    /** All of the target, or the devices that failed or timed out in the run before. */
    devices: p.string().$type<'all' | 'failed'>().length(8),
    status: p.string().$type<TaskStatus>().length(16),
    dueAt: instant().strictNullable(),
    startedAt: instant(),
    endedAt: instant().strictNullable(),
  },
  uniques: [{ properties: ['taskId', 'dueAt'] }],
  ...tenant(),
  policies: [
    {
      name: 'organization',
      type: 'restrictive' as const,
      // Seen by who sees the task.
      using: `(${seesAllSql} or exists (select 1 from task seen where seen.id = task_run.task_id))`,
      check: `(${seesAllSql} or exists (select 1 from task seen where seen.id = task_run.task_id))`,
    },
  ],
});

/** The sums of an earlier run in one organization: those of the last one are in {@link TaskOrganization}. */
export const TaskRunOrganization = defineEntity({
  name: 'TaskRunOrganization',
  tableName: 'task_run_organization',
  properties: {
    taskId: p.uuid().primary(),
    run: p.integer().primary(),
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

/** Why a try of a device failed, and when. */
export interface FailedTry {
  at: string;
  code: string | null;
  message: string | null;
  values: ReasonValues | null;
}

/** One device of a task in one run, and the one command that it gets; of a task that tries again, one for each try. */
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
      name: 'task_device_busy',
      expression: `create index task_device_busy on task_device (task_id) where ((code)::text = 'busy'::text)`,
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
      name: 'task_device_paced',
      expression: `
        create index task_device_paced on task_device (not_before)
        where ((not_before is not null) and ((status)::text = 'wait'::text))
      `,
    },
    {
      name: 'task_device_site',
      expression: `
        create index task_device_site on task_device (task_id, site_id, device_id)
        where ((site_id is not null) and (ended_at is null))
      `,
    },
    {
      name: 'task_device_deadline',
      expression: 'create index task_device_deadline on task_device (deadline_at) where (deadline_at is not null)',
    },
  ],
  properties: {
    taskId: p.uuid().primary(),
    run: p.integer().primary().default(1),
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
    /** True: it is done when the device is back. */
    goesDown: p.boolean().default(false),
    /** Why it ended so: the platform's reason, or the device's. */
    code: p.string().length(64).strictNullable(),
    codeValues: p.json<ReasonValues>().strictNullable(),
    message: p.string().length(512).strictNullable(),
    sentAt: instant().strictNullable(),
    /** Epoch of the connection that it was last sent into: a newer one gets it again. */
    sentEpoch: p.bigint('number').strictNullable(),
    /**
     * Epoch of the connection that it was first sent into, or of the one whose hello showed `back`: who comes back has a
     * later one.
     */
    toldEpoch: p.bigint('number').strictNullable(),
    /** What its hello showed when it was back before it had answered: that it is done, or why it is not. */
    back: p.string().length(64).strictNullable(),
    /** The firmware that it reported when it was told. */
    versionBefore: p.string().length(128).strictNullable(),
    /** Which of several files it gets. */
    fileId: p.uuid().strictNullable(),
    /** Which try it is at; each has a command of its own. */
    tryNumber: p.integer().default(1),
    /** It waits until then: for its next try, or for its place in the spread. Who may be told has none. */
    notBefore: instant().strictNullable(),
    /** The tries that failed. */
    tried: p.json<FailedTry[]>().defaultRaw(`'[]'`),
    /** The site that it counts at, in a task that has limits by site. */
    siteId: p.uuid().strictNullable(),
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
