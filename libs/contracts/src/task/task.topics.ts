import { z } from 'zod';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';

/**
 * The file of an open task: it is not deleted while a record names it. A stopped task lets no device download it any
 * more. The tombstone means that the task and all its devices have ended.
 */
export const taskFile = topic({
  name: 'task.file.v1',
  writers: ['task'],
  readers: ['resource'],
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
