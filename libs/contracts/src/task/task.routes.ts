import { z } from 'zod';
import { taskNameLength } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { choice, filters, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { deviceTarget } from '../device/device.schemas.ts';
import { taskDeviceRecord, taskRecord, taskStatuses } from './task.schemas.ts';

/** Answered as soon as the task is stored; its devices follow. */
export const addTask = route({
  method: 'POST',
  path: '/api/f/task/task',
  summary: 'Create a task',
  permission: 'addTask',
  audit: 'task.add',
  status: 202,
  bodyLimit: 1_048_576,
  body: z.strictObject({
    name: z.string().trim().min(1).max(taskNameLength),
    action: z.string().max(64),
    params: z.record(z.string(), z.unknown()).default({}),
    target: deviceTarget,
  }),
  response: taskRecord,
  errors: ['task.paramsInvalid', 'device.pushTargetMissing'],
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
      action: text(64),
      number,
      name: text(),
      creatorName: text(),
      createdAt: moment,
      endedAt: orEmpty(moment),
    }),
    /** Only what the caller created. */
    mine: z.enum(['true', 'false']).optional(),
    ...pageQuery,
    sort: sortBy([
      'number',
      'name',
      'status',
      'action',
      'type',
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

export const listTaskDevices = route({
  method: 'GET',
  path: '/api/f/task/task/{id}/device/list',
  summary: 'The devices of a task with their progress',
  permission: 'task',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({ status: choice(z.enum(taskStatuses)) }),
    ...pageQuery,
    sort: sortBy(['name', 'status', 'updatedAt'] as const),
  }),
  response: listOf(taskDeviceRecord),
  errors: [],
});

/** What a device was told, newest first. */
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

/** What runs is left to end; what waits is cancelled. */
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

/** Only while nothing was sent. */
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
