// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  cancelTask,
  getTask,
  listDevices,
  listTaskRuns,
  rerunTask,
  runTask,
  stopTask,
  type RouteInput,
  type TaskRecord,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** Scheduled tasks in the whole product, from the call to the device. */
const count = 4;
let platform: Platform;
/** Connected devices, and one that never connects. */
let devices: { id: string; mac: string }[];
let away: { id: string; mac: string };

beforeAll(async () => {
  platform = await Platform.start({
    name: 'schedule',
    devices: count + 1,
    online: count,
    args: ['--behaviour', `offline=1,normal=${count}`],
  });
  await platform.allOnline(count);
  const { records } = await platform.call(listDevices, { query: { sort: 'mac' } });
  const { mac } = (await platform.devices()).find((d) => d.behaviour === 'offline')!;
  away = records.find((d) => d.mac === mac)!;
  devices = records.filter((d) => d.mac !== mac);
});
afterAll(() => platform?.close());

type Of = readonly { id: string; mac: string }[];
const order = (devices: Of, more: Partial<RouteInput<typeof addTask>['body']>) =>
  platform.call(addTask, {
    body: { name: 'Reboot', action: 'reboot', target: { ids: devices.map((d) => d.id) }, timeZone: 'Etc/UTC', ...more },
  });
const become = (id: string, like: object): Promise<TaskRecord> =>
  eventually(async () => {
    const task = await platform.call(getTask, { params: { id } });
    expect(task).toMatchObject(like);
    return task;
  }, 240_000);
/** Returns how often each device rebooted, by its own count. */
const reboots = async (devices: Of): Promise<number[]> => {
  const effects = await platform.effects();
  return devices.map(({ mac }) => effects.get(mac)?.reduce((sum, e) => sum + e.count, 0) ?? 0);
};
const runsOf = async (id: string) => (await platform.call(listTaskRuns, { params: { id }, query: {} })).records;

it('scheduled and repeating tasks run at their time, once per device, although every process dies before', async () => {
  const [once, nightly] = [devices.slice(0, 2), devices.slice(2, 4)];
  const before = await reboots(devices);
  // The next minute that leaves time to order and to kill.
  const at = new Date(Math.ceil((Date.now() + 20_000) / 60_000) * 60_000);
  const begin = at.toISOString().slice(0, 16);
  const dayAfter = new Date(at.getTime() + 86_400_000).toISOString();
  const timer = await order(once, { schedule: { type: 'timer', begin } });
  const cycle = await order(nightly, {
    schedule: { type: 'cycle', begin, end: null, repeat: { every: 'day' } },
    durationMinutes: 60,
  });
  for (const task of [timer, cycle]) expect(task).toMatchObject({ status: 'wait', dueAt: at.toISOString(), runs: 0 });
  platform.kill('standalone');

  await become(timer.id, { status: 'success', runs: 1, missed: 0, dueAt: null, counts: { total: 2, success: 2 } });
  await become(cycle.id, { status: 'wait', runs: 1, missed: 0, dueAt: dayAfter, counts: { total: 2, success: 2 } });
  for (const { id } of [timer, cycle])
    expect(await runsOf(id)).toMatchObject([{ run: 1, cause: 'schedule', dueAt: at.toISOString(), status: 'success' }]);
  expect(await reboots(devices)).toEqual(before.map((n) => n + 1));

  await platform.allOnline(count);
  await platform.call(rerunTask, { params: { id: timer.id }, body: { only: 'all' } });
  await platform.call(runTask, { params: { id: cycle.id } });
  await become(timer.id, { status: 'success', runs: 2, counts: { total: 2, success: 2 } });
  await become(cycle.id, { status: 'wait', runs: 2, dueAt: dayAfter, counts: { total: 2, success: 2 } });
  expect(await reboots(devices)).toEqual(before.map((n) => n + 2));
  expect((await runsOf(timer.id)).map((r) => r.cause)).toEqual(['rerun', 'schedule']);
  expect((await runsOf(cycle.id)).map((r) => r.cause)).toEqual(['runNow', 'schedule']);
  expect(await platform.call(stopTask, { params: { id: cycle.id } })).toMatchObject({ status: 'stop', dueAt: null });
});

it('a task is run, stopped, canceled, and run again on all or on failed devices [TASK-04]', async () => {
  await platform.allOnline(count);
  const [good, bad] = [devices[0]!, devices[1]!];
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const later = { schedule: { type: 'timer', begin: tomorrow } } as const;
  const did = async (before: readonly number[]) => (await reboots(devices)).map((n, i) => n - before[i]!);
  const before = await reboots(devices);

  // Runs a task now that would wait until tomorrow. One of its devices fails.
  await platform.behave([bad.mac], 'failing');
  const { id } = await order([good, bad], later);
  await platform.call(runTask, { params: { id } });
  await become(id, { status: 'finished', runs: 1, dueAt: null, counts: { success: 1, fail: 1 } });
  expect(await did(before)).toEqual([1, 0, 0, 0]);

  // Runs again only the failed device, then all.
  await platform.behave([bad.mac], 'normal');
  await platform.allOnline(count);
  await platform.call(rerunTask, { params: { id }, body: { only: 'failed' } });
  await become(id, { status: 'success', runs: 2, counts: { total: 1, success: 1 } });
  expect(await did(before)).toEqual([1, 1, 0, 0]);
  await platform.allOnline(count);
  await platform.call(rerunTask, { params: { id }, body: { only: 'all' } });
  await become(id, { status: 'success', runs: 3, counts: { total: 2, success: 2 } });
  expect(await did(before)).toEqual([2, 2, 0, 0]);
  expect((await runsOf(id)).map((r) => [r.run, r.status])).toEqual([
    [3, 'success'],
    [2, 'success'],
    [1, 'finished'],
  ]);

  // A task that was cancelled before its time cannot run. Stopping cancels the commands of offline devices.
  const cancelled = await order([devices[2]!], later);
  expect(await platform.call(cancelTask, { params: { id: cancelled.id } })).toMatchObject({ status: 'cancel' });
  await expect(platform.call(runTask, { params: { id: cancelled.id } })).rejects.toMatchObject({
    error: 'task.notRunnable',
  });
  const stopped = await order([away, devices[3]!], {});
  await become(stopped.id, { status: 'process', counts: { wait: 1, success: 1 } });
  expect(await platform.call(stopTask, { params: { id: stopped.id } })).toMatchObject({
    status: 'stop',
    counts: { success: 1, cancel: 1, wait: 0 },
  });
  expect(await did(before)).toEqual([2, 2, 0, 1]);
});
