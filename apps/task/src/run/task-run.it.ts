import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  audit,
  cancelTask,
  getTask,
  listDeviceTasks,
  listTaskDevices,
  listTaskRuns,
  listTasks,
  permissionKeys,
  rerunTask,
  runTask,
  stopTask,
  type RouteInput,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor, type LinkedDevice } from '@carillon/testing';
import { RunRetention } from './run.retention.ts';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const noted: { action: string; objectId: string; result: string }[] = [];
const [hamburg, berlin] = [uuidv7(), uuidv7()];

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  await rig.bus.fanout({
    topics: [audit.name],
    from: 'end',
    handle: ({ records }) => {
      noted.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
});
afterAll(() => rig?.close());

type Body = RouteInput<typeof addTask>['body'];
const as = (actor: Actor) => rig.service.as(actor);
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
const tomorrow = minute(Date.now() + 86_400_000);
const timer = { type: 'timer', begin: tomorrow } as const;
const nightly = { type: 'cycle', begin: tomorrow, end: null, repeat: { every: 'day' } } as const;
const order = async (devices: readonly LinkedDevice[], more: Partial<Body> = {}, actor: Actor = rig.actor) =>
  (
    await as(actor)(addTask, {
      body: {
        name: 'Reboot',
        action: 'reboot',
        target: { ids: devices.map((d) => d.identity.deviceId) },
        timeZone: 'Etc/UTC',
        ...more,
      } as Body,
    })
  ).id;
const load = (id: string, actor: Actor = rig.actor) => as(actor)(getTask, { params: { id } });
const reaches = (id: string, what: object) =>
  eventually(async () => {
    const task = await load(id);
    expect(task).toMatchObject(what);
    return task;
  });
const runsOf = async (id: string, actor: Actor = rig.actor) =>
  (await as(actor)(listTaskRuns, { params: { id }, query: {} })).records;
const rerun = (id: string, only: 'all' | 'failed', actor: Actor = rig.actor) =>
  as(actor)(rerunTask, { params: { id }, body: { only } });
const run = (id: string, actor: Actor = rig.actor) => as(actor)(runTask, { params: { id } });
const seen = (device: LinkedDevice): Promise<string> =>
  eventually(async () => {
    const [row] = await rig.sql<{ id: string }>(
      `select command_id as id from task_device where device_id = $1 and status = 'process'`,
      [device.identity.deviceId],
    );
    return row!.id;
  });
const answer = async (device: LinkedDevice, status: 'success' | 'fail' = 'success') =>
  device.answer({ id: await seen(device), status, ...(status === 'fail' ? { code: 'busy' } : {}) });
/** Creates online devices. */
async function online(count: number, given: { orgId?: string } = {}): Promise<LinkedDevice[]> {
  const devices = await rig.devices(count, given);
  for (const device of devices) await device.online();
  return devices;
}
const error = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (e: { error: string }) => e.error,
  );

describe('run now [TASK-04/run]', () => {
  it('does not wait for the time of a task, and cancels the time of a timer', async () => {
    const devices = await online(1);
    const id = await order(devices, { schedule: timer });
    expect(await run(id)).toMatchObject({ runs: 1, dueAt: null });
    await answer(devices[0]!);
    await reaches(id, { status: 'success', runs: 1, dueAt: null });
    expect(await runsOf(id)).toMatchObject([{ cause: 'runNow', dueAt: null, status: 'success' }]);
    expect(await error(run(id))).toBe('task.notRunnable');
  });

  it('keeps the next time of a repeating task', async () => {
    const devices = await online(1);
    const id = await order(devices, { schedule: nightly });
    await run(id);
    expect(await error(run(id))).toBe('task.notRunnable');
    await answer(devices[0]!);
    await reaches(id, { status: 'wait', runs: 1, dueAt: `${tomorrow}:00.000Z`, counts: { success: 1 } });
    await run(id);
    await answer(devices[0]!, 'fail');
    await reaches(id, { status: 'wait', runs: 2, counts: { success: 0, fail: 1 } });
  });

  it('is refused for a task that runs at once', async () => {
    const id = await order(await rig.devices(1));
    expect(await error(run(id))).toBe('task.notRunnable');
  });
});

