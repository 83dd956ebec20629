import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import type { DispatchService } from './dispatch.service.ts';
import { secondDispatch, taskRig, type TaskRig } from '../task-test.ts';

const perSecond = 40;
const settings = { taskTickMs: 100, taskChunk: 50, taskSendBatch: 15, taskPerSecond: perSecond };
let rig: TaskRig;
let second: DispatchService;
beforeAll(async () => {
  rig = await taskRig(settings);
  second = secondDispatch(rig, { ...settings, taskPatience: 1 });
  second.onApplicationBootstrap();
});
afterAll(async () => {
  await second?.onApplicationShutdown();
  await rig?.close();
});

it('a large task keeps its rate in two processes, and does not block a small one [TASK-07/rate]', async () => {
  const large = await rig.devices(120);
  const small = await rig.devices(30);
  await Promise.all([...large, ...small].map((d) => d.online()));
  await eventually(async () =>
    expect(await rig.sql('select count(*)::int as n from link_session where online')).toEqual([{ n: 150 }]),
  );
  const id = await rig.order(large);
  const quick = await rig.order(small);
  // Reconnected devices request their commands, and the ticks of both processes find the rest.
  await Promise.all(large.map((d) => d.online()));
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 120, wait: 0 }));
  const span = async (task: string) =>
    (
      await rig.sql<{ most: number; seconds: number; last: number }>(
        `
          select max(n)::int as most, extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds,
            extract(epoch from max(sent_at))::float8 as last
          from (
            select sent_at,
              count(*) over (order by sent_at range between interval '1 second' preceding and current row) as n
            from task_device
            where task_id = $1
          ) x
        `,
        [task],
      )
    )[0]!;
  const [all, few] = [await span(id), await span(quick)];
  // A second's worth at once, then what the rate allows.
  expect(all.most).toBeLessThanOrEqual(2 * perSecond);
  expect(all.seconds).toBeGreaterThan(120 / perSecond - 1.2);
  expect(few.last).toBeLessThan(all.last - 1);
});
