import { z } from 'zod';
import { longestStageWaitMinutes, longestWatchMinutes } from '../define/constant.ts';
import { id, listOf } from '../define/list.ts';
import { tagKey, tagValue } from '../device/device.schemas.ts';
import { taskApproval } from './approval.schemas.ts';

/** Spec, section 4; for a task and for each of its devices. */
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
/** Repetition of a cycle; a month repeats by day or by an ordinal weekday. */
export const taskRepeats = ['day', 'week', 'monthDay', 'monthWeekday'] as const;
/** Ordinals of weekdays in a month; the last one is -1. */
export const ordinals = [1, 2, 3, 4, -1] as const;

/** A minute in the task's time zone, 'YYYY-MM-DDTHH:mm'. */
export const localMinute = z.iso
  .datetime({ local: true, precision: -1, error: 'common.fieldFormat' })
  // Without an offset: the zone defines it.
  .length(16, 'common.fieldFormat')
  // No sensible time is earlier or later; recurrence is not computed beyond, and PostgreSQL has no year 0.
  .refine((minute) => minute >= '1900' && minute < '3000', 'common.fieldValue');
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
 * When a task runs (TASK-01). `begin` is the earliest time; a cycle repeats at its time of day, until `end` inclusive.
 * A minute that a clock change skips runs at the next existing one, and one that occurs twice runs once; a month
 * without the day is skipped.
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
/** Only devices whose firmware is in the range, both ends inclusive, compared by its numbers (TASK-05). */
export const versionRange = z
  .strictObject({ from: version, to: version })
  .refine((range) => range.from.at(-1) === range.to.at(-1), { message: 'task.versionRange', path: ['to'] });
export type VersionRange = z.output<typeof versionRange>;

/** A week. */
export const longestTaskMinutes = 10_080;

/**
 * Signs that a device is unhealthy after a change: it is offline, a line cannot register, or it crashed and restarted.
 */
export const healthFacts = ['offline', 'lines', 'restarts'] as const;
export type HealthFact = (typeof healthFacts)[number];

/**
 * The gate between two stages: changed devices are watched for `minutes`. The task pauses when a fact is true of a
 * share of them that is at least `pauseAt` percentage points higher than among unchanged devices.
 */
export const taskHealthGate = z.strictObject({
  minutes: z.int().min(1).max(longestWatchMinutes),
  pauseAt: z.int().min(1).max(100),
});
export type TaskHealthGate = z.output<typeof taskHealthGate>;

/** The last stage of a rollout by tags: the devices without a listed tag. */
export const restStage = 'rest';
/** A stage of a rollout: a cumulative share of the target in percent, a tag, or the rest. */
const taskStage = z.union([
  z.int().min(1).max(100),
  z.strictObject({ key: tagKey, value: tagValue }),
  z.literal(restStage),
]);
export type TaskStage = z.output<typeof taskStage>;

function isStageOrder(all: readonly TaskStage[]): boolean {
  if (all.every((stage) => typeof stage === 'number'))
    return all.at(-1) === 100 && all.every((share, n) => n === 0 || share > (all[n - 1] as number));
  const tags = all.slice(0, -1);
  return (
    all.at(-1) === restStage &&
    tags.every((stage) => typeof stage === 'object') &&
    new Set(tags.map((tag) => JSON.stringify(tag))).size === tags.length
  );
}

/**
 * A rollout in stages (TASK-08), by percent of the target or by tags. With tags a device belongs to the stage of its
 * first listed tag when the run begins. A stage in which at least `pauseAt` percent of the devices that received the
 * command failed or timed out pauses the task; otherwise the next one begins when no device is running. Offline devices
 * are not waited for. When the window ends before the last stage has begun, the task pauses, unless it repeats.
 */
