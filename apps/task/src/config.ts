import { z } from 'zod';
import { whole } from '@carillon/service';

export const taskConfig = z.object({
  taskTickMs: whole(2_000, 100).describe('How often the recovery tick looks for what was left behind, ms. It only recovers: work is woken by commits.'),
  taskChunk: whole(5_000, 1, 50_000).describe('Devices that one transaction of the expansion adds to a task.'),
  taskSendBatch: whole(500, 1, 5_000).describe('Commands that one transaction of the dispatch sends.'),
});
