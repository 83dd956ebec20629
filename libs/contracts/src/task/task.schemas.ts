import { z } from 'zod';
import { longestWatchMinutes } from '../define/constant.ts';
import { id, listOf } from '../define/list.ts';
import { taskApproval } from './approval.schemas.ts';

/** Spec, section 4; of a task and of each device of it. */
export const taskStatuses = [
  'wait',
  'process',
  'downloadSuccess',
  'success',
  'fail',
  'timeout',
  'operated',
  'cancel',
  'stop',
  'finished',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskTypes = ['now', 'timer', 'cycle'] as const;
/** How a cycle repeats: a month by its day, or by an ordinal weekday. */
export const taskRepeats = ['day', 'week', 'monthDay', 'monthWeekday'] as const;
/** Of a month; the last one is -1. */
export const ordinals = [1, 2, 3, 4, -1] as const;

/** A minute on the clock of the task's zone, 'YYYY-MM-DDTHH:mm'. */
export const localMinute = z.iso
  .datetime({ local: true, precision: -1, error: 'common.fieldFormat' })
  // Without an offset: the zone has it.
  .length(16, 'common.fieldFormat')
  // Nobody means a later one, and recurrence is not reckoned beyond.
  .refine((minute) => minute < '3000', 'common.fieldValue');
/** 1 is Monday, 7 Sunday. */
const weekday = z.int().min(1).max(7);

export const taskRepeat = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('day') }),
  z.strictObject({ every: z.literal('week'), weekdays: z.array(weekday).min(1, 'task.weekdayMissing').max(7) }),
  z.strictObject({ every: z.literal('monthDay'), day: z.int().min(1).max(31) }),
  z.strictObject({ every: z.literal('monthWeekday'), ordinal: z.literal(ordinals), weekday }),
]);
export type TaskRepeat = z.output<typeof taskRepeat>;

/**
 * When a task runs (TASK-01). `begin` is the first time at which it may; a cycle repeats at its time of day, up to and
 * with `end`. A minute that a change of the clock leaves out runs at the next one that there is, and one that comes
 * twice runs once; a month without the day is passed over.
 */
export const taskSchedule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('now') }),
  z.strictObject({ type: z.literal('timer'), begin: localMinute }),
  z.strictObject({
    type: z.literal('cycle'),
    begin: localMinute,
    end: localMinute.nullable().default(null),
    repeat: taskRepeat,
  }),
]);
export type TaskSchedule = z.output<typeof taskSchedule>;

const version = z
  .string()
  .trim()
  .regex(/^\d{1,9}(\.\d{1,9}){0,7}$/, 'common.fieldFormat');
/** Only devices whose firmware lies in it, both ends included, compared by its numbers (TASK-05). */
export const versionRange = z
  .strictObject({ from: version, to: version })
  .refine((range) => range.from.at(-1) === range.to.at(-1), { message: 'task.versionRange', path: ['to'] });
export type VersionRange = z.output<typeof versionRange>;

/** A week. */
export const longestTaskMinutes = 10_080;

/**
 * What tells that a device fares badly after it was changed: it is offline, a line of it cannot register, or it fell
 * and started anew.
 */
export const healthFacts = ['offline', 'lines', 'restarts'] as const;
export type HealthFact = (typeof healthFacts)[number];

/**
 * The gate between two stages: those that were changed are watched for `minutes`, and pause the task when one of the
 * facts is true of at least `pauseAt` percentage points more of them than of the devices that are not changed yet.
 */
export const taskHealthGate = z.strictObject({
  minutes: z.int().min(1).max(longestWatchMinutes),
  pauseAt: z.int().min(1).max(100),
});
export type TaskHealthGate = z.output<typeof taskHealthGate>;

/**
 * In stages (TASK-08): each is a share of the target in percent, with those before it. A stage in which at least
 * `pauseAt` percent of the devices that were told failed or timed out pauses the task; else the next one begins when
 * nobody is told any more. Devices that are offline are not waited for.
 */
export const taskRollout = z.strictObject({
  stages: z
    .array(z.int().min(1).max(100))
    .min(2)
    .max(10)
    .refine((all) => all.at(-1) === 100 && all.every((p, i) => i === 0 || p > all[i - 1]!), 'task.stages'),
  pauseAt: z.int().min(1).max(100),
  /**
   * When it pauses by itself, the devices that have another version go back to the one that they had (decisions of the
   * fleet, 15). Of firmware alone.
   */
  rollback: z.boolean().optional(),
  health: taskHealthGate.optional(),
});
export type TaskRollout = z.output<typeof taskRollout>;
export const pauseReasons = ['failures', 'health', 'person'] as const;

