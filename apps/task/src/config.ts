import { z } from 'zod';
import { defineConfig, whole } from '@carillon/service';

export const taskConfig = defineConfig({
  taskTickMs: whole(2_000, 100).describe(
    'How often the recovery tick looks for what was left behind, ms. It only recovers: work is woken by commits.',
  ),
  taskChunk: whole(5_000, 1, 50_000).describe('Devices that one transaction of the expansion adds to a task.'),
  taskPatience: z.coerce
    .number()
    .min(0.01)
    .max(100)
    .default(1)
    .describe(
      'Factor on the times that an action gives a connected device to answer and to be done; above 1 for slow networks.',
    ),
  taskPerSecond: whole(1_000, 0, 1_000_000).describe(
    'Devices that one task tells a second, at most, unless its action has a lower rate of its own; 0 is unlimited.',
  ),
  taskSendBatch: whole(500, 1, 5_000).describe('Commands that one transaction of the dispatch sends.'),
});
