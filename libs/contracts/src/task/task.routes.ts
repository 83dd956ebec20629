import { z } from 'zod';
import { taskNameLength } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { choice, filters, moment, number, orEmpty, parts, text } from '../define/filter.ts';
import { id, listOf, many, pageQuery, sortBy } from '../define/list.ts';
import { deviceTarget, mac, storedTarget } from '../device/device.schemas.ts';
import { approvalStates } from './approval.schemas.ts';
import { taskDeviceRecord, taskPreview, taskReasons, taskRecord, taskRunRecord, taskStatuses } from './task.schemas.ts';
import { taskRepeats, taskTiming, taskTypes } from './task-timing.schemas.ts';

/** A target may also name devices by MAC. */
const orderTarget = z.union([...deviceTarget.options, z.strictObject({ macs: z.array(mac).min(1).max(10_000) })]);

/** An order. By default it runs at once, in the caller's time zone, for as long as the action lets it wait. */
const taskOrder = {
  action: z.string().max(64),
  params: z.record(z.string(), z.unknown()).default({}),
  target: orderTarget,
  schedule: taskTiming.schedule.default({ type: 'now' }),
  timeZone: taskTiming.timeZone.optional(),
  durationMinutes: taskTiming.durationMinutes.default(null),
  inSiteZones: taskTiming.inSiteZones,
  sync: taskTiming.sync.default(0),
  versionRange: taskTiming.versionRange.default(null),
  rollout: taskTiming.rollout.default(null),
  /** Runs also while a freeze period is in force (TASK-12); requires the permission `overrideFreeze`. */
  overrideFreeze: taskTiming.overrideFreeze.default(false),
  pace: taskTiming.pace.default(null),
};
/** All devices that now have another version, or those on which the task failed. */
export const rollbackScopes = ['all', 'failed'] as const;
const orderErrors = [
  'task.paramsInvalid',
  'task.fileMissing',
  'device.pushTargetMissing',
  'device.macNotFound',
  'task.startInPast',
  'task.neverRuns',
  'task.weekdayMissing',
  'task.versionRange',
  'task.stages',
  'task.spreadTooLong',
  'task.stageWaitTooLong',
  'task.notPaced',
  'task.siteZones',
  'task.passedInZone',
] as const;

/** Creates a task. Answers as soon as it is stored; its devices are added afterwards. */
export const addTask = route({
  method: 'POST',
  path: '/api/f/task/task',
  summary: 'Create a task',
  permission: 'addTask',
  audit: 'task.add',
  status: 202,
  bodyLimit: 1_048_576,
  body: z.strictObject({
    /** Without it the task is named after its action and devices, for each reader in their own language. */
    name: z.string().trim().min(1).max(taskNameLength).optional(),
    ...taskOrder,
    /**
     * Refuse the task when none of its devices could begin now, because they are offline or have a task that goes
     * first. Without it the task waits, behind the other work of each device. Only for orders that run at once.
     */
    push: z.boolean().default(false),
    /** The caller's idempotency key: a repeated order returns the same task. */
    orderId: z.uuid().optional(),
  }),
  response: taskRecord,
  errors: [...orderErrors, 'task.createFailed', 'device.offline', 'device.hasRunningTask', 'approval.push'],
});

/** Lists the devices that would be changed and those that would be skipped. Stores nothing. */
export const previewTask = route({
  method: 'POST',
  path: '/api/f/task/task/preview',
  summary: 'See what a task would do',
  permission: 'addTask',
  audit: 'task.preview',
  bodyLimit: 1_048_576,
  query: z.object({
    search: z.string().trim().max(128).optional(),
    only: z.enum(['touched', 'skipped']).optional(),
    ...pageQuery,
  }),
  body: z.strictObject(taskOrder),
  response: taskPreview,
  errors: orderErrors,
});

export const listTasks = route({
  method: 'GET',
  path: '/api/f/task/task/list',
  summary: 'Tasks, filtered, a page at a time',
  permission: 'task',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      status: choice(z.enum(taskStatuses)),
      /** `asked`: waits for an answer. */
      approval: choice(z.enum(approvalStates)),
      action: text(64),
      number,
      name: text(),
      /** `all` means no filter (TASK-03). */
      type: choice(z.enum([...taskTypes, 'all'])),
      beginAt: moment,
      endAt: orEmpty(moment),
      durationMinutes: orEmpty(number),
      repeat: orEmpty(choice(z.enum(taskRepeats))),
      /** A version within the task's range. */
      version: { '': many(z.string().max(64)) },
      /** Tasks that have a device with this MAC, or whose name contains the text. */
      device: { '.contains': parts(z.string().trim().min(1).max(128)) },
      devices: number,
      creatorName: text(),
      createdAt: moment,
      endedAt: orEmpty(moment),
    }),
    /** Only tasks that the caller created. */
    mine: z.enum(['true', 'false']).optional(),
    ...pageQuery,
    sort: sortBy([
      'number',
      'name',
      'status',
      'action',
      'type',
      'beginAt',
      'durationMinutes',
      'devices',
      'creatorName',
      'createdAt',
      'endedAt',
      'time',
    ] as const),
  }),
  response: listOf(taskRecord),
  errors: [],
});

export const getTask = route({
  method: 'GET',
  path: '/api/f/task/task/{id}',
  summary: 'One task with its counts',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  response: taskRecord,
  errors: [],
});

/**
 * Returns the target of a task, for a copy of it: those of the named devices that the caller sees; null when none is
 * left.
 */
export const getTaskTarget = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/target',
  summary: 'What a task was aimed at',
  permission: 'addTask',
  audit: 'none',
  params: z.object({ id }),
  response: z.object({ target: storedTarget.nullable() }),
  errors: [],
});

