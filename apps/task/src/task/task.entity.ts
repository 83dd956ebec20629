import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ActionFile, ReasonValues } from '@carillon/actions';
import type {
  TaskHealth,
  TaskNaming,
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
import type { SiteWindow } from '../schedule/site-window.ts';
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
    /** Number for users; counts up in a company. */
    number: p.integer(),
    /** What a user typed, or the product's name in the creator's language; filters and search use it. */
    name: p.string().length(64),
    /** What the product's own name is built from, for each reader in their language; null for a typed name. */
    naming: p.json<TaskNaming>().strictNullable(),
    action: p.string().length(64),
    type: p.string().$type<TaskRecord['type']>().length(16),
    status: p.string().$type<TaskStatus>().length(16),
    params: p.json<Record<string, unknown>>(),
    target: p.json<TaskTarget>(),
    /** The permissions of its order, with which it runs. */
    access: p.json<Pick<Context, 'userId' | 'username' | 'orgIds'>>(),
    /** The last device that has its row; after a crash the expansion continues behind it. */
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
    /** Time zone of the schedule. */
    timeZone: p.string().length(64).default('Etc/UTC'),
    durationMinutes: p.integer().strictNullable(),
    /** Its windows are in the time zones of sites. */
    inSiteZones: p.boolean().default(false),
    /** The local minute at which it runs next, for a task in the time zones of sites. */
    dueLocal: p.string().length(16).strictNullable(),
    /** The windows of the active or last run, the task's own zone among them; null for a run without them. */
    siteWindows: p.json<SiteWindow[]>().strictNullable(),
    sync: p.integer().default(0),
    versionRange: p.json<VersionRange>().strictNullable(),
    beginAt: instant().defaultRaw('now()'),
    endAt: instant().strictNullable(),
    /** When it runs next; a run may be active meanwhile. */
    dueAt: instant().strictNullable(),
    /** Number of the active or last run, to which the sums, start and end belong. */
    runs: p.integer().default(1),
    /** Due times that passed unused. */
    missed: p.integer().default(0),
    windowEndsAt: instant().strictNullable(),
    /** Its stages, the active one, and the upper place of each. */
    rollout: p.json<TaskRollout>().strictNullable(),
    stage: p.integer().default(1),
    stageCuts: p.json<number[]>().strictNullable(),
    stageBase: p.json<StageBase>().strictNullable(),
    /** When the next stage may begin, for a rollout that waits between its stages; set when a stage has passed. */
    nextStageAt: instant().strictNullable(),
    planned: p.integer().strictNullable(),
    pausedAt: instant().strictNullable(),
    pausedFor: p.string().$type<NonNullable<TaskRecord['pausedFor']>>().length(16).strictNullable(),
    /** State of the gate behind a stage. */
    health: p.json<TaskHealth>().strictNullable(),
    creatorId: p.uuid(),
    creatorName: p.string().length(128),
    traceparent: p.string().length(64).strictNullable(),
    createdAt: instant(),
    startedAt: instant().strictNullable(),
    endedAt: instant().strictNullable(),
    /** Ignores freeze periods (TASK-12). */
    overrideFreeze: p.boolean().default(false),
    /** Its file, as it was when it was ordered. */
    file: p.json<ActionFile>().strictNullable(),
    /** Its files when it has several; `file` is then null. */
    files: p.json<ActionFile[]>().strictNullable(),
    /** It paused by itself, and its devices must still be rolled back. */
    rollbackDue: p.boolean().default(false),
    /** The baseline that started it (STORE-07). */
    baselineId: p.uuid().strictNullable(),
    /** Idempotency key of the order, chosen by its creator. */
    orderId: p.uuid().strictNullable(),
    /** Its pace: tries, spread, limits by site. */
    pace: p.json<TaskPace>().strictNullable(),
    /** Its approval request and answer; null when none is needed. */
    approval: p.json<Approval>().strictNullable(),
    /** Number of devices from which it needs approval, by the rule at the time of the order; null: never. */
    approvalFrom: p.integer().strictNullable(),
  },
  uniques: [{ properties: ['companyId', 'number'] }],
  // Visible to its creator and to users who see at least one of its devices.
  ...tenant({ shared: { of: 'task', table: 'task_organization', column: 'task_id', owner: 'creator_id' } }),
});

/**
 * The sums of a task in one organization. They decide who sees the task, and replace the total for partial viewers,
 * which would reveal hidden devices. Stored per organization, because a list needs them for every task, and a hundred
 * thousand device rows could not be counted each time.
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

/** One firing of a task, or one rerun. A due time fires once. */
export const TaskRun = defineEntity({
  name: 'TaskRun',
  tableName: 'task_run',
  properties: {
    taskId: p.uuid().primary(),
    run: p.integer().primary(),
    companyId: p.uuid(),
    cause: p.string().$type<TaskRunRecord['cause']>().length(16),
    /** All of the target, or the devices that failed or timed out in the previous run. */
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
      // Visible to users who see the task.
      using: `(${seesAllSql} or exists (select 1 from task seen where seen.id = task_run.task_id))`,
      check: `(${seesAllSql} or exists (select 1 from task seen where seen.id = task_run.task_id))`,
    },
  ],
});

/** The sums of an earlier run in one organization; those of the last one are in {@link TaskOrganization}. */
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

/** Reason and time of a failed try. */
export interface FailedTry {
  at: string;
  code: string | null;
  message: string | null;
  values: ReasonValues | null;
}

/** A device of a task in one run, with its command; a task with retries has one command per try. */
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
    /** False: it is sent beside any other command. */
    changesDevice: p.boolean().default(true),
    /** True: it is done when the device is back. */
    goesDown: p.boolean().default(false),
    /** Reason of the result, from the platform or the device. */
    code: p.string().length(64).strictNullable(),
    codeValues: p.json<ReasonValues>().strictNullable(),
    message: p.string().length(512).strictNullable(),
    sentAt: instant().strictNullable(),
    /** Epoch of the connection into which it was last sent: a newer one gets it again. */
    sentEpoch: p.bigint('number').strictNullable(),
    /**
     * Epoch of the connection into which it was first sent, or whose hello set `back`: a device that comes back has a
     * later one.
     */
    toldEpoch: p.bigint('number').strictNullable(),
    /** What the hello of a device that was back before its answer showed: success, or the reason of a failure. */
    back: p.string().length(64).strictNullable(),
    /** The firmware that it reported when the command was sent. */
    versionBefore: p.string().length(128).strictNullable(),
    /** The chosen one of several files. */
    fileId: p.uuid().strictNullable(),
    /** Number of the try; each has its own command. */
    tryNumber: p.integer().default(1),
    /** It waits until then, for its next try or its slot in the spread; null when it may be started. */
    notBefore: instant().strictNullable(),
    /** The failed tries. */
    tried: p.json<FailedTry[]>().defaultRaw(`'[]'`),
    /** The site for which it counts, in a task with limits by site. */
    siteId: p.uuid().strictNullable(),
    acceptedAt: instant().strictNullable(),
    /** Deadline of an online device. */
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

/** Allowance of a task (TASK-07): refilled with time, used by each sending. */
export const TaskRate = defineEntity({
  name: 'TaskRate',
  tableName: 'task_rate',
  properties: {
    taskId: p.uuid().primary(),
    companyId: p.uuid(),
    rest: p.double(),
    given: p.integer(),
    at: instant(),
    /** The device behind which the pass over its rows continues, and when it last did. */
    walked: p.uuid().strictNullable(),
    walkedAt: instant().strictNullable(),
  },
  ...tenant(),
});