describe('re-run [TASK-04/rerun]', () => {
  it('uses all devices of the current target, and keeps earlier results', async () => {
    const devices = await online(2, { orgId: rig.actor.orgId });
    const id = await order([], {
      target: { filter: { name: devices.map((d) => `Phone ${Number(`0x${d.identity.mac}`)}`) } } as never,
    });
    await answer(devices[0]!);
    await answer(devices[1]!, 'fail');
    await reaches(id, { status: 'finished', runs: 1 });
    expect(await rerun(id, 'all')).toMatchObject({ runs: 2, status: 'wait', endedAt: null });
    await answer(devices[0]!);
    await answer(devices[1]!);
    await reaches(id, { status: 'success', runs: 2, counts: { total: 2, success: 2, fail: 0 } });
    expect(await runsOf(id)).toMatchObject([
      { run: 2, cause: 'rerun', status: 'success', counts: { success: 2, fail: 0 } },
      { run: 1, cause: 'schedule', status: 'finished', counts: { success: 1, fail: 1 } },
    ]);
  });

  it('uses only devices that failed or timed out', async () => {
    const devices = await online(3);
    const id = await order(devices);
    await answer(devices[0]!);
    await answer(devices[1]!, 'fail');
    await seen(devices[2]!);
    await rig.sql(`update task_device set expires_at = now() where task_id = $1 and device_id = $2`, [
      id,
      devices[2]!.identity.deviceId,
    ]);
    await reaches(id, { status: 'finished', counts: { success: 1, fail: 1, timeout: 1 } });
    await rerun(id, 'failed');
    await answer(devices[1]!);
    await answer(devices[2]!);
    await reaches(id, { status: 'success', runs: 2, counts: { total: 2, success: 2 } });
    const names = async (which: number) =>
      (await rig.call(listTaskDevices, { params: { id }, query: { run: which } })).records
        .map((r) => r.deviceId)
        .sort();
    expect(await names(2)).toEqual([devices[1]!, devices[2]!].map((d) => d.identity.deviceId).sort());
    expect((await names(1)).length).toBe(3);
    expect(await error(rerun(id, 'failed'))).toBe('task.nothingFailed');
  });

  it('shows a device both of its runs, the newer first', async () => {
    const devices = await online(1);
    const id = await order(devices);
    await answer(devices[0]!, 'fail');
    await reaches(id, { status: 'fail' });
    await rerun(id, 'failed');
    await answer(devices[0]!);
    await reaches(id, { status: 'success' });
    const { records } = await rig.call(listDeviceTasks, { params: { id: devices[0]!.identity.deviceId }, query: {} });
    expect(records.map((r) => [r.id, r.device.run, r.device.status])).toEqual([
      [id, 2, 'success'],
      [id, 1, 'fail'],
    ]);
  });

  it('leaves earlier runs unchanged when a device times out or leaves in a later one', async () => {
    const devices = await online(2);
    const id = await order(devices);
    await answer(devices[0]!);
    await answer(devices[1]!);
    await reaches(id, { status: 'success' });
    await rerun(id, 'all');
    await seen(devices[0]!);
    await seen(devices[1]!);
    await rig.sql(`update task_device set expires_at = now() where task_id = $1 and device_id = $2`, [
      id,
      devices[0]!.identity.deviceId,
    ]);
    await rig.publishDevice(devices[1]!, null);
    await reaches(id, { status: 'finished', counts: { total: 2, success: 0, fail: 1, timeout: 1 } });
    const statuses = async (which: number) =>
      (await rig.call(listTaskDevices, { params: { id }, query: { run: which } })).records.map((r) => r.status).sort();
    expect(await statuses(2)).toEqual(['fail', 'timeout']);
    expect(await statuses(1)).toEqual(['success', 'success']);
    expect(await runsOf(id)).toMatchObject([
      { status: 'finished', counts: { fail: 1, timeout: 1 } },
      { status: 'success', counts: { success: 2 } },
    ]);
  });

  it('waits until the devices left running by a stop have ended', async () => {
    const devices = await online(1);
    const id = await order(devices);
    await seen(devices[0]!);
    expect(await error(rerun(id, 'all'))).toBe('task.notRerunnable');
    await rig.call(stopTask, { params: { id } });
    expect(await error(rerun(id, 'all'))).toBe('task.notRerunnable');
    await answer(devices[0]!);
    await reaches(id, { counts: { process: 0, success: 1 } });
    expect(await rerun(id, 'all')).toMatchObject({ runs: 2 });
    await answer(devices[0]!);
    await reaches(id, { status: 'success' });
  });
});

describe('the end of a task that waits for its time [TASK-04/waiting]', () => {
  it.each(['stop', 'cancel'] as const)('is final by %s', async (how) => {
    const devices = await rig.devices(1);
    const id = await order(devices, { schedule: nightly });
    await rig.call(how === 'stop' ? stopTask : cancelTask, { params: { id } });
    expect(await load(id)).toMatchObject({ status: how, dueAt: null, runs: 0 });
    expect(await error(run(id))).toBe('task.notRunnable');
    const [{ due }] = (await rig.sql('select count(*)::int as due from task where id = $1 and due_at is not null', [
      id,
    ])) as [{ due: number }];
    expect(due).toBe(0);
  });

  it('works also between two runs, and keeps their results', async () => {
    const devices = await online(1);
    const id = await order(devices, { schedule: nightly });
    await run(id);
    await answer(devices[0]!);
    await reaches(id, { status: 'wait', counts: { success: 1 } });
    await rig.call(cancelTask, { params: { id } });
    expect(await load(id)).toMatchObject({ status: 'cancel', counts: { success: 1 } });
    expect(await runsOf(id)).toMatchObject([{ status: 'success', counts: { success: 1 } }]);
  });

  it('also stops the active run', async () => {
    const id = await order(await rig.devices(1), { schedule: nightly });
    await run(id);
    await reaches(id, { status: 'process', counts: { wait: 1 } });
    await rig.call(stopTask, { params: { id } });
    expect(await load(id)).toMatchObject({ status: 'stop', dueAt: null, counts: { cancel: 1 } });
    expect(await runsOf(id)).toMatchObject([{ status: 'stop', endedAt: expect.any(String) }]);
  });
});

