import { z } from 'zod';
import { defineConfig, whole } from '@carillon/service';

export const taskConfig = defineConfig({
  publicUrl: z
    .url()
    .default('http://127.0.0.1:8080')
    .describe('Address at which devices reach the API gateway: links to the files that they load begin with it.'),
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
  taskRunDays: whole(90, 1, 3_650).describe(
    'Days for which the devices of a run are kept that is not the last of its task; its sums stay.',
  ),
  taskRetentionMs: whole(3_600_000, 100).describe('How often old runs are looked for, ms.'),
  baselineMs: whole(30_000, 100).describe('How often devices are looked for that are behind their baseline, ms.'),
  baselineRetryMs: whole(900_000, 0).describe(
    'How long a device is left alone that a task of its baseline is done with, ms: time to say its version, or to recover.',
  ),
  taskSendBatch: whole(500, 1, 5_000).describe('Commands that one transaction of the dispatch sends.'),
});
