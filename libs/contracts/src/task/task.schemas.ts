import { z } from 'zod';
import { id, listOf } from '../define/list.ts';
import { taskApproval } from './approval.schemas.ts';
import { taskTiming, taskTypes } from './task-timing.schemas.ts';
import { pauseReasons, taskHealth } from './task-rollout.schemas.ts';

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
