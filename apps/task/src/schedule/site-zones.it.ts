import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  getTask,
  listTaskDevices,
  orgSite,
  previewTask,
  type RouteInput,
  type TaskRecord,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';
import { holdZones } from './site-zones.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Zones without clock changes: ten hours ahead of UTC, fourteen ahead, and five behind. */
const ahead = 'Etc/GMT-10';
const farAhead = 'Etc/GMT-14';
const behind = 'Etc/GMT+5';

let rig: TaskRig;
let version = 0;
const [east, farEast, west, plain] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
const publishSite = async (id: string, timeZone: string | null): Promise<number> => {
  const { companyId } = rig.actor;
  const view = { id, companyId, parentId: null, name: id.slice(-8), segments: [], autoAssign: false, timeZone };
  const said = ++version;
  await rig.bus.publish([toRecord(orgSite, id, view, envelope('site', { companyId, version: said }))]);
  return said;
};
const site = async (id: string, timeZone: string | null) => {
  const said = await publishSite(id, timeZone);
  await eventually(async () => {
    const [row] = await rig.sql<{ version: string }>('select version from site_copy where id = $1', [id]);
    expect(Number(row?.version)).toBe(said);
  });
};

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  await site(east, ahead);
  await site(farEast, farAhead);
  await site(west, behind);
  await site(plain, null);
});
afterAll(() => rig?.close());

type Body = RouteInput<typeof addTask>['body'];
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
const tomorrow = minute(Date.now() + 2 * 24 * hourMs);
const bodyOf = (devices: readonly LinkedDevice[], more: Partial<Body> = {}): Body =>
  ({
    name: 'By local time',
    action: 'reboot',
    target: { ids: devices.map((d) => d.identity.deviceId) },
    schedule: { type: 'timer', begin: tomorrow },
    timeZone: 'Etc/UTC',
    inSiteZones: true,
    durationMinutes: 60,
    ...more,
  }) as Body;
const order = (devices: readonly LinkedDevice[], more?: Partial<Body>): Promise<TaskRecord> =>
  rig.call(addTask, { body: bodyOf(devices, more) });
const utc = (localMinute: string, hours: number): string =>
  new Date(Date.parse(`${localMinute}Z`) - hours * hourMs).toISOString();

it('each device runs in the window of its site, or times out after it [TASK-06/site-zone]', async () => {
  const devices = [
    ...(await rig.devices(1, { siteId: east })),
    ...(await rig.devices(1, { siteId: farEast })),
    ...(await rig.devices(1, { siteId: west })),
    ...(await rig.devices(1, { siteId: plain })),
    ...(await rig.devices(1)),
  ];
  for (const device of devices) await device.online();
  const { id, dueAt, beginAt, inSiteZones } = await order(devices);
  expect({ dueAt, beginAt, inSiteZones }).toEqual({
    dueAt: utc(tomorrow, 14),
    beginAt: utc(tomorrow, 0),
    inSiteZones: true,
  });

  // It was this minute five minutes ago in the east, and four hours before that in the far east.
  const local = minute(Date.now() + 10 * hourMs - 5 * minuteMs);
  await rig.sql('update task set due_local = $2, due_at = now() where id = $1', [id, local]);
  const rows = () => rig.call(listTaskDevices, { params: { id }, query: {} }).then(({ records }) => records);
  const stateOf = async ({ identity: { deviceId } }: LinkedDevice) => {
    const { status, code, nextAt } = (await rows()).find((row) => row.deviceId === deviceId)!;
    return { status, code, nextAt };
  };
  const [first, over, last, own, siteless] = devices as [
    LinkedDevice,
    LinkedDevice,
    LinkedDevice,
    LinkedDevice,
    LinkedDevice,
  ];
  await first.answer({ id: (await rig.command(first)).id, status: 'success' });
  await eventually(async () => expect(await stateOf(first)).toMatchObject({ status: 'success' }));
  await eventually(async () => expect(await stateOf(over)).toMatchObject({ status: 'timeout', code: 'expired' }));
  const waits = (hours: number) => ({ status: 'wait', code: null, nextAt: utc(local, hours) });
  expect(await Promise.all([own, siteless, last].map(stateOf))).toEqual([waits(0), waits(0), waits(-5)]);
  expect(await rig.call(getTask, { params: { id } })).toMatchObject({
    status: 'process',
    windowEndsAt: new Date(Date.parse(utc(local, -5)) + 60 * minuteMs).toISOString(),
  });
  expect(rig.commands.filter((c) => c.deviceId !== first.identity.deviceId)).toEqual([]);

  // Ten hours later only the devices without a zone of their own begin, and an unanswered window ends.
  await rig.sql(
    `update task_device
     set not_before = not_before - interval '10 hours', expires_at = expires_at - interval '10 hours'
     where task_id = $1 and status = 'wait'`,
    [id],
  );
  await own.answer({ id: (await rig.command(own)).id, status: 'success' });
  await rig.command(siteless);
  expect(await stateOf(last)).toMatchObject({ status: 'wait' });
  expect(rig.commands.some((c) => c.deviceId === last.identity.deviceId)).toBe(false);
  await rig.sql(`update task_device set expires_at = now() - interval '5 seconds' where task_id = $1`, [id]);
  await eventually(async () =>
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({
      status: 'finished',
      counts: { total: 5, success: 2, timeout: 3 },
    }),
  );
});

it('a waiting task begins with the new first zone when the time zone of a site changes', async () => {
  const [device] = await rig.devices(1, { siteId: west });
  const { id } = await order([device!]);
  await site(farEast, null);
  await eventually(async () =>
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ dueAt: utc(tomorrow, 10) }),
  );
  await site(farEast, farAhead);
  await eventually(async () =>
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ dueAt: utc(tomorrow, 14) }),
  );
});

