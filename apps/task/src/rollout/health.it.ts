import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  alarmKinds,
  getTask,
  message,
  resumeTask,
  type TaskHealth,
  type TaskRollout,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const published: { type: number; objectName?: string | null; values?: Record<string, unknown> }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 200, taskPerSecond: 0 });
  await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: (batch) => {
      for (const record of batch.records) {
        const data = fromRecord(message, record)?.data;
        if (data && 'type' in data) published.push(data as never);
      }
    },
  });
});
afterAll(() => rig?.close());

const now = (id: string) => rig.call(getTask, { params: { id } });
const toldOf = (devices: readonly LinkedDevice[]) =>
  rig.commands.filter((c) => devices.some((d) => d.identity.deviceId === c.deviceId));
const online = (devices: readonly LinkedDevice[], count: number) =>
  eventually(async () => {
    const [row] = await rig.sql<{ n: number }>(
      'select count(*)::int as n from link_session where online and device_id = any($1::uuid[])',
      [devices.map((d) => d.identity.deviceId)],
    );
    expect(row!.n).toBe(count);
  });

async function fleet(count: number): Promise<LinkedDevice[]> {
  const all = await rig.devices(count);
  await Promise.all(all.map((device) => device.online()));
  await online(all, count);
  return all;
}

/** Creates a task and completes its first stage; returns its devices and the others. */
async function firstStage(
  devices: readonly LinkedDevice[],
  name: string,
  count: number,
  rollout: TaskRollout,
): Promise<{ id: string; changed: LinkedDevice[]; rest: LinkedDevice[] }> {
  const { id } = await rig.call(addTask, {
    body: { name, action: 'reboot', target: { ids: devices.map((d) => d.identity.deviceId) }, rollout },
  });
  const changed = await done(devices, count);
  return { id, changed, rest: devices.filter((d) => !changed.includes(d)) };
}

const answered = new Set<string>();
/** Waits until this many devices were started in total; new ones complete their command. */
async function done(devices: readonly LinkedDevice[], count: number): Promise<LinkedDevice[]> {
  await eventually(() => expect(toldOf(devices)).toHaveLength(count));
  const fresh = toldOf(devices).filter((c) => !answered.has(c.id));
  return Promise.all(
    fresh.map(async ({ id, deviceId }) => {
      answered.add(id);
      const device = devices.find((d) => d.identity.deviceId === deviceId)!;
      await device.answer({ id, status: 'success' });
      return device;
    }),
  );
}

const watching = (id: string, stage: number): Promise<TaskHealth> =>
  eventually(async () => {
    const { health } = await now(id);
    expect(health).toMatchObject({ stage, found: null });
    return health!;
  });
/** Ends the watch, which would last a minute or more. */
const endWatch = (id: string) =>
  rig.sql(`update task set health = health || jsonb_build_object('endsAt', now()) where id = $1`, [id]);
/** Publishes a failed line as the device service does, and waits until it is known. */
async function lineFails(device: LinkedDevice, failedLines = 1): Promise<void> {
  await rig.publishDevice(device, { failedLines });
  await eventually(async () => {
    const [row] = await rig.sql<{ n: number }>('select failed_lines as n from device_copy where id = $1', [
      device.identity.deviceId,
    ]);
    expect(row!.n).toBe(failedLines);
  });
}

it('a stage that fares no worse than the rest is followed by the next after its watch', async () => {
  const all = await fleet(20);
  const { id, changed, rest } = await firstStage(all, 'Well', 5, {
    stages: [25, 100],
    pauseAt: 50,
    health: { minutes: 10, pauseAt: 20 },
  });
  const { beganAt, endsAt } = await watching(id, 1);
  expect(Date.parse(endsAt) - Date.parse(beganAt)).toBe(600_000);
  expect((await now(id)).rollout!.health).toEqual({ minutes: 10, pauseAt: 20 });
  // One of five and three of fifteen: the same share.
  for (const device of [changed[0]!, ...rest.slice(0, 3)]) await device.offline();
  for (const device of [changed[1]!, ...rest.slice(3, 6)]) await lineFails(device);
  await online(all, 16);
  // A task without a watch continues meanwhile, so both were checked.
  const beside = await fleet(2);
  await firstStage(beside, 'Beside', 1, { stages: [50, 100], pauseAt: 50 });
  await done(beside, 2);
  expect(await now(id)).toMatchObject({ stage: 1, pausedAt: null, health: { found: null } });
  expect(toldOf(all)).toHaveLength(5);
  await endWatch(id);
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 2, pausedAt: null }));
  expect((await now(id)).health!.found).toEqual({
    changed: { devices: 5, offline: 1, lines: 1, restarts: 0 },
    rest: { devices: 15, offline: 3, lines: 3, restarts: 0 },
    worse: [],
  });
  await done(all, 17);
  expect(published.filter((m) => m.objectName === 'Well')).toEqual([]);
});