export const listTaskDevices = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/device/list',
  summary: 'The devices of a task with their progress',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({
    search: z.string().trim().max(128).optional(),
    /** Number of the run; by default the last one. */
    run: z.coerce.number().int().min(1).optional(),
    ...filters({
      status: choice(z.enum(taskStatuses)),
      /** Code of the reason, as {@link listTaskReasons} returns it. */
      code: orEmpty(choice(z.string().max(64))),
    }),
    ...pageQuery,
    sort: sortBy(['name', 'status', 'updatedAt'] as const),
  }),
  response: listOf(taskDeviceRecord),
  errors: [],
});

/** Counts the devices of a run that failed or timed out, by their reason. */
export const listTaskReasons = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/reason/list',
  summary: 'Why devices of a task failed, with counts',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({
    /** Number of the run; by default the last one. */
    run: z.coerce.number().int().min(1).optional(),
  }),
  response: taskReasons,
  errors: [],
});

/** Lists the tasks of a device, newest first. */
export const listDeviceTasks = route({
  method: 'GET',
  path: '/api/f/task/device/{id}/list',
  summary: 'The tasks of one device',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object(pageQuery),
  response: listOf(taskRecord.extend({ device: taskDeviceRecord })),
  errors: [],
});

/**
 * Reports work that was done at the device itself: the task sends it nothing more and counts it as done. For waiting
 * devices, and for those that received the command and no longer report.
 */
export const reportTaskDevices = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/device/report',
  summary: 'Mark devices of a task that have not ended as done by hand',
  permission: 'stopTask',
  audit: 'task.report',
  params: z.object({ id }),
  body: z.strictObject({ deviceIds: z.array(id).min(1).max(200) }),
  response: z.object({ reported: z.int() }),
  errors: ['task.deviceNotWaiting', 'task.partlySeen'],
});

/** Stops a task: running devices finish, waiting ones are cancelled. */
export const stopTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/stop',
  summary: 'Stop a task',
  permission: 'stopTask',
  audit: 'task.stop',
  params: z.object({ id }),
  response: taskRecord,
  errors: ['task.notStoppable', 'task.partlySeen'],
});

/** Cancels a task; only while nothing has been sent. */
export const cancelTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/cancel',
  summary: 'Cancel a task that has not begun',
  permission: 'cancelTask',
  audit: 'task.cancel',
  params: z.object({ id }),
  response: taskRecord,
  errors: ['task.notCancellable', 'task.partlySeen'],
});

export const listTaskRuns = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/run/list',
  summary: 'The runs of a task, newest first',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object(pageQuery),
  response: listOf(taskRunRecord),
  errors: [],
});

/**
 * Runs a task before its time; a repeating task continues at its next time. If its target exceeds the approved number
 * of devices by more than a tenth, it does not run, and the response says that approval is requested again.
 */
export const runTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/run',
  summary: 'Run a task now',
  permission: 'runTask',
  audit: 'task.run',
  params: z.object({ id }),
  response: taskRecord,
  errors: ['task.notRunnable', 'task.fileMissing', 'task.partlySeen', 'approval.notApproved'],
});

/**
 * Runs a task again for all of its devices, or for those of the last run that failed or timed out; earlier results
 * stay. Approval is requested again as in {@link runTask}.
 */
export const rerunTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/rerun',
  summary: 'Run a task again',
  permission: 'rerunTask',
  audit: 'task.rerun',
  params: z.object({ id }),
  body: z.strictObject({ only: z.enum(['all', 'failed']) }),
  response: taskRecord,
  errors: ['task.notRerunnable', 'task.nothingFailed', 'task.fileMissing', 'task.partlySeen', 'approval.notApproved'],
});

/** Pauses a task: running devices finish, waiting ones keep waiting. */
export const pauseTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/pause',
  summary: 'Pause a task',
  permission: 'stopTask',
  audit: 'task.pause',
  params: z.object({ id }),
  response: taskRecord,
  errors: ['task.notPausable', 'task.partlySeen'],
});

export const resumeTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/resume',
  summary: 'Go on with a paused task',
  permission: 'runTask',
  audit: 'task.resume',
  params: z.object({ id }),
  response: taskRecord,
  errors: ['task.notPaused', 'task.partlySeen'],
});

/**
 * Returns the devices whose version the task changed, by the image that would restore the old one; empty when none
 * would.
 */
export const getTaskRollback = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/rollback',
  summary: 'What a roll-back of a firmware task would do',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({ only: z.enum(rollbackScopes).default('all') }),
  response: z.object({
    versions: z.array(
      z.object({
        version: z.string(),
        model: z.string(),
        count: z.int(),
        /**
         * The versions of these devices that cannot be compared: they go back nevertheless. At most ten; null for
         * devices that report none.
         */
        broken: z.array(z.object({ version: z.string().nullable(), count: z.int() })),
        firmware: z.object({ id, name: z.string() }).nullable(),
      }),
    ),
  }),
  errors: [],
});

/** Creates one task per version, which restores it; devices without an image of it stay as they are. */
export const rollbackTask = route({
  method: 'POST',
  path: '/api/f/task/task/{id}/rollback',
  summary: 'Roll devices back to the firmware that they had before a task',
  permission: 'addTask',
  audit: 'task.rollback',
  status: 202,
  params: z.object({ id }),
  body: z.strictObject({ only: z.enum(rollbackScopes) }),
  response: z.object({
    tasks: z.array(taskRecord),
    /** Devices that stay as they are, because no image restores their version. */
    left: z.int(),
  }),
  errors: ['task.nothingToRollBack', 'task.fileMissing', 'task.partlySeen'],
});
