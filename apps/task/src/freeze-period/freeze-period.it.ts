import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  addFreezePeriod,
  addTask,
  deleteFreezePeriod,
  editFreezePeriod,
  getFreezePeriod,
  listFreezePeriods,
  listTaskDevices,
  orgSite,
  permissionKeys,
  restoreFreezePeriods,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { taskRig, type TaskRig } from '../task-test.ts';
import { Thaw } from './thaw.service.ts';

const never = 3_600_000;
let rig: TaskRig;
const audits: { action: string; objectId: string | null; result: string; detail: unknown }[] = [];
const [campus, house, floor, depot] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
const site = (id: string, name: string, parentId: string | null) =>
  rig.bus.publish([
    toRecord(
      orgSite,
      id,
      { id, companyId: rig.actor.companyId, parentId, name, segments: [], autoAssign: false },
      envelope('site', { companyId: rig.actor.companyId, version: 1 }),
    ),
  ]);
const minute = (fromNow: number): string => new Date(Date.now() + fromNow * 60_000).toISOString().slice(0, 16);
/** A period of an hour since a minute ago. */
const now = (siteIds: string[] = []) => ({
  name: 'Fair',
  siteIds,
  begin: minute(-1),
  end: minute(60),
  timeZone: 'Etc/UTC',
});
const refusal = (work: Promise<unknown>): Promise<{ error: string; field?: string }> =>
  work.then(
    () => ({ error: 'none' }),
    (e: { error: string; fields: { path: string }[] }) => ({
      error: e.error,
      ...(e.fields[0] && { field: e.fields[0].path }),
    }),
  );

// Without a tick, so that every sending was woken.
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: never });
  await rig.bus.fanout({
    topics: ['audit.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) audits.push(JSON.parse(r.value!) as (typeof audits)[number]);
    },
  });
  await site(campus, 'Campus', null);
  await site(house, 'House', campus);
  await site(floor, 'Floor', house);
  await site(depot, 'Depot', null);
  await eventually(async () => expect(await rig.sql('select count(*)::int as n from site_copy')).toEqual([{ n: 4 }]));
});
afterAll(() => rig?.close());

test('users who see the whole company manage freeze periods, which is logged [TASK-12/noun]', async () => {
  const { call } = rig;
  const year = { name: 'Change of year', siteIds: [depot, campus], timeZone: 'Europe/Berlin' };
  const made = await call(addFreezePeriod, { body: { ...year, begin: '2031-12-20T18:00', end: '2032-01-04T06:00' } });
  expect(made).toEqual({
    id: made.id,
    ...year,
    begin: '2031-12-20T18:00',
    end: '2032-01-04T06:00',
    beginsAt: '2031-12-20T17:00:00.000Z',
    endsAt: '2032-01-04T05:00:00.000Z',
    sites: [
      { id: campus, name: 'Campus' },
      { id: depot, name: 'Depot' },
    ],
    state: 'planned',
    updatedAt: expect.any(String),
  });
  const over = await call(addFreezePeriod, {
    body: {
      name: 'Easter',
      siteIds: [],
      begin: '2024-03-31T02:30',
      end: '2024-10-27T02:30',
      timeZone: 'Europe/Berlin',
    },
  });
  // The first minute does not exist and moves behind the gap; the second occurs twice, and the last one ends the
  // period.
  expect(over).toMatchObject({
    beginsAt: '2024-03-31T01:30:00.000Z',
    endsAt: '2024-10-27T01:30:00.000Z',
    state: 'over',
  });
  const twice = await call(addFreezePeriod, {
    body: { ...year, begin: '2031-10-26T02:30', end: '2031-10-26T02:31' },
  });
  expect(twice).toMatchObject({ beginsAt: '2031-10-26T00:30:00.000Z', endsAt: '2031-10-26T01:31:00.000Z' });
  const body = { ...year, begin: '2031-12-20T18:00', end: '2032-01-04T06:00' };
  expect(await refusal(call(addFreezePeriod, { body: { ...body, end: body.begin } }))).toEqual({
    error: 'freezePeriod.order',
    field: 'end',
  });
  expect(await refusal(call(addFreezePeriod, { body: { ...body, timeZone: 'Mars/Base' } }))).toEqual({
    error: 'freezePeriod.zoneUnknown',
    field: 'timeZone',
  });
  expect(await refusal(call(addFreezePeriod, { body: { ...body, siteIds: [uuidv7()] } }))).toEqual({
    error: 'freezePeriod.siteUnknown',
    field: 'siteIds',
  });
  const names = async (query: RouteCall<typeof listFreezePeriods>['query'] = {}) =>
    (await call(listFreezePeriods, { query })).records.map((f) => f.name);
  expect(await names()).toEqual(['Change of year', 'Change of year', 'Easter']);
  expect(await names({ search: 'camp', state: ['planned'], sort: '-beginsAt' })).toHaveLength(2);
  expect(await names({ state: ['over'] })).toEqual(['Easter']);
  expect(await names({ 'endsAt.to': '2026-01-01T00:00:00Z' })).toEqual(['Easter']);

  expect(await call(editFreezePeriod, { body: { id: made.id, ...body, name: 'Holidays', siteIds: [] } })).toMatchObject(
    { id: made.id, name: 'Holidays', siteIds: [], sites: [] },
  );
  for (const id of [twice.id, over.id]) await call(deleteFreezePeriod, { query: { id } });
  expect(await names()).toEqual(['Holidays']);
  const narrow = rig.service.as({ ...rig.actor, orgIds: [rig.actor.orgId] });
  expect(await refusal(narrow(addFreezePeriod, { body }))).toEqual({ error: 'freezePeriod.narrowed' });
  expect(await refusal(narrow(deleteFreezePeriod, { query: { id: made.id } }))).toEqual({
    error: 'freezePeriod.narrowed',
  });
  expect(await narrow(getFreezePeriod, { params: { id: made.id } })).toMatchObject({ name: 'Holidays' });
  const stranger = rig.service.as(newActor());
  expect((await stranger(listFreezePeriods, { query: {} })).total).toBe(0);
  expect(await refusal(stranger(editFreezePeriod, { body: { id: made.id, ...body, siteIds: [] } }))).toEqual({
    error: 'common.notFound',
  });
  expect(await refusal(stranger(restoreFreezePeriods, { body: { ids: [over.id] } }))).toEqual({
    error: 'common.restoreOver',
  });
  expect(await call(restoreFreezePeriods, { body: { ids: [over.id] } })).toEqual({ restored: 1 });
  expect(await call(restoreFreezePeriods, { body: { ids: [over.id] } })).toEqual({ restored: 0 });
  expect(await names()).toEqual(['Holidays', 'Easter']);
  await eventually(() =>
    expect(audits.filter((a) => a.objectId === over.id).map((a) => a.action)).toEqual([
      'freezePeriod.add',
      'freezePeriod.delete',
      'freezePeriod.restore',
    ]),
  );
  for (const id of [made.id, over.id]) await call(deleteFreezePeriod, { query: { id } });
});

