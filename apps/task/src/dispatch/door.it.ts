import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import {
  addFreezePeriod,
  addTask,
  deleteFreezePeriod,
  getTask,
  listTaskDevices,
  permissionKeys,
  rerunTask,
  type RouteCall,
  type TaskRecord,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { contextHeader, signContext, verifyContext } from '@carillon/tenancy';
import { eventually, newActor, testPostgres, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
let admin: pg.Client;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  const { host, port, user, password } = await testPostgres();
  admin = new pg.Client({ host, port, user, password, database: rig.service.database.name });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await rig?.close();
});

type Body = RouteCall<typeof addTask>['body'];
const lifeMs = 10_000;
const doors = (count: number, given = {}) =>
  rig.devices(count, { capabilities: ['doorControl', 'reboot'], doorCount: 2, ...given });
const body = (devices: readonly LinkedDevice[], more: Partial<Body> = {}): Body => ({
  name: 'Open',
  action: 'doorControl',
  params: { command: 'open', door: 1 },
  target: { ids: devices.map((d) => d.identity.deviceId) },
  push: false,
  schedule: { type: 'now' },
  durationMinutes: null,
  sync: 0,
  versionRange: null,
  rollout: null,
  overrideFreeze: false,
  pace: null,
  ...more,
});
const order = (devices: readonly LinkedDevice[], more: Partial<Body> = {}): Promise<TaskRecord> =>
  rig.call(addTask, { body: body(devices, more) });
const rows = async (id: string) =>
  (await rig.call(listTaskDevices, { params: { id }, query: { sort: 'name' } })).records;
const seen = (device: LinkedDevice) =>
  rig.commands.filter((c) => c.deviceId === device.identity.deviceId) as unknown as {
    id: string;
    action: string;
    args: object;
    expiresAt: number;
  }[];
const become = (id: string, like: object) =>
  eventually(async () => expect(await rig.call(getTask, { params: { id } })).toMatchObject(like));
/** Waits until everything earlier is sent, because the process sends in order. */
async function nothingIsLeftToSend(): Promise<void> {
  const [last] = await doors(1);
  await last!.online();
  const { id } = await order([last!], { action: 'reboot', params: {} });
  await become(id, { counts: { process: 1 } });
  await eventually(() => expect(seen(last!)).toHaveLength(1));
}
async function online(count: number, given = {}): Promise<LinkedDevice[]> {
  const devices = await doors(count, given);
  for (const device of devices) await device.online();
  await eventually(async () =>
    expect(
      await rig.sql('select device_id from link_session where online and device_id = any($1::uuid[])', [
        devices.map((d) => d.identity.deviceId),
      ]),
    ).toHaveLength(count),
  );
  return devices;
}

