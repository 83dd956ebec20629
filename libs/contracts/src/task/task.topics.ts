import { z } from 'zod';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';

/**
 * The file that an open task brings to devices: as long as one is named here it is not deleted. A task that was stopped
 * lets nothing more be loaded. The tombstone says that it has ended, with all its devices.
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
      /** The noun of what it names, as `firmware`. */
      noun: z.string(),
      objectId: id,
      /** Further ones, of a task that brings several. */
      moreIds: z.array(id).optional(),
      stopped: z.boolean(),
    }),
  },
});
