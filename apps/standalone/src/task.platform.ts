import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, getTask, type TaskRecord } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { fillFleet, type FilledFleet } from '@carillon/testing/fleet';
import { Platform } from '@carillon/testing/platform';

const count = 50_000;
const online = 48_000;
/** Higher than what is set by default, so that the test takes seconds. */
const perSecond = 4_000;

let platform: Platform;
let filled: FilledFleet;

beforeAll(async () => {
  platform = await Platform.start({ name: 'task', devices: 0, env: { CARILLON_TASK_PER_SECOND: String(perSecond) } });
  filled = await fillFleet({ folder: platform.folder, socket: platform.socket, count, online });
});
afterAll(async () => {
  await filled?.close();
  await platform?.close();
});

const task = async (id: string): Promise<TaskRecord> => platform.call(getTask, { params: { id } });
/** The task, once it is so; asked again while nobody is there to answer. */
const once = (id: string, so: (of: TaskRecord) => boolean): Promise<TaskRecord> =>
  eventually(async () => {
    const now = await task(id);
    if (!so(now)) throw new Error(`the task is ${now.status}: ${JSON.stringify(now.counts)}`);
    return now;
  }, 150_000);

it('for 50,000 devices is accepted at once, keeps its rate, survives every process of the product, reaches each device once, and those that were offline when they come back in time [TASK-07/bus]', async () => {
  const log = platform.log('standalone');
  const began = performance.now();
  const { id, counts } = await platform.call(addTask, {
    body: { name: 'All', action: 'reboot', params: {}, target: { filter: {} } },
  });
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(counts.success).toBe(0);

  // All services and both gateways: while the devices get their rows, while they are told, while they answer.
  platform.kill('standalone');
  await log.line((line) => line['point'] === 'queued', 60_000);
  platform.kill('standalone');
  await once(id, (t) => t.expanded && t.counts.success > 5_000);
  platform.kill('postgres');
  await once(id, (t) => t.counts.success > 20_000);
  platform.kill('standalone');

  await once(id, (t) => t.counts.success === online);
  expect((await task(id)).counts).toEqual({
    total: count,
    success: online,
    fail: 0,
    timeout: 0,
    cancel: 0,
    process: 0,
    wait: count - online,
  });
  const {
    rows: [rate],
  } = await filled.task.query<{ most: number; average: number; seconds: number }>(`
    select max(n)::int as most,
      (count(*) / (extract(epoch from max(sent_at) - min(sent_at)) + 1))::float8 as average,
      extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds
    from (
      select sent_at,
        count(*) over (order by sent_at range between interval '1 second' preceding and current row) as n
      from task_device
      where sent_at is not null
    ) x
  `);
  // A second's worth may have been saved up.
  expect(rate!.most).toBeLessThanOrEqual(2 * perSecond);
  expect(rate!.average).toBeLessThanOrEqual(perSecond);
  expect(rate!.seconds).toBeGreaterThan(online / perSecond - 2);

  // Half of those that were offline come back in time, the others after it.
  const back = filled.devices.slice(online).map((d) => d.id);
  const [inTime, tooLate] = [back.slice(0, back.length / 2), back.slice(back.length / 2)];
  await filled.task.query(`update task_device set expires_at = now() where device_id = any($1::uuid[])`, [tooLate]);
  await filled.fleet.connect(inTime);
  await once(id, (t) => t.endedAt !== null);
  await filled.fleet.connect(tooLate);
  const ended = await task(id);
  expect([ended.status, ended.counts]).toEqual([
    'finished',
    { total: count, success: online + inTime.length, fail: 0, timeout: tooLate.length, cancel: 0, process: 0, wait: 0 },
  ]);

  const told = filled.devices.slice(0, online + inTime.length);
  expect(told.filter((d) => filled.fleet.done.get(d.id)?.size !== 1)).toEqual([]);
  expect(tooLate.filter((device) => filled.fleet.done.has(device))).toEqual([]);
});