it('a task that is fired while the time zone of a site changes waits for its next minute in the new zone', async () => {
  const [device] = await rig.devices(1, { siteId: west });
  const { id } = await order([device!]);
  const after = minute(Date.parse(`${tomorrow}Z`) + 24 * hourMs);
  await platform(rig.service.database, 'test', async () => {
    await currentSql().query('update task set due_local = $2, due_at = $3 where id = $1', [id, after, utc(after, 14)]);
    await publishSite(farEast, null);
    const isAwaited = `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await eventually(async () => expect((await currentSql().query(isAwaited)).rows).toHaveLength(1));
  });
  await eventually(async () =>
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ dueAt: utc(after, 10) }),
  );
  await site(farEast, farAhead);
});

it('an order that is placed while the time zone of a site changes waits for the change', async () => {
  const [device] = await rig.devices(1, { siteId: west });
  // Begun outside of the transaction of the change, as by another process.
  const changing = Promise.withResolvers<void>();
  const placed = changing.promise.then(() => order([device!]));
  await platform(rig.service.database, 'test', async () => {
    await currentSql().query('update site_copy set time_zone = null where id = $1', [farEast]);
    await holdZones('alone', rig.actor.companyId);
    changing.resolve();
    const isAwaited = `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await eventually(async () => expect((await currentSql().query(isAwaited)).rows).toHaveLength(1));
  });
  expect((await placed).dueAt).toBe(utc(tomorrow, 10));
  await site(farEast, farAhead);
});

it('a changed zone moves every waiting task when it was or is the first one, and else touches none', async () => {
  const [device] = await rig.devices(1, { siteId: west });
  const { id } = await order([device!]);
  const many = 1_100;
  await rig.sql(
    `insert into task
     select (jsonb_populate_record(t, jsonb_build_object(
       'id', gen_random_uuid(), 'number', 100000 + n, 'due_local', to_char(t.due_local::timestamp + n * interval '1 minute',
       'YYYY-MM-DD"T"HH24:MI'), 'due_at', t.due_at + n * interval '1 minute'))).*
     from task t, generate_series(1, $2::int) n
     where t.id = $1`,
    [id, many],
  );
  const copies = 'from task where number > 100000';
  const touched = async () =>
    (
      await rig.sql<{ rows: string }>(`select md5(string_agg(xmin || ' ' || xmax, ',' order by id)) as rows ${copies}`)
    )[0];
  const untouched = await touched();
  await site(west, null);
  await site(west, behind);
  expect(await touched()).toEqual(untouched);

  // The first zone is four hours behind the former one.
  await site(farEast, null);
  const isMoved = `due_at = (due_local || 'Z')::timestamptz - interval '10 hours'`;
  expect(await rig.sql(`select count(*)::int as n ${copies} and ${isMoved}`)).toEqual([{ n: many }]);
  await site(farEast, farAhead);
  await rig.sql('delete from task where number > 100000');
});

it('a task runs although its first zone moved by a day, to the due time of its run before', async () => {
  const [device] = await rig.devices(1, { siteId: west });
  const schedule = { type: 'cycle', begin: tomorrow, end: null, repeat: { every: 'day' } } as const;
  const { id } = await order([device!], { schedule });
  const local = minute(Date.now());
  await rig.sql(
    `insert into task_run (task_id, run, company_id, cause, devices, status, due_at, started_at, ended_at)
     values ($1, 99, $2, 'schedule', 'all', 'success', $3, now(), now())`,
    [id, rig.actor.companyId, utc(local, 14)],
  );
  await rig.sql('update task set due_local = $2, due_at = now() where id = $1', [id, local]);
  await eventually(async () =>
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ runs: 1, counts: { total: 1, wait: 1 } }),
  );
});

it('a dry run names the window of each time zone with its devices, and changes nothing', async () => {
  const phones = [...(await rig.devices(2, { siteId: east })), ...(await rig.devices(1))];
  const { name: _, ...body } = bodyOf(phones);
  const { windows } = await rig.call(previewTask, { body, query: {} });
  const window = (zone: string, hours: number, devices: number) => ({
    zone,
    opensAt: utc(tomorrow, hours),
    closesAt: utc(tomorrow, hours - 1),
    devices,
  });
  expect(windows).toEqual([window(ahead, 10, 2), window('Etc/UTC', 0, 1)]);
});

it('stages, doors, immediate tasks and a time that has passed in a zone are refused', async () => {
  const [device] = await rig.devices(1, { siteId: farEast, capabilities: ['reboot', 'doorControl'], doorCount: 1 });
  const refused = (more: Partial<Body>) =>
    order([device!], more).then(
      () => 'none',
      (e: { fields: { path: string; error: string }[] }) => e.fields.map(({ path, error }) => `${path} ${error}`)[0],
    );
  const misused = 'inSiteZones task.siteZones';
  expect(await refused({ schedule: { type: 'now' } })).toBe(misused);
  expect(await refused({ rollout: { stages: [10, 100], pauseAt: 10 } })).toBe(misused);
  expect(await refused({ action: 'doorControl', params: { door: 1, command: 'open' } })).toBe(misused);
  const soon = { type: 'timer', begin: minute(Date.now() + 2 * hourMs) } as const;
  expect(await refused({ schedule: soon })).toBe('schedule.begin task.passedInZone');
  // Where nobody is so far ahead, it is still to come.
  const [own] = await rig.devices(1);
  expect(await order([own!], { schedule: soon })).toMatchObject({ status: 'wait' });
});