it('a stage that fares worse than the rest pauses the task with the figures, until a user resumes it', async () => {
  const all = await fleet(20);
  const { id, changed, rest } = await firstStage(all, 'Unwell', 5, {
    stages: [25, 100],
    pauseAt: 50,
    health: { minutes: 10, pauseAt: 20 },
  });
  await watching(id, 1);
  await changed[0]!.offline();
  await changed[1]!.offline();
  await lineFails(changed[1]!);
  await lineFails(changed[2]!);
  await rest[0]!.offline();
  await online(all, 17);
  await endWatch(id);
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 1, pausedFor: 'health' }));
  const { health, status, counts } = await now(id);
  expect([status, counts.success]).toEqual(['process', 5]);
  expect(health!.found).toEqual({
    changed: { devices: 5, offline: 2, lines: 2, restarts: 0 },
    rest: { devices: 15, offline: 1, lines: 0, restarts: 0 },
    worse: ['offline', 'lines'],
  });
  await eventually(() =>
    expect(published.filter((m) => m.objectName === 'Unwell')).toMatchObject([
      { type: alarmKinds.taskFailed, values: { unwell: 3, total: 5 } },
    ]),
  );
  expect(toldOf(all)).toHaveLength(5);
  expect(await rig.call(resumeTask, { params: { id } })).toMatchObject({ pausedAt: null });
  await done(all, 19);
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 2, health: { stage: 1 } }));
});

it('counts crashes but not commanded restarts, and each watch judges its own devices', async () => {
  const all = await fleet(20);
  const { id, changed, rest } = await firstStage(all, 'Falls', 5, {
    stages: [25, 50, 100],
    pauseAt: 50,
    health: { minutes: 10, pauseAt: 40 },
  });
  await watching(id, 1);
  const falls = async (device: LinkedDevice, boot: 'power' | 'reboot') => {
    await device.online();
    await device.back({ boot, epoch: device.epoch });
  };
  for (const device of changed.slice(0, 2)) await falls(device, 'power');
  await falls(changed[2]!, 'reboot');
  await falls(rest[0]!, 'power');
  await eventually(async () => {
    const ids = [changed[0]!, changed[1]!, rest[0]!].map((d) => d.identity.deviceId);
    expect(await rig.sql('select device_id from device_restart where device_id = any($1::uuid[])', [ids])).toHaveLength(
      3,
    );
  });
  await endWatch(id);
  // 40 % of five, against 7 % of fifteen.
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 2, pausedAt: null }));
  expect((await now(id)).health!.found).toEqual({
    changed: { devices: 5, offline: 0, lines: 0, restarts: 2 },
    rest: { devices: 15, offline: 0, lines: 0, restarts: 1 },
    worse: [],
  });
  const second = await done(all, 10);
  const { judgedUntil } = await watching(id, 2);
  expect(judgedUntil).not.toBeNull();
  for (const device of second.slice(0, 3)) await falls(device, 'power');
  await eventually(async () => {
    const ids = second.slice(0, 3).map((d) => d.identity.deviceId);
    expect(await rig.sql('select device_id from device_restart where device_id = any($1::uuid[])', [ids])).toHaveLength(
      3,
    );
  });
  await endWatch(id);
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 2, pausedFor: 'health' }));
  expect((await now(id)).health!.found).toMatchObject({
    changed: { devices: 5, restarts: 3 },
    rest: { devices: 10, restarts: expect.any(Number) },
    worse: ['restarts'],
  });
});

it('a device that is offline throughout is not in the rest, and crashes are recorded only in a watch', async () => {
  const all = await rig.devices(10);
  await Promise.all(all.slice(0, 6).map((device) => device.online()));
  await online(all, 6);
  await all[0]!.back({ boot: 'power', epoch: all[0]!.epoch });
  const { id } = await firstStage(all.slice(0, 6), 'Few', 3, {
    stages: [50, 100],
    pauseAt: 50,
    health: { minutes: 1, pauseAt: 100 },
  });
  await watching(id, 1);
  expect(await rig.sql('select 1 from device_restart where device_id = $1', [all[0]!.identity.deviceId])).toEqual([]);
  await endWatch(id);
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 2 }));
  expect((await now(id)).health!.found!.rest.devices).toBe(3);
});

it('refuses an invalid watch by field, and hides it from other companies', async () => {
  const [device] = await fleet(1);
  for (const [health, path] of [
    [{ minutes: 0, pauseAt: 5 }, 'rollout.health.minutes'],
    [{ minutes: 1_441, pauseAt: 5 }, 'rollout.health.minutes'],
    [{ minutes: 10, pauseAt: 0 }, 'rollout.health.pauseAt'],
  ] as const)
    await expect(
      rig.call(addTask, {
        body: {
          name: 'Refused',
          action: 'reboot',
          target: { ids: [device!.identity.deviceId] },
          rollout: { stages: [50, 100], pauseAt: 5, health },
        },
      }),
    ).rejects.toMatchObject({ fields: [{ path }] });
  const { id } = await rig.call(addTask, {
    body: { name: 'Mine', action: 'reboot', target: { ids: [device!.identity.deviceId] } },
  });
  await expect(rig.service.as(newActor())(getTask, { params: { id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
});