export const taskRollout = z.strictObject({
  stages: z.array(taskStage).min(2).max(10).refine(isStageOrder, 'task.stages'),
  pauseAt: z.int().min(1).max(100),
  /**
   * The next stage begins when at least this percentage of the devices that received the command succeeded, and one at
   * least. Until then the stage waits for its offline devices, and the task pauses when none is left.
   */
  successAt: z.int().min(1).max(100).optional(),
  /**
   * When the task pauses by itself, changed devices go back to their old version (decisions of the fleet, 15). Only for
   * firmware.
   */
  rollback: z.boolean().optional(),
  health: taskHealthGate.optional(),
  /**
   * Least minutes between the end of a stage and the start of the next one. Devices that come back meanwhile still
   * belong to the ended stage, and its failures still count. All waits together must be shorter than `durationMinutes`.
   */
  waitMinutes: z.int().min(1).max(longestStageWaitMinutes).optional(),
});
export type TaskRollout = z.output<typeof taskRollout>;
/**
 * Why a task is paused: too many failures in a stage, unhealthy changed devices, too few successes in a stage, a window
 * that ended before the last stage began, or a user.
 */
export const pauseReasons = ['failures', 'health', 'successes', 'window', 'person'] as const;

/** Number of devices in a group, and of those for which each fact is true. */
const healthCounts = z.object({
  devices: z.int(),
  offline: z.int(),
  lines: z.int(),
  restarts: z.int(),
});
export type HealthCounts = z.output<typeof healthCounts>;

/** Result of the gate behind a stage. */
export const taskHealth = z.object({
  stage: z.int(),
  /** Start and end of the watch. */
  beganAt: z.string(),
  endsAt: z.string(),
  /** End of the previous watch: devices changed before it were judged by that one. Null for the first. */
  judgedUntil: z.string().nullable(),
  /** Null while the watch lasts. */
  found: z
    .object({
      changed: healthCounts,
      /** Devices of the target that are not changed yet, if they were online during the watch. */
      rest: healthCounts,
      /** The facts that paused the task; empty when the next stage began. */
      worse: z.array(z.enum(healthFacts)),
    })
    .nullable(),
});
export type TaskHealth = z.output<typeof taskHealth>;

/** Failures that a retry may fix: the device was busy, a download or restart interrupted it, or it did not respond. */
export const retryClasses = ['busy', 'interrupted', 'timeout'] as const;
export type RetryClass = (typeof retryClasses)[number];
/** Longest wait between two tries, seconds. */
export const longestRetryWait = 3_600;

/**
 * A device that fails for one of these reasons is tried again, `tries` times in all. The first wait is `firstSeconds`,
 * and each further one twice as long, up to an hour. No try begins after the end of the window.
 */
export const taskRetry = z.strictObject({
  tries: z.int().min(2).max(10),
  of: z.array(z.enum(retryClasses)).min(1).max(retryClasses.length),
  firstSeconds: z.int().min(5).max(longestRetryWait),
});
export type TaskRetry = z.output<typeof taskRetry>;

/**
 * Pace of a task. A device counts for the site that it has when the run begins; devices without a site form one site.
 */
export const taskPace = z.strictObject({
  retry: taskRetry.nullable().default(null),
  /** Devices start spread over this many minutes from the start of the run or stage; 0: as soon as possible. */
  spreadMinutes: z.int().min(0).max(1_440).default(0),
  /** How many devices of a site run at once; 0 is unlimited. */
  siteSync: z.int().min(0).max(100_000).default(0),
  /** How many devices of a site are started per minute; 0 is unlimited. */
  sitePerMinute: z.int().min(0).max(600).default(0),
});
export type TaskPace = z.output<typeof taskPace>;

