import { z } from 'zod';
import { languages } from '../define/language.ts';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';
import { taskStatuses } from './task.schemas.ts';

/**
 * The file of an open task: it is not deleted while a record names it. A stopped task lets no device download it any
 * more. The tombstone means that the task and all its devices have ended.
 */
export const taskFile = topic({
  name: 'task.file.v1',
  writers: ['task'],
  readers: ['resource', 'provisioning'],
  key: 'task id',
  partitions: 3,
  cleanup: 'compact',
  events: {
    file: z.object({
      taskId: id,
      /** Noun of the file, such as `firmware`. */
      noun: z.string(),
      objectId: id,
      /** Further files, for a task that has several. */
      moreIds: z.array(id).optional(),
      stopped: z.boolean(),
    }),
  },
});

/** Devices for which a run has ended, with the result of each: the device service keeps their history. */
export const taskDevice = topic({
  name: 'task.device.v1',
  writers: ['task'],
  readers: ['device'],
  key: 'task id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 3 * 86_400_000,
  events: {
    ended: z.object({
      taskId: id,
      run: z.number().int(),
      name: z.string(),
      /** The name in each language, for a task that no user named. */
      names: z.record(z.enum(languages), z.string()).optional(),
      action: z.string(),
      devices: z.array(
        z.object({
          deviceId: id,
          orgId: id,
          mac: z.string(),
          status: z.enum(taskStatuses),
          /** Reason of the result, from the platform or the device. */
          code: z.string().nullable(),
          at: z.string(),
        }),
      ),
    }),
  },
});