describe('while a freeze period is in force', () => {
  const both = { capabilities: ['reboot', 'locate'] };
  const order = async (action: 'reboot' | 'locate', devices: readonly LinkedDevice[], more: object = {}) =>
    (
      await rig.call(addTask, {
        body: { name: action, action, target: { ids: devices.map((d) => d.identity.deviceId) }, ...more },
      })
    ).id;
  const become = (id: string, counts: object) =>
    eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, ...counts }));
  const commandOf = async (id: string, device: LinkedDevice): Promise<string> =>
    (
      await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1 and device_id = $2', [
        id,
        device.identity.deviceId,
      ])
    )[0]!.id;
  const online = async (devices: readonly LinkedDevice[]) => {
    await Promise.all(devices.map((d) => d.online()));
    await eventually(async () =>
      expect(
        await rig.sql('select count(*)::int as n from link_session where online and device_id = any($1::uuid[])', [
          devices.map((d) => d.identity.deviceId),
        ]),
      ).toEqual([{ n: devices.length }]),
    );
  };
  afterEach(() => rig.sql('delete from freeze_period'));
  /** Returns the commands of a device, each once, however often it was sent again. */
  const toldOf = (device: LinkedDevice) => [
    ...new Set(rig.commands.filter((c) => c.deviceId === device.identity.deviceId).map((c) => c.id)),
  ];
  /** Waits until the dispatch is idle: a later task is sent. */
  const settled = async () => {
    const [other] = await rig.devices(1, both);
    await online([other!]);
    await become(await order('locate', [other!]), { process: 1 });
  };

  it('holds changing commands until its end, and releases them when ended early [TASK-12/company]', async () => {
    const devices = await rig.devices(3, both);
    const [here, back, busy] = devices as [LinkedDevice, LinkedDevice, LinkedDevice];
    await online([here, busy]);
    const running = await order('reboot', [busy]);
    await become(running, { process: 1 });
    const period = await rig.call(addFreezePeriod, { body: now() });
    expect(period.state).toBe('inForce');

    const task = await order('reboot', devices);
    await become(task, { wait: 3 });
    await online([back]);
    await become(await order('locate', devices), { process: 3 });
    await busy.answer({ id: await commandOf(running, busy), status: 'success' });
    await become(running, { status: 'success' });
    // A device that reconnects gets nothing new.
    await busy.online();
    await settled();
    expect(await rig.counts(task)).toMatchObject({ wait: 3, process: 0 });
    expect([here, back, busy].map((d) => toldOf(d).length)).toEqual([1, 1, 2]);
    const rows = async (language: 'en_US' | 'ko') =>
      (
        await rig.service.as({ ...rig.actor, language })(listTaskDevices, { params: { id: task }, query: {} })
      ).records.map(({ status, code, codeValues, message }) => ({ status, code, codeValues, message }));
    const until = `${period.end.replace('T', ' ')}:00 UTC`;
    expect(await rows('en_US')).toEqual(
      devices.map(() => ({
        status: 'wait',
        code: 'frozen',
        codeValues: { until: period.endsAt },
        message: `Held by a freeze period until ${until}`,
      })),
    );
    expect((await rows('ko'))[0]!.message).toBe(`동결 기간이라 ${until}까지 보류됨`);

    const { id, name, siteIds, timeZone } = period;
    await rig.call(editFreezePeriod, { body: { id, name, siteIds, begin: minute(-5), end: minute(-1), timeZone } });
    await become(task, { process: 3, wait: 0 });
    expect((await rows('en_US')).map((r) => r.code)).toEqual([null, null, null]);
    await rig.call(deleteFreezePeriod, { query: { id } });
  });

  it('of a site holds only its devices and those of sites below; deleted, it releases them [TASK-12/site]', async () => {
    const period = (
      await Promise.all([campus, floor, depot, null].map((siteId) => rig.devices(1, { ...both, siteId })))
    ).flat();
    await online(period);
    const { id } = await rig.call(addFreezePeriod, { body: now([campus]) });
    const task = await order('reboot', period);
    await become(task, { process: 2, wait: 2 });
    await settled();
    expect(await rig.counts(task)).toMatchObject({ process: 2, wait: 2 });
    expect(period.map((d) => toldOf(d).length)).toEqual([0, 0, 1, 1]);
    const reasons = (await rig.call(listTaskDevices, { params: { id: task }, query: {} })).records;
    expect(period.map((d) => reasons.find((r) => r.deviceId === d.identity.deviceId)!.code)).toEqual([
      'frozen',
      'frozen',
      null,
      null,
    ]);
    await rig.call(deleteFreezePeriod, { query: { id } });
    await become(task, { process: 4, wait: 0 });
    // Restored, it again holds what was not sent.
    await rig.call(restoreFreezePeriods, { body: { ids: [id] } });
    const second = await order('reboot', period);
    await settled();
    expect(await rig.counts(second)).toMatchObject({ process: 0, wait: 4 });
    await rig.call(deleteFreezePeriod, { query: { id } });
  });

  it('the override needs its permission and is logged [TASK-12/override] [ROLE-03/freeze]', async () => {
    const devices = await rig.devices(2, both);
    await online(devices);
    const { id } = await rig.call(addFreezePeriod, { body: now() });
    const without = rig.service.as({
      ...rig.actor,
      permissions: permissionKeys.filter((key) => key !== 'overrideFreeze'),
    });
    const body = {
      name: 'Now',
      action: 'reboot',
      target: { ids: devices.map((d) => d.identity.deviceId) },
      overrideFreeze: true,
    };
    expect(await refusal(without(addTask, { body }))).toEqual({ error: 'common.forbidden' });
    const held = await without(addTask, { body: { ...body, overrideFreeze: false } });
    expect(held.overrideFreeze).toBe(false);
    await become(held.id, { wait: 2 });
    // It bypasses commands that wait for the end of the freeze.
    const task = await rig.call(addTask, { body });
    expect(task.overrideFreeze).toBe(true);
    await become(task.id, { process: 2 });
    await eventually(() =>
      expect(audits.find((a) => a.objectId === task.id)).toMatchObject({
        action: 'task.add',
        result: 'success',
        detail: { overrideFreeze: true },
      }),
    );
    await eventually(() =>
      expect(audits).toContainEqual(expect.objectContaining({ action: 'task.add', result: 'common.forbidden' })),
    );
    // A later override waits for that one.
    const next = await rig.call(addTask, { body });
    await become(next.id, { wait: 2 });
    await settled();
    expect(await rig.counts(next.id)).toMatchObject({ wait: 2 });
    await rig.call(deleteFreezePeriod, { query: { id } });
  });

  it('releases waiting commands within 2 s of its end, and they expire by their own window [TASK-12/end]', async () => {
    const devices = await rig.devices(2, both);
    await online(devices);
    const { id } = await rig.call(addFreezePeriod, { body: now() });
    const task = await order('reboot', devices);
    await become(task, { wait: 2 });
    await settled();
    await rig.sql(`update task_device set expires_at = now() - interval '1 second' where device_id = $1`, [
      devices[0]!.identity.deviceId,
    ]);
    await rig.sql(`update freeze_period set ends_at = clock_timestamp() + interval '1500 milliseconds' where id = $1`, [
      id,
    ]);
    rig.service.app.get(Thaw).wake();
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ process: 1, wait: 1 }));
    const [late] = await rig.sql<{ ms: number }>(
      `
        select extract(epoch from td.sent_at - f.ends_at)::float8 * 1000 as ms
        from task_device td, freeze_period f
        where td.task_id = $1 and td.sent_at is not null and f.id = $2
      `,
      [task, id],
    );
    expect(late!.ms).toBeGreaterThanOrEqual(0);
    expect(late!.ms).toBeLessThan(2_000);
    await (rig.service.app.get(DispatchService) as unknown as { recover(): Promise<void> }).recover();
    await become(task, { timeout: 1, process: 1 });
    await rig.call(deleteFreezePeriod, { query: { id } });
  });
});