describe('a door command', () => {
  it('is sent at once with 10 s from its order, and its device reports the result', async () => {
    const [device] = await online(1);
    const task = await order([device!], { params: { command: 'close', door: 2 } });
    await eventually(() => expect(seen(device!)).toHaveLength(1));
    const [command] = seen(device!);
    expect(command).toMatchObject({ action: 'doorControl', args: { command: 'close', door: 2 } });
    const life = command!.expiresAt - Date.parse(task.createdAt);
    expect(life).toBeGreaterThan(lifeMs - 1_000);
    expect(life).toBeLessThanOrEqual(lifeMs);
    await device!.say({ id: command!.id, status: 'success' });
    await become(task.id, { status: 'success' });
  });

  it('fails at once at a device that is offline, and nothing goes out when that comes back', async () => {
    const [device] = await doors(1);
    const { id } = await order([device!]);
    await become(id, { status: 'fail', counts: { fail: 1 } });
    expect(await rows(id)).toMatchObject([{ status: 'fail', code: 'offline', message: 'The device is offline' }]);
    await device!.online();
    await nothingIsLeftToSend();
    expect(seen(device!)).toEqual([]);
  });

  it('fails at once at a device that went offline before its turn, and is not kept [TASK-03]', async () => {
    const [first, second] = await online(2);
    const { id } = await order([first!, second!], { sync: 1 });
    await become(id, { counts: { process: 1, wait: 1 } });
    await eventually(() => expect([first!, second!].flatMap(seen)).toHaveLength(1));
    const [isFirst, waits] = seen(first!).length === 1 ? [first!, second!] : [second!, first!];
    await waits.offline();
    await eventually(async () =>
      expect(
        await rig.sql('select from link_session where not online and device_id = $1', [waits.identity.deviceId]),
      ).toHaveLength(1),
    );
    await isFirst.say({ id: seen(isFirst)[0]!.id, status: 'success' });
    await become(id, { status: 'finished', counts: { success: 1, fail: 1 } });
    expect((await rows(id)).find((r) => r.deviceId === waits.identity.deviceId)).toMatchObject({ code: 'offline' });
    await waits.online();
    await nothingIsLeftToSend();
    expect(seen(waits)).toEqual([]);
  });

  it('is not sent again into a newer connection, unlike other commands', async () => {
    const [device] = await online(1);
    const { id } = await order([device!]);
    const reboot = await order([device!], { action: 'reboot', params: {} });
    await eventually(() => expect(seen(device!)).toHaveLength(2));
    await device!.online();
    await eventually(() => expect(seen(device!).filter((c) => c.action === 'reboot')).toHaveLength(2));
    await device!.online();
    await eventually(() => expect(seen(device!).filter((c) => c.action === 'reboot')).toHaveLength(3));
    expect(seen(device!).filter((c) => c.action === 'doorControl')).toHaveLength(1);
    await become(reboot.id, { counts: { process: 1 } });
    await become(id, { counts: { process: 1 } });
  });

  it('lives from the click: what was on its way for 4 s has 6 s left, what was for 11 s is never sent', async () => {
    const [device] = await online(1);
    const { contextKey, headersOf, app } = rig.service;
    const context = verifyContext(headersOf(rig.actor)[contextHeader], contextKey)!;
    const late = async (ms: number): Promise<string> => {
      const answer = await app
        .getHttpAdapter()
        .getInstance()
        .inject({
          method: 'POST',
          url: '/api/f/task/task',
          headers: { [contextHeader]: signContext({ ...context, askedAt: Date.now() - ms }, contextKey) },
          payload: body([device!]),
        });
      return (JSON.parse(answer.body) as { data: TaskRecord }).data.id;
    };
    const before = Date.now();
    await late(4_000);
    await eventually(() => expect(seen(device!)).toHaveLength(1));
    expect(seen(device!)[0]!.expiresAt - before).toBeGreaterThan(4_000);
    expect(seen(device!)[0]!.expiresAt - before).toBeLessThanOrEqual(7_000);
    const id = await late(11_000);
    await become(id, { status: 'timeout' });
    expect(await rows(id)).toMatchObject([{ status: 'timeout', code: 'expired' }]);
    await nothingIsLeftToSend();
    expect(seen(device!)).toHaveLength(1);
  });

  it('is never sent when its process died and it is found after its expiry', async () => {
    const [device] = await online(1);
    // Blocks the creation of rows, as if no process were running.
    await admin.query('begin');
    await admin.query(`select pg_advisory_xact_lock(hashtextextended('task device ' || $1, 0))`, [rig.actor.companyId]);
    const { id } = await order([device!]);
    await rig.sql(`update task set window_ends_at = now() - interval '1 second' where id = $1`, [id]);
    await admin.query('commit');
    await become(id, { status: 'timeout', counts: { timeout: 1 } });
    expect(await rows(id)).toMatchObject([{ code: 'expired', message: 'Not reached in time' }]);
    await nothingIsLeftToSend();
    expect(seen(device!)).toEqual([]);
  });

  it('is not delayed past its lifetime by any limit, stage or duration, but times out', async () => {
    const devices = await online(2);
    const bounded = await order(devices, { sync: 1, durationMinutes: 60 });
    await become(bounded.id, { counts: { process: 1, wait: 1 } });
    const staged = await order(devices, { rollout: { stages: [50, 100], pauseAt: 100 }, durationMinutes: 60 });
    await become(staged.id, { status: 'process', expanded: true, counts: { process: 1 } });
    await eventually(() => expect(devices.flatMap(seen)).toHaveLength(2));
    const [later] = await rig.sql<{ ms: number }>(
      `select (extract(epoch from max(expires_at) - now()) * 1000)::float8 as ms from task_device
       where task_id = any($1::uuid[])`,
      [[bounded.id, staged.id]],
    );
    expect(later!.ms).toBeLessThanOrEqual(lifeMs);
    for (const table of ['task', 'task_device'])
      await rig.sql(
        table === 'task'
          ? `update task set window_ends_at = now() - interval '3 seconds' where id = any($1::uuid[])`
          : `update task_device set expires_at = now() - interval '3 seconds' where task_id = any($1::uuid[])`,
        [[bounded.id, staged.id]],
      );
    for (const { id } of [bounded, staged]) {
      await eventually(async () =>
        expect((await rig.call(getTask, { params: { id } })).endedAt).toEqual(expect.any(String)),
      );
      expect((await rig.call(getTask, { params: { id } })).counts).toMatchObject({ success: 0, process: 0, wait: 0 });
    }
    await nothingIsLeftToSend();
    expect(devices.flatMap(seen)).toHaveLength(2);
  });

  it('ignores freeze periods', async () => {
    const minute = (fromNow: number): string => new Date(Date.now() + fromNow * 60_000).toISOString().slice(0, 16);
    const freeze = await rig.call(addFreezePeriod, {
      body: { name: 'Fair', siteIds: [], begin: minute(-1), end: minute(60), timeZone: 'Etc/UTC' },
    });
    const [device] = await online(1);
    await order([device!]);
    await eventually(() => expect(seen(device!)).toHaveLength(1));
    await rig.call(deleteFreezePeriod, { query: { id: freeze.id } });
  });

  it('accepts an answer shortly after its end, and without one never claims that it was not reached', async () => {
    const [device] = await online(1);
    const answered = await order([device!]);
    const silent = await order([device!]);
    await eventually(() => expect(seen(device!)).toHaveLength(2));
    const age = (id: string, by: string) =>
      rig.sql(`update task_device set expires_at = now() - $2::interval where task_id = $1`, [id, by]);
    await age(silent.id, '3 seconds');
    await become(silent.id, { status: 'timeout' });
    expect(await rows(silent.id)).toMatchObject([{ code: 'noAnswer', message: 'No answer' }]);
    await age(answered.id, '1 second');
    const row = await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1', [
      answered.id,
    ]);
    await device!.say({ id: row[0]!.id, status: 'success' });
    await become(answered.id, { status: 'success' });
  });

  it('of a schedule lives from its due time, and a missed one is not made up', async () => {
    const [device] = await online(1);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    const timer = { schedule: { type: 'timer', begin: tomorrow }, timeZone: 'Etc/UTC', durationMinutes: 60 } as const;
    const [soon, missed] = [await order([device!], timer), await order([device!], timer)];
    const due = async (id: string, ago: string) =>
      (
        await rig.sql<{ at: Date }>(
          'update task set due_at = now() - $2::interval where id = $1 returning due_at as at',
          [id, ago],
        )
      )[0]!.at;
    const at = await due(soon.id, '3 seconds');
    await eventually(() => expect(seen(device!)).toHaveLength(1));
    expect(Math.abs(seen(device!)[0]!.expiresAt - new Date(at).getTime() - lifeMs)).toBeLessThan(10);
    await due(missed.id, '11 seconds');
    await become(missed.id, { status: 'timeout', missed: 1, runs: 0 });
    await nothingIsLeftToSend();
    expect(seen(device!)).toHaveLength(1);
  });

  it('is a new order when its task runs again', async () => {
    const [device] = await online(1);
    const { id } = await order([device!]);
    await eventually(() => expect(seen(device!)).toHaveLength(1));
    await device!.say({ id: seen(device!)[0]!.id, status: 'fail', code: 'clock' });
    await become(id, { status: 'fail' });
    const before = Date.now();
    await rig.call(rerunTask, { params: { id }, body: { only: 'all' } });
    await eventually(() => expect(seen(device!)).toHaveLength(2));
    const [first, second] = seen(device!);
    expect(second!.id).not.toBe(first!.id);
    expect(second!.expiresAt - before).toBeGreaterThan(lifeMs - 1_000);
  });
});