/** How many devices of a group there are, and of how many of them each fact is true. */
const healthCounts = z.object({
  devices: z.int(),
  offline: z.int(),
  lines: z.int(),
  restarts: z.int(),
});
export type HealthCounts = z.output<typeof healthCounts>;

/** What the gate behind a stage sees. */
export const taskHealth = z.object({
  stage: z.int(),
  /** Since when its devices are watched, and until when. */
  beganAt: z.string(),
  endsAt: z.string(),
  /** The end of the watch before: who was changed until then was judged by it. Null for the first. */
  judgedUntil: z.string().nullable(),
  /** Null as long as they are watched. */
  found: z
    .object({
      changed: healthCounts,
      /** Devices of the target that are not changed yet, as far as they were online in that time. */
      rest: healthCounts,
      /** The facts for which it paused; none when it let the next stage begin. */
      worse: z.array(z.enum(healthFacts)),
    })
    .nullable(),
});
export type TaskHealth = z.output<typeof taskHealth>;

/** Why a device did not do it, where another try may help: what it is busy with, a broken loading or a fall, silence. */
export const retryClasses = ['busy', 'interrupted', 'timeout'] as const;
export type RetryClass = (typeof retryClasses)[number];
/** No wait between two tries is longer, seconds. */
export const longestRetryWait = 3_600;

/**
 * A device that fails for one of these reasons is told again, `tries` times in all. The first wait is `firstSeconds`, and
 * each one after it twice as long, to an hour. A try that would begin after the end of the window is not made.
 */
export const taskRetry = z.strictObject({
  tries: z.int().min(2).max(10),
  of: z.array(z.enum(retryClasses)).min(1).max(retryClasses.length),
  firstSeconds: z.int().min(5).max(longestRetryWait),
});
export type TaskRetry = z.output<typeof taskRetry>;

/** How a task paces itself. A device counts at the site that it has when the run begins; those without one are one site. */
export const taskPace = z.strictObject({
  retry: taskRetry.nullable().default(null),
  /** Devices start spread over so many minutes from the begin of the run or of the stage; 0: as soon as they can. */
  spreadMinutes: z.int().min(0).max(1_440).default(0),
  /** How many devices of a site run at once; 0 is unlimited. */
  siteSync: z.int().min(0).max(100_000).default(0),
  /** How many devices of a site are told in any minute; 0 is unlimited. */
  sitePerMinute: z.int().min(0).max(600).default(0),
});
export type TaskPace = z.output<typeof taskPace>;

/** What a task says beside its action and its devices. */
export const taskTiming = {
  schedule: taskSchedule,
  /** In whose clock `schedule` is (IANA), as 'Europe/Berlin'. */
  timeZone: z.string().min(1).max(64),
  /** What has not run by then has timed out (TASK-06); null: as long as the action lets a command wait. */
  durationMinutes: z.int().min(1).max(longestTaskMinutes).nullable(),
  /** How many devices run at once; 0 is unlimited (spec, section 9). */
  sync: z.int().min(0).max(100_000),
  versionRange: versionRange.nullable(),
  rollout: taskRollout.nullable(),
  /** Freeze periods do not hold it (TASK-12). */
  overrideFreeze: z.boolean(),
  /** Null: one try, as soon as it can, whatever the site. */
  pace: taskPace.nullable(),
};

const counts = z.object({
  total: z.number().int(),
  success: z.number().int(),
  fail: z.number().int(),
  timeout: z.number().int(),
  cancel: z.number().int(),
  process: z.number().int(),
  wait: z.number().int(),
});
export type TaskCounts = z.output<typeof counts>;