describe('an old run', () => {
  it('keeps its sums, and its devices for a number of days; those of the last run stay', async () => {
    const [device] = await rig.devices(1);
    await device!.online();
    const id = await order([device!], { action: 'reboot' });
    for (let run = 1; run <= 3; run++) {
      await reaches(id, { runs: run, counts: { process: 1 } });
      await answer(device!);
      await reaches(id, { status: 'success', runs: run });
      if (run < 3) await rig.call(rerunTask, { params: { id }, body: { only: 'all' } });
    }
    const kept = async () =>
      (await rig.sql<{ run: number }>('select run from task_device where task_id = $1 order by run', [id])).map(
        (r) => r.run,
      );
    const old = (run: number, days: number) =>
      rig.sql(`update task_run set ended_at = now() - make_interval(days => $3) where task_id = $1 and run = $2`, [
        id,
        run,
        days,
      ]);
    const retention = rig.service.app.get(RunRetention);
    for (const [run, days] of [
      [1, 91],
      [2, 89],
      [3, 91],
    ] as const)
      await old(run, days);
    await retention.forget();
    expect(await kept()).toEqual([2, 3]);
    expect((await rig.call(listTaskDevices, { params: { id }, query: { run: 1 } })).total).toBe(0);
    const runs = (await rig.call(listTaskRuns, { params: { id }, query: {} })).records;
    expect(runs.map((r) => [r.run, r.counts.success])).toEqual([
      [3, 1],
      [2, 1],
      [1, 1],
    ]);
    expect((await load(id)).counts.total).toBe(1);
  });
});

describe('who may', () => {
  it('needs the permission to run or re-run and that of the action, and is logged [ROLE-03/run]', async () => {
    const id = await order(await rig.devices(1), { schedule: timer });
    const without = (...keys: string[]): Actor => ({
      ...rig.actor,
      permissions: permissionKeys.filter((key) => !keys.includes(key)),
    });
    expect(await error(run(id, without('runTask')))).toBe('common.forbidden');
    expect(await error(run(id, without('rebootDevice')))).toBe('common.forbidden');
    expect(await error(rerun(id, 'all', without('rerunTask')))).toBe('common.forbidden');
    expect(await error(rerun(id, 'all', without('rebootDevice')))).toBe('common.forbidden');
    await run(id);
    await eventually(() =>
      expect(noted.filter((n) => n.objectId === id && n.action === 'task.run').map((n) => n.result)).toContain(
        'success',
      ),
    );
  });

  it('sees all of it or ordered it', async () => {
    const boss: Actor = { ...rig.actor, userId: uuidv7() };
    const anna: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [hamburg] };
    const devices = [...(await online(1, { orgId: hamburg })), ...(await online(1, { orgId: berlin }))];
    const id = await order(devices, { schedule: nightly }, boss);
    // For a waiting task they see that it will reach their devices, but no figures.
    expect(await load(id, anna)).toMatchObject({ whole: false, counts: { total: 0 } });
    expect(await error(run(id, anna))).toBe('task.partlySeen');
    await run(id, boss);
    for (const device of devices) await answer(device);
    await reaches(id, { status: 'wait', counts: { success: 2 } });
    await run(id, boss);
    await answer(devices[0]!);
    await answer(devices[1]!, 'fail');
    await reaches(id, { status: 'wait', runs: 2 });
    // The counts of each run cover the devices that they see.
    expect((await runsOf(id, anna)).map((r) => [r.run, r.counts.total, r.counts.success, r.counts.fail])).toEqual([
      [2, 1, 1, 0],
      [1, 1, 1, 0],
    ]);
    expect(await error(run(id, anna))).toBe('task.partlySeen');
    const nobody: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [uuidv7()] };
    expect(await error(runsOf(id, nobody))).toBe('common.notFound');
    expect((await as(nobody)(listTasks, { query: {} })).total).toBe(0);
  });

  it('keeps the sums of earlier runs correct when a device moves to another organization', async () => {
    const [from, to] = [uuidv7(), uuidv7()];
    const there: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [to] };
    const devices = await online(2, { orgId: from });
    const id = await order(devices, { schedule: nightly });
    for (let n = 0; n < 2; n++) {
      await run(id);
      for (const device of devices) await answer(device);
      await reaches(id, { status: 'wait', runs: n + 1, counts: { success: 2 } });
    }
    await rig.publishDevice(devices[0]!, { orgId: to });
    await eventually(async () =>
      expect((await runsOf(id, there)).map((r) => [r.run, r.counts.total, r.counts.success])).toEqual([
        [2, 1, 1],
        [1, 1, 1],
      ]),
    );
    expect((await runsOf(id)).map((r) => r.counts.success)).toEqual([2, 2]);
    expect(await load(id)).toMatchObject({ status: 'wait', counts: { total: 2 } });
  });
});