describe('an order', () => {
  it('that is sent twice under one id is one, also at the same moment, and is someone else’s under theirs', async () => {
    const [device] = await online(1);
    const orderId = uuidv7();
    const both = await Promise.all([1, 2, 3].map(() => order([device!], { orderId })));
    expect(new Set(both.map((task) => task.id)).size).toBe(1);
    expect((await order([device!], { orderId, name: 'Again' })).id).toBe(both[0]!.id);
    const colleague = { ...rig.actor, userId: uuidv7() };
    expect((await rig.service.as(colleague)(addTask, { body: body([device!], { orderId }) })).id).not.toBe(both[0]!.id);
    await nothingIsLeftToSend();
    expect(seen(device!)).toHaveLength(2);
  });

  it('for a missing door is refused with the reason, and nothing is sent [TASK-02/door]', async () => {
    const [one] = await online(1, { doorCount: 1 });
    const [none] = await online(1, { doorCount: 0 });
    const { id } = await order([one!, none!], { params: { command: 'open', door: 2 } });
    await become(id, { status: 'fail', counts: { fail: 2 } });
    expect((await rows(id)).map((r) => [r.code, r.message])).toEqual([
      ['noDoor', 'It doesn’t have this door'],
      ['noDoor', 'It doesn’t have this door'],
    ]);
    expect([one!, none!].flatMap(seen)).toEqual([]);
  });

  it('B23: is given by nobody without the right to it, and for no device of another company', async () => {
    const [device] = await online(1);
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => 'given',
        (e: { error: string }) => e.error,
      );
    const without = { ...rig.actor, permissions: permissionKeys.filter((key) => key !== 'controlDoor') };
    expect(await refusal(rig.service.as(without)(addTask, { body: body([device!]) }))).toBe('common.forbidden');
    expect(await refusal(rig.service.as(newActor())(addTask, { body: body([device!]) }))).toBe(
      'device.pushTargetMissing',
    );
    await nothingIsLeftToSend();
    expect(seen(device!)).toEqual([]);
  });
});
