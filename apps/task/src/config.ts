import { z } from 'zod';
import { defineConfig, whole } from '@carillon/service';

export const taskConfig = defineConfig({
  publicUrl: z
    .url()
    .default('http://127.0.0.1:8080')
    .describe('Address at which devices reach the API gateway. Links to the files that they load begin with it.'),
  taskTickMs: whole(2_000, 100).describe(
    'How often the recovery looks for work that a killed process left, ms. All other work starts at once.',
  ),
  taskChunk: whole(5_000, 1, 50_000).describe('Devices that one transaction of the expansion adds to a task.'),
  taskPatience: z.coerce
    .number()
    .min(0.01)
    .max(100)
    .default(1)
    .describe(
      'Factor for the times within which a connected device must answer and finish an action. Above 1 for slow networks.',
    ),
  tasksPerMinute: whole(600, 1).describe('Most tasks that the users of one company begin in a minute, runs included.'),
  taskPerSecond: whole(1_000, 0, 1_000_000).describe(
    'Most devices per second that one task sends commands to, unless its action has a lower rate. 0 is no limit.',
  ),
  taskRunDays: whole(90, 1, 3_650).describe(
    'Days for which the devices of earlier runs of a task are kept. The sums stay.',
  ),
  taskRetentionMs: whole(3_600_000, 100).describe('How often old runs are deleted, ms.'),
  baselineMs: whole(30_000, 100).describe('How often devices behind their baseline are updated, ms.'),
  baselineRetryMs: whole(900_000, 0).describe(
    'How long a device is left alone after a task of its baseline, ms: time to report its version, or to recover.',
  ),
  taskSendBatch: whole(500, 1, 5_000).describe('Commands that one transaction of the dispatch sends.'),
});