/** Settings of a task besides its action and devices. */
export const taskTiming = {
  schedule: taskSchedule,
  /** Time zone of `schedule` (IANA), such as 'Europe/Berlin'. */
  timeZone: z.string().min(1).max(64),
  /** Devices that have not run within this time time out (TASK-06); null: as long as the action lets a command wait. */
  durationMinutes: z.int().min(1).max(longestTaskMinutes).nullable(),
  /**
   * Each device runs at the local time of its site: its window opens at the minute of the schedule in the time zone of
   * the site, and ends after the duration. Devices without a site, or whose site has no time zone, use `timeZone`, in
   * which the days of the schedule are counted. Not for immediate tasks, doors and rollouts in stages.
   */
  inSiteZones: z.boolean().default(false),
  /** How many devices run at once; 0 is unlimited (spec, section 9). */
  sync: z.int().min(0).max(100_000),
  versionRange: versionRange.nullable(),
  rollout: taskRollout.nullable(),
  /** Ignores freeze periods (TASK-12). */
  overrideFreeze: z.boolean(),
  /** Null: one try, as soon as possible, without site limits. */
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

/** The roll-backs of roll-backs that a name shows. */
export const mostRestored = 3;
/** The versions that a roll-back and those before it restore, oldest first. */
const restored = z.array(z.string().max(128)).max(mostRestored);
/** What a name that no user typed is built from, besides the action: the only device, or the number of devices. */
export const taskNaming = z.discriminatedUnion('code', [
  z.object({ code: z.literal('device'), device: z.string().max(64), restored }),
  z.object({ code: z.literal('devices'), count: z.int(), restored }),
]);
export type TaskNaming = z.output<typeof taskNaming>;

export const taskRecord = z
  .object({
    id,
    number: z.number().int(),
    /**
     * The name that a user typed; else the one that `naming` gives in the reader's language. Filters, search and order
     * use the stored text, which is in the creator's language.
     */
    name: z.string(),
    /** Null for a name that a user typed. */
    naming: taskNaming.nullable(),
    action: z.string(),
    type: z.enum(taskTypes),
    status: z.enum(taskStatuses),
    params: z.record(z.string(), z.unknown()),
    /**
     * The file of the task, as it was when it was ordered. `damaged`: the store has found since that it is not what was
     * uploaded, and gives it to no device.
     */
    file: z.object({ id, name: z.string(), version: z.string().nullable(), damaged: z.boolean() }).nullable(),
    /** The files of a task that has several, of which each device gets one; the parameters say which. */
    files: z.array(z.object({ id, name: z.string(), version: z.string().nullable() })),
    counts,
    /** Devices of the last run; before the first, those that the order names; null when it names none. */
    devices: z.int().nullable(),
    /** Devices of `counts.process` that wait for the end of a call (TASK-11). */
    waitingIdle: z.int(),
    ...taskTiming,
    /** When it begins: the first due time, or the time of the order. */
    beginAt: z.string(),
    /** When it repeats for the last time; null without an end or without repetition. */
    endAt: z.string().nullable(),
    /** Number of runs; `counts`, `startedAt` and `endedAt` belong to the last one. */
    runs: z.int(),
    /** Time of the next run; null when there is none. */
    dueAt: z.string().nullable(),
    /** Number of due times that passed while an earlier run was active or the service was down. */
    missed: z.int(),
    /** End of the window of the active run. */
    windowEndsAt: z.string().nullable(),
    /** The current or last stage, starting with 1. */
    stage: z.int(),
    /**
     * Earliest time at which the next stage begins: the end of the wait and of the watch behind an ended stage. Null
     * while the current stage runs, while the task is paused, and for a task that does not wait between its stages.
     */
    nextStageAt: z.string().nullable(),
    /** Devices of the whole target, counted when the first stage began; null for a task without stages. */
    planned: z.int().nullable(),
    /** Since when it is paused; null while it is not. */
    pausedAt: z.string().nullable(),
    pausedFor: z.enum(pauseReasons).nullable(),
    /** The last watch between two stages; null before the first, and for a user who does not see the whole task. */
    health: taskHealth.nullable(),
    creatorId: id,
    creatorName: z.string(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    /** Null when no approval is needed. While a request is open, nothing more of the task begins. */
    approval: taskApproval.nullable(),
    /** False until every device of the target has its row. */
    expanded: z.boolean(),
    /** False when the reader does not see all of its devices: `counts` then cover those that they see. */
    whole: z.boolean(),
  })
  .meta({ id: 'Task' });
export type TaskRecord = z.output<typeof taskRecord>;

export const taskDeviceRecord = z
  .object({
    /** Run of the task. */
    run: z.int(),
    deviceId: id,
    mac: z.string(),
    name: z.string(),
    model: z.string(),
    status: z.enum(taskStatuses),
    progress: z.number().nullable(),
    /** Reason of the result, from the platform or the device. */
    code: z.string().nullable(),
    /** Values of the code, for example the model that cannot do the action. */
    codeValues: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    /** The reason in the reader's language; a device's own text unchanged. */
    message: z.string().nullable(),
    /** Number of the current try, starting with 1. */
    tryNumber: z.int(),
    /** When the command is sent, if known: the next try, or the device's slot in the spread. */
    nextAt: z.string().nullable(),
    /** The failed tries with their reasons. */
    tried: z.array(z.object({ at: z.string(), code: z.string().nullable(), message: z.string().nullable() })),
    online: z.boolean(),
    sentAt: z.string().nullable(),
    /** When the device accepted the command of the current try. */
    acceptedAt: z.string().nullable(),
    updatedAt: z.string(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'TaskDevice' });
export type TaskDeviceRecord = z.output<typeof taskDeviceRecord>;

/** Number of reasons that are counted separately. */
export const mostTaskReasons = 10;
/** Failed devices of a run, grouped by their reason (TASK-03). */
export const taskReasons = z
  .object({
    /** At most {@link mostTaskReasons}, the most frequent first. */
    reasons: z.array(
      z.object({
        /** Null when neither the platform nor the device gave one. */
        code: z.string().nullable(),
        /** The reason in the reader's language; null when the code has no text. */
        message: z.string().nullable(),
        count: z.int(),
      }),
    ),
    /** Failed devices with other reasons. */
    others: z.int(),
  })
  .meta({ id: 'TaskReasons' });
export type TaskReasons = z.output<typeof taskReasons>;

/** What started a run. */
export const taskRunCauses = ['schedule', 'runNow', 'rerun'] as const;

export const taskRunRecord = z
  .object({
    /** 1 is the first. */
    run: z.int(),
    cause: z.enum(taskRunCauses),
    /** Due time of a scheduled run; null for a manual one. */
    dueAt: z.string().nullable(),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    status: z.enum(taskStatuses),
    counts,
  })
  .meta({ id: 'TaskRun' });
export type TaskRunRecord = z.output<typeof taskRunRecord>;

/** Why some devices of a target would be skipped. */
const skippedReason = z.object({ code: z.string(), message: z.string(), count: z.int() });
const previewDevice = z.object({
  deviceId: id,
  mac: z.string(),
  name: z.string(),
  model: z.string(),
  firmware: z.string().nullable(),
  online: z.boolean(),
  /** Why it would be skipped; null when it would be changed. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});

/** Preview of a task, without running it (TASK-08). */
export const taskPreview = z
  .object({
    /** The name that the task gets when its order has none, in the caller's language. */
    name: z.string(),
    total: z.int(),
    touched: z.int(),
    /** Ordered now, it would wait for approval by a second person. */
    needsApproval: z.boolean(),
    skipped: z.array(skippedReason),
    /** The next times at which it would run, at most five. */
    runs: z.array(z.string()),
    /** For a task in the time zones of sites: the windows of its first run, the earliest first. */
    windows: z.array(
      z.object({
        zone: z.string(),
        opensAt: z.string(),
        closesAt: z.string(),
        /** Devices of the target that have this window. */
        devices: z.int(),
      }),
    ),
    devices: listOf(previewDevice),
  })
  .meta({ id: 'TaskPreview' });
export type TaskPreview = z.output<typeof taskPreview>;
