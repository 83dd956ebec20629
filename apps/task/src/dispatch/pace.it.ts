import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask, listTaskDevices, stopTask, type RouteInput } from '@carillon/contracts';
import { eventually, testPostgres, type LinkedDevice } from '@carillon/testing';
import { secondDispatch, taskRig, type SentCommand, type TaskRig } from '../task-test.ts';
import type { DispatchService } from './dispatch.service.ts';

const settings = { taskTickMs: 100, taskChunk: 10, taskSendBatch: 7, taskPerSecond: 0 };
type Pace = NonNullable<RouteInput<typeof addTask>['body']['pace']>;
const retry = { tries: 3, of: ['busy', 'interrupted', 'timeout'], firstSeconds: 600 } satisfies Pace['retry'];

let rig: TaskRig;
let second: DispatchService;
beforeAll(async () => {
  rig = await taskRig(settings);
  // A second process of the service with its own tick: either of the two may do the work.
  second = secondDispatch(rig, { ...settings, taskPatience: 1 });
  second.onApplicationBootstrap();
});
afterAll(async () => {
  await second?.onApplicationShutdown();
  await rig?.close();
});

const order = async (devices: readonly LinkedDevice[], pace: Partial<Pace>, more: Record<string, unknown> = {}) =>
  (
    await rig.call(addTask, {
      body: {
        name: 'Reboot',
        action: 'reboot',
        target: { ids: devices.map((d) => d.identity.deviceId) },
        pace: pace as Pace,
        ...more,
      },
    })
  ).id;
const online = async (devices: readonly LinkedDevice[]): Promise<void> => {
  await Promise.all(devices.map((d) => d.online()));
  await eventually(async () =>
    expect(
      await rig.sql('select count(*)::int as n from link_session where online and device_id = any($1::uuid[])', [
        devices.map((d) => d.identity.deviceId),
      ]),
    ).toEqual([{ n: devices.length }]),
  );
};
/** Returns the commands that a device received, each once. */
const sentTo = ({ identity }: LinkedDevice): SentCommand[] =>
  [...new Map(rig.commands.map((c) => [c.id, c])).values()].filter((c) => c.deviceId === identity.deviceId);
const nth = (device: LinkedDevice, n: number): Promise<SentCommand> =>
  eventually(() => {
    const all = sentTo(device);
    if (all.length < n) throw new Error(`${all.length} commands`);
    return all[n - 1]!;
  });
const rowOf = async (taskId: string) => (await rig.call(listTaskDevices, { params: { id: taskId } })).records[0]!;
const secondsBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 1_000);
const isAt = (taskId: string, tryNumber: number) =>
  eventually(async () => expect(await rowOf(taskId)).toMatchObject({ status: 'wait', tryNumber }));
/** Ends the wait. */
const letGo = (taskId: string) =>
  rig.sql('update task_device set not_before = now() where task_id = $1 and not_before is not null', [taskId]);

