/**
 * A process that the bus suite kills. It appends each handled record to a journal and reports its progress over IPC.
 * `point` is where it halts and waits to be killed: before the first effect of a batch, within a batch, or after the
 * handler has returned.
 */
import { appendFileSync } from 'node:fs';
import type { Bus } from '@carillon/messaging';

export interface ChildTask {
  mode: 'consume' | 'publish';
  topic: string;
  group: string;
  journal: string;
  point?: 'before' | 'during' | 'after';
  /** Publishes this many records for each of 20 keys, in order per key. */
  count?: number;
}

const [, , module, arg, json] = process.argv as [string, string, string, string, string];
const task = JSON.parse(json) as ChildTask;
const { open } = (await import(module)) as { open(arg: string): Promise<Bus> };
const bus = await open(arg);
const never = new Promise<void>(() => undefined);
const say = (what: string): void => {
  process.send!(what);
};
const write = (line: string): void => {
  appendFileSync(task.journal, `${line}\n`);
};

if (task.mode === 'consume') {
  await bus.group({
    group: task.group,
    topics: [task.topic],
    maxBatch: 7,
    async handle({ records }) {
      if (task.point === 'before') {
        say('point');
        await never;
      }
      for (const [i, r] of records.entries()) {
        if (task.point === 'during' && i === Math.floor(records.length / 2)) {
          say('point');
          await never;
        }
        write(`${r.key} ${r.value}`);
      }
      if (task.point === 'after') say('point');
    },
  });
  say('ready');
} else {
  say('ready');
  await Promise.all(
    Array.from({ length: 20 }, async (_, k) => {
      for (let n = 0; n < task.count!; n += 1) {
        await bus.publish([{ topic: task.topic, key: `k${k}`, headers: {}, value: String(n) }]);
        write(`k${k} ${n}`);
        if (n === Math.floor(task.count! / 3) && k === 0) say('point');
      }
    }),
  );
  await bus.close();
}
