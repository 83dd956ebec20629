import { z } from 'zod';
import { id } from '../define/list.ts';

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
    counts,
    creatorId: id,
    creatorName: z.string(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    /** False until every device of the target has its row. */
    expanded: z.boolean(),
    /** False when it has devices that the reader does not see: `counts` are of those that he sees. */
    whole: z.boolean(),
  })
  .meta({ id: 'Task' });
export type TaskRecord = z.output<typeof taskRecord>;

export const taskDeviceRecord = z
  .object({
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
    online: z.boolean(),
    sentAt: z.string().nullable(),
    updatedAt: z.string(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'TaskDevice' });
export type TaskDeviceRecord = z.output<typeof taskDeviceRecord>;