describe('a device that fails for a reason that a retry may fix', () => {
  it('is retried with a new command and doubled waits, and fails once, at the last try [TASK-03/retry]', async () => {
    const [device] = (await rig.devices(1)) as [LinkedDevice];
    await online([device]);
    const id = await order([device], { retry });
    await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: 'busy' });
    await isAt(id, 2);
    // It waits and does not count as failed.
    expect(await rig.counts(id)).toMatchObject({ status: 'process', total: 1, wait: 1, process: 0, fail: 0 });
    const row = await rowOf(id);
    expect(row.tried).toMatchObject([{ code: 'busy', message: 'The device was busy' }]);
    expect(secondsBetween(row.tried[0]!.at, row.nextAt!)).toBe(600);
    await letGo(id);
    await device.answer({ id: (await nth(device, 2)).id, status: 'fail', code: 'download', message: 'No route' });
    await isAt(id, 3);
    const then = await rowOf(id);
    expect(then.tried).toMatchObject([{ code: 'busy' }, { code: 'download', message: 'No route' }]);
    expect(secondsBetween(then.tried[1]!.at, then.nextAt!)).toBe(1_200);
    await letGo(id);
    await device.answer({ id: (await nth(device, 3)).id, status: 'fail', code: 'busy' });
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'fail', total: 1, wait: 0, process: 0, fail: 1 }),
    );
    expect(await rowOf(id)).toMatchObject({ status: 'fail', tryNumber: 3, code: 'busy', nextAt: null });
    expect(new Set(sentTo(device).map((c) => c.id)).size).toBe(3);
  });

  it('is not retried after a final failure, beyond the window, or when no class matches', async () => {
    const devices = (await rig.devices(3)) as [LinkedDevice, LinkedDevice, LinkedDevice];
    await online(devices);
    const ids = [
      await order([devices[0]], { retry }),
      await order([devices[1]], { retry }, { durationMinutes: 5 }),
      await order([devices[2]], { retry: { ...retry, of: ['timeout'] } }),
    ];
    const codes = ['checksum', 'busy', 'busy'];
    for (const [n, device] of devices.entries())
      await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: codes[n]! });
    for (const id of ids)
      await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'fail', fail: 1 }));
    expect(devices.flatMap(sentTo)).toHaveLength(3);
  });

  it('is retried after its timeout, unless the earlier command succeeds after all', async () => {
    const [device] = (await rig.devices(1)) as [LinkedDevice];
    await online([device]);
    const id = await order([device], { retry });
    const { id: first } = await nth(device, 1);
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [id]);
    await isAt(id, 2);
    expect((await rowOf(id)).tried).toMatchObject([{ code: 'noAnswer', message: 'No answer' }]);
    await letGo(id);
    const { id: again } = await nth(device, 2);
    expect(again).not.toBe(first);
    await device.answer({ id: again, status: 'accepted' });
    await eventually(async () =>
      expect(await rig.sql('select accepted_at is not null as ok from task_device where task_id = $1', [id])).toEqual([
        { ok: true },
      ]),
    );
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [id]);
    await isAt(id, 3);
    expect((await rowOf(id)).tried).toMatchObject([{ code: 'noAnswer' }, { code: 'notDone' }]);
    // It was slow, and is back now.
    await device.online();
    await device.back({ boot: 'reboot' });
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'success', success: 1, wait: 0, process: 0, fail: 0 }),
    );
    expect(sentTo(device)).toHaveLength(2);
  });

  it('is cancelled when its task is stopped while it waits', async () => {
    const [device] = (await rig.devices(1)) as [LinkedDevice];
    await online([device]);
    const id = await order([device], { retry });
    await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: 'busy' });
    await isAt(id, 2);
    await rig.call(stopTask, { params: { id } });
    expect(await rig.counts(id)).toMatchObject({ status: 'stop', cancel: 1, wait: 0 });
  });

  it('counts once against the threshold of its stage, at its last failure', async () => {
    const devices = await rig.devices(4);
    await online(devices);
    const id = await order(devices, { retry: { ...retry, tries: 2 } }, { rollout: { stages: [50, 100], pauseAt: 60 } });
    const answer = await eventually(() => {
      const those = devices.filter((device) => sentTo(device).length > 0);
      expect(those).toHaveLength(2);
      return those as [LinkedDevice, LinkedDevice];
    });
    for (const device of answer) await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: 'busy' });
    // Both failed a try, and the stage continues.
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ total: 2, wait: 2, fail: 0 }));
    await letGo(id);
    await answer[0].answer({ id: (await nth(answer[0], 2)).id, status: 'success' });
    await answer[1].answer({ id: (await nth(answer[1], 2)).id, status: 'fail', code: 'busy' });
    // One of two is below the threshold; two failures of three would exceed it.
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'process', total: 4, success: 1, fail: 1 }),
    );
    await rig.call(stopTask, { params: { id } });
  });

  it('is checked again before its next try, and ends with the reason when it became unable', async () => {
    const [device] = (await rig.devices(1)) as [LinkedDevice];
    await online([device]);
    const id = await order([device], { retry });
    await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: 'busy' });
    await isAt(id, 2);
    await rig.sql(`update device_copy set capabilities = '["locate"]' where id = $1`, [device.identity.deviceId]);
    await letGo(id);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'fail', fail: 1, wait: 0 }));
    expect(await rowOf(id)).toMatchObject({ code: 'unsupported', tried: [{ code: 'busy' }] });
    expect(sentTo(device)).toHaveLength(1);
  });

  it('lets a newer task pass while it waits', async () => {
    const [device] = (await rig.devices(1)) as [LinkedDevice];
    await online([device]);
    const id = await order([device], { retry });
    await device.answer({ id: (await nth(device, 1)).id, status: 'fail', code: 'busy' });
    await isAt(id, 2);
    const newer = await rig.order([device]);
    await device.answer({ id: (await nth(device, 2)).id, status: 'fail', code: 'failed' });
    await eventually(async () => expect(await rig.counts(newer)).toMatchObject({ fail: 1 }));
    expect(await rig.counts(id)).toMatchObject({ wait: 1 });
  });
});

it('a door command is never retried and never spread', async () => {
  const devices = await rig.devices(1, { capabilities: ['doorControl', 'reboot', 'factoryReset'], doorCount: 1 });
  const door = { action: 'doorControl', params: { command: 'open', door: 1 } };
  await expect(order(devices, { retry }, door)).rejects.toMatchObject({ code: 400, error: 'task.notPaced' });
  await expect(order(devices, { spreadMinutes: 5 }, door)).rejects.toMatchObject({ error: 'task.notPaced' });
  await expect(order(devices, { retry }, { action: 'factoryReset', params: {} })).rejects.toMatchObject({
    error: 'task.notPaced',
  });
  await expect(order(devices, { spreadMinutes: 30 }, { durationMinutes: 30 })).rejects.toMatchObject({
    error: 'task.spreadTooLong',
  });
  await expect(order(devices, { retry }, { push: true })).rejects.toMatchObject({ error: 'common.fieldValue' });
  expect(await rig.sql("select 1 from task where target -> 'ids' ? $1", [devices[0]!.identity.deviceId])).toEqual([]);
});