export const taskRecord = z
  .object({
    id,
    number: z.number().int(),
    name: z.string(),
    action: z.string(),
    type: z.enum(taskTypes),
    status: z.enum(taskStatuses),
    params: z.record(z.string(), z.unknown()),
    /** What it brings to its devices, as it was when it was ordered. */
    file: z.object({ id, name: z.string(), version: z.string().nullable() }).nullable(),
    /** The same of a task that brings several, of which each device gets one; its parameters say which. */
    files: z.array(z.object({ id, name: z.string(), version: z.string().nullable() })),
    counts,
    /** Devices of `counts.process` that wait for the end of a call (TASK-11). */
    waitingIdle: z.int(),
    ...taskTiming,
    /** When it begins: the first due time, or when it was ordered. */
    beginAt: z.string(),
    /** When it repeats for the last time; null without an end, and of what does not repeat. */
    endAt: z.string().nullable(),
    /** How often it ran; `counts`, `startedAt` and `endedAt` are of the last run. */
    runs: z.int(),
    /** When it runs next; null when it does not. */
    dueAt: z.string().nullable(),
    /** How many due times passed while an earlier run went on or nothing could run them. */
    missed: z.int(),
    /** When the window of the run that goes on ends. */
    windowEndsAt: z.string().nullable(),
    /** The stage that goes on or was the last, 1 being the first. */
    stage: z.int(),
    /** Devices of the whole target, counted when the first stage began; null of a task without stages. */
    planned: z.int().nullable(),
    /** Since when nothing more is sent; null while it goes on. */
    pausedAt: z.string().nullable(),
    pausedFor: z.enum(pauseReasons).nullable(),
    /** The last watch between two stages; null before the first, and for who does not see the whole task. */
    health: taskHealth.nullable(),
    creatorId: id,
    creatorName: z.string(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    /** Null of a task that needs no second person. While it is asked, nothing more of the task begins. */
    approval: taskApproval.nullable(),
    /** False until every device of the target has its row. */
    expanded: z.boolean(),
    /** False when it has devices that the reader does not see: `counts` are of those that he sees. */
    whole: z.boolean(),
  })
  .meta({ id: 'Task' });
export type TaskRecord = z.output<typeof taskRecord>;

export const taskDeviceRecord = z
  .object({
    /** In which run of the task. */
    run: z.int(),
    deviceId: id,
    mac: z.string(),
    name: z.string(),
    model: z.string(),
    status: z.enum(taskStatuses),
    progress: z.number().nullable(),
    /** Why it ended so: the platform's word, or the device's. */
    code: z.string().nullable(),
    /** What the code is about, as the model that cannot do the action. */
    codeValues: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    /** The reason in the reader's language; a device's own words as it said them. */
    message: z.string().nullable(),
    /** Which try it is at, 1 being the first. */
    tryNumber: z.int(),
    /** When it is told, where that is known: its next try, or its place in the spread. */
    nextAt: z.string().nullable(),
    /** The tries that failed, and why. */
    tried: z.array(z.object({ at: z.string(), code: z.string().nullable(), message: z.string().nullable() })),
    online: z.boolean(),
    sentAt: z.string().nullable(),
    updatedAt: z.string(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'TaskDevice' });
export type TaskDeviceRecord = z.output<typeof taskDeviceRecord>;

/** What made a task run. */
export const taskRunCauses = ['schedule', 'runNow', 'rerun'] as const;

export const taskRunRecord = z
  .object({
    /** 1 is the first. */
    run: z.int(),
    cause: z.enum(taskRunCauses),
    /** The due time of what the schedule ran; null of what a person ran. */
    dueAt: z.string().nullable(),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    status: z.enum(taskStatuses),
    counts,
  })
  .meta({ id: 'TaskRun' });
export type TaskRunRecord = z.output<typeof taskRunRecord>;

/** Why some devices of a target would be left out. */
const skippedReason = z.object({ code: z.string(), message: z.string(), count: z.int() });
const previewDevice = z.object({
  deviceId: id,
  mac: z.string(),
  name: z.string(),
  model: z.string(),
  firmware: z.string().nullable(),
  online: z.boolean(),
  /** Why it would be left out; null when it would be touched. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});

/** What a task would do, without doing it (TASK-08). */
export const taskPreview = z
  .object({
    total: z.int(),
    touched: z.int(),
    /** Ordered now, it would wait for approval by a second person. */
    needsApproval: z.boolean(),
    skipped: z.array(skippedReason),
    /** The next times at which it would run, at most five. */
    runs: z.array(z.string()),
    devices: listOf(previewDevice),
  })
  .meta({ id: 'TaskPreview' });
export type TaskPreview = z.output<typeof taskPreview>;