it('devices of a spread task start in their own slots, and none before', async () => {
  const devices = await rig.devices(24);
  await online(devices);
  const id = await order(devices, { spreadMinutes: 1_200 }, { durationMinutes: 1_440 });
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 24 }));
  const places = await rig.sql<{ at: number; device_id: string }>(
    `
      select extract(epoch from d.not_before - t.started_at)::float8 / 60 as at, d.device_id
      from task_device d
      join task t on t.id = d.task_id
      where d.task_id = $1
      order by 1
    `,
    [id],
  );
  const ats = places.map(({ at }) => at);
  expect(new Set(ats).size).toBe(24);
  expect(ats[0]!).toBeGreaterThanOrEqual(-0.001);
  expect(ats.at(-1)!).toBeLessThan(1_200.001);
  // Each half of the time has its share of them.
  expect(ats.filter((at) => at < 600).length).toBeGreaterThan(2);
  expect(ats.filter((at) => at >= 600).length).toBeGreaterThan(2);
  // Only devices whose slot has come are started.
  const first = devices.find((d) => d.identity.deviceId === places.at(-1)!.device_id)!;
  await rig.sql('update task_device set not_before = now() where task_id = $1 and device_id = $2', [
    id,
    first.identity.deviceId,
  ]);
  await nth(first, 1);
  const later = places.filter(({ at, device_id: device }) => at > 10 && device !== first.identity.deviceId);
  expect(
    await rig.sql(`select 1 from task_device where task_id = $1 and status <> 'wait' and device_id = any($2::uuid[])`, [
      id,
      later.map(({ device_id: device }) => device),
    ]),
  ).toEqual([]);
});

describe('limits by site', () => {
  const [north, south] = ['01920000-0000-7000-8000-0000000000a1', '01920000-0000-7000-8000-0000000000a2'];

  it('never runs more devices of a site at once in two processes, and blocks no other site', async () => {
    const { host, port, user, password } = await testPostgres();
    const admin = new pg.Client({ host, port, user, password, database: rig.service.database.name });
    await admin.connect();
    // PostgreSQL itself records each commit by which a site exceeds its limit.
    await admin.query('create table too_many (task_id uuid)');
    await admin.query(`
      create function too_many_of_site() returns trigger language plpgsql security definer as $$
      begin
        if (
          select count(*) from task_device d
          where d.task_id = new.task_id and d.site_id = new.site_id and d.status in ('process', 'downloadSuccess')
        ) > (select coalesce(nullif((t.pace ->> 'siteSync')::int, 0), 1000) from task t where t.id = new.task_id) then
          insert into public.too_many values (new.task_id);
        end if;
        return null;
      end
      $$
    `);
    await admin.query(`
      create constraint trigger too_many_of_site after update on task_device
      deferrable initially deferred for each row when (new.status = 'process') execute function too_many_of_site()
    `);
    const devices = [
      ...(await rig.devices(12, { siteId: north })),
      ...(await rig.devices(6, { siteId: south })),
      ...(await rig.devices(4)),
    ];
    await online(devices);
    const id = await order(devices, { siteSync: 2 });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 6, wait: 16 }));
    second.sendTo(
      rig.actor.companyId,
      devices.map((d) => d.identity.deviceId),
    );
    second.goOn(rig.actor.companyId, [id]);
    const done = new Set<string>();
    while (done.size < devices.length) {
      const fresh = await eventually(() => {
        const come = devices.flatMap(sentTo).filter((c) => !done.has(c.id));
        if (come.length === 0) throw new Error('nothing came down');
        return come;
      });
      for (const { id: command, deviceId } of fresh) {
        done.add(command);
        await devices
          .find((d) => d.identity.deviceId === deviceId)!
          .answer({ id: command, status: 'fail', code: 'failed' });
      }
    }
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'fail', fail: 22 }));
    expect(devices.flatMap(sentTo)).toHaveLength(22);
    const { rows } = await admin.query('select * from too_many');
    await admin.end();
    expect(rows).toEqual([]);
  });

  it('starts no more devices of a site per minute, and continues afterwards', async () => {
    const devices = await rig.devices(9, { siteId: north });
    await online(devices);
    const id = await order(devices, { sitePerMinute: 4 });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 4, wait: 5 }));
    await eventually(() => expect(devices.flatMap(sentTo)).toHaveLength(4));
    for (const device of devices)
      for (const { id: command } of sentTo(device))
        await device.answer({ id: command, status: 'fail', code: 'failed' });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ fail: 4, process: 0, wait: 5 }));
    await rig.sql(
      `update task_site set told = array(select at - interval '1 minute' from unnest(told) at) where task_id = $1`,
      [id],
    );
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ fail: 4, process: 4, wait: 1 }));
  });
});
