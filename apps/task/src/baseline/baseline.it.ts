import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBaseline,
  deleteBaseline,
  editBaseline,
  firmwareState,
  getBaseline,
  getDeviceBaseline,
  listBaselineDevices,
  listBaselines,
  listTasks,
  orgSite,
  permissionKeys,
  restoreBaselines,
  retryBaseline,
  stopTask,
  taskFile,
  type BaselineState,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { readConfig } from '@carillon/service';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskConfig } from '../config.ts';
import { taskRig, type TaskRig } from '../task-test.ts';
import { TaskService } from '../task/task.service.ts';
import { BaselineLoop } from './baseline.loop.ts';

let rig: TaskRig;
const [campus, house, depot] = [uuidv7(), uuidv7(), uuidv7()];
const told = new Map<string, string | null>();
const audits: { action: string; objectId: string | null; username: string; result: string }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, baselineMs: 100, baselineRetryMs: 0 });
  await rig.bus.fanout({
    topics: [taskFile.name, 'audit.v1'],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const { key, value } of records)
        if (topic === taskFile.name)
          told.set(key!, value === null ? null : (JSON.parse(value) as { objectId: string }).objectId);
        else audits.push(JSON.parse(value!) as (typeof audits)[number]);
      return Promise.resolve();
    },
  });
  for (const [id, name, parentId] of [
    [campus, 'Campus', null],
    [house, 'House', campus],
    [depot, 'Depot', null],
  ] as const)
    await rig.bus.publish([
      toRecord(
        orgSite,
        id,
        { id, companyId: rig.actor.companyId, parentId, name, segments: [], autoAssign: false },
        envelope('site', { companyId: rig.actor.companyId, version: 1 }),
      ),
    ]);
  await eventually(async () => expect(await rig.sql('select count(*)::int as n from site_copy')).toEqual([{ n: 3 }]));
});
afterAll(() => rig?.close());

let serial = 0;
/** Each test uses its own model, so that no other baseline applies to its devices. */
const newModel = (): string => `Model ${++serial}`;
async function store(version: string, models: string[], least: string | null = null): Promise<string> {
  const id = uuidv7();
  const data = {
    id,
    path: 'mine' as const,
    name: 'Desk',
    version,
    models,
    least,
    fileId: uuidv7(),
    fileName: 'whole.bin',
    size: 1_000,
    sha256: 'ab'.repeat(32),
    signature: 'c2ln',
    deltas: [],
    signedBy: 'a2V5',
    endorsements: [],
  };
  const { companyId } = rig.actor;
  await rig.bus.publish([toRecord(firmwareState, id, data, envelope('firmware', { companyId, version: ++serial }))]);
  await eventually(async () =>
    expect(await rig.sql('select id from firmware_copy where id = $1', [id])).toHaveLength(1),
  );
  return id;
}
async function phone(model: string, firmware: string | null, more: object = {}): Promise<LinkedDevice> {
  const given = { model, firmware, capabilities: ['firmwareUpgrade'], ...more };
  const [device] = await rig.devices(1, given);
  return device!;
}
const idOf = (device: LinkedDevice): string => device.identity.deviceId;
const body = (firmwareId: string, change: object = {}): RouteCall<typeof addBaseline>['body'] => ({
  name: `Baseline ${++serial}`,
  firmwareId,
  model: null,
  siteId: null,
  groupId: null,
  active: true,
  from: null,
  to: null,
  timeZone: null,
  ...change,
});
const add = async (firmwareId: string, change: object) =>
  (await rig.call(addBaseline, { body: body(firmwareId, change) })).id;
const refusal = (work: Promise<unknown>): Promise<{ error: string; field?: string }> =>
  work.then(
    () => ({ error: 'none' }),
    (e: { error: string; fields: { path: string }[] }) => ({
      error: e.error,
      ...(e.fields[0] && { field: e.fields[0].path }),
    }),
  );
/** Returns the rows that tasks of a baseline gave a device, latest first. */
const rowsOf = (baseline: string, device: LinkedDevice) =>
  rig.sql<{ task: string; command: string; status: string; minutes: number | null }>(
    `
      select t.id as task, td.command_id as command, td.status, t.duration_minutes as minutes
      from task t
      join task_device td on td.task_id = t.id
      where t.baseline_id = $1 and td.device_id = $2
      order by t.number desc
    `,
    [baseline, idOf(device)],
  );
/** Waits until the device has this many tasks, and the latest was sent. */
const begun = (baseline: string, device: LinkedDevice, count = 1) =>
  eventually(async () => {
    const rows = await rowsOf(baseline, device);
    expect(rows).toHaveLength(count);
    expect(rows[0]!.status).toBe('process');
    return rows[0]!;
  });
/** Lets the device complete the latest task of the baseline. */
async function upgraded(baseline: string, device: LinkedDevice, version: string, count = 1): Promise<void> {
  const { command } = await begun(baseline, device, count);
  await rig.tell(device, { firmware: version });
  await device.say({ id: command, status: 'accepted' });
  await device.say({ id: command, status: 'downloaded' });
  await device.back({ boot: 'upgrade', firmware: version });
  await eventually(async () => expect((await rowsOf(baseline, device))[0]!.status).toBe('success'));
}
async function failed(baseline: string, device: LinkedDevice, count: number): Promise<void> {
  const { command } = await begun(baseline, device, count);
  await device.say({ id: command, status: 'fail', code: 'download' });
  await eventually(async () => expect((await rowsOf(baseline, device)).at(0)!.status).not.toBe('process'));
}
/** Waits for a complete pass over the baseline's devices. */
async function looked(baseline: string): Promise<void> {
  const at = async () =>
    (await rig.sql<{ at: string }>('select look_at::text as at from baseline where id = $1', [baseline]))[0]!.at;
  for (let n = 0; n < 2; n++) {
    const before = await at();
    await eventually(async () => expect(await at()).not.toBe(before));
  }
}
const states = async (id: string): Promise<Partial<Record<BaselineState, number>>> => {
  const { counts } = await rig.call(getBaseline, { params: { id } });
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
};
const clock = (fromNow: number): string => new Date(Date.now() + fromNow * 3_600_000).toISOString().slice(11, 16);

describe('a baseline', () => {
  it('is applied to each device that joins or falls behind, in its window [STORE-07]', async () => {
    const [ofModel, ofSite, ofGroup] = [newModel(), newModel(), newModel()];
    const group = uuidv7();
    const firmwareId = await store('2.10', [ofModel, ofSite, ofGroup]);
    // Open at all times except for two hours around now.
    const closed = { from: clock(1), to: clock(-1), timeZone: 'Etc/UTC' };
    const scopes = [
      { scope: { model: ofModel }, model: ofModel, join: {} },
      { scope: { siteId: campus }, model: ofSite, join: { siteId: house } },
      { scope: { groupId: group }, model: ofGroup, join: { groupIds: [group] } },
    ];
    for (const { scope, model, join } of scopes) {
      const id = await add(firmwareId, { ...scope, ...closed });
      const there = await phone(model, '2.9', join);
      await there.online();
      await eventually(async () => expect(await states(id)).toEqual({ behind: 1 }));
      await looked(id);
      expect(await rowsOf(id, there)).toEqual([]);

      // The inverse is open now, and limits the runtime.
      const open = { from: closed.to, to: closed.from, timeZone: 'Etc/UTC' };
      const was = await rig.call(getBaseline, { params: { id } });
      await rig.call(editBaseline, { body: { id, ...body(firmwareId, { ...scope, ...open, name: was.name }) } });
      const { minutes } = await begun(id, there);
      expect(minutes).toBeGreaterThanOrEqual(57);
      expect(minutes).toBeLessThanOrEqual(60);
      await upgraded(id, there, '2.10');

      // It joins: it is new, or moves into the site or group.
      const joins = await phone(model, '2.4', scope.model ? {} : { siteId: depot });
      await joins.online();
      if (!scope.model) {
        await looked(id);
        expect(await rowsOf(id, joins)).toEqual([]);
        await rig.tell(joins, join);
      }
      await upgraded(id, joins, '2.10');
      await eventually(async () => expect(await states(id)).toEqual({ onVersion: 2 }));

      // It falls behind, for example after a repair.
      await rig.tell(there, { firmware: '2.9.9' });
      await upgraded(id, there, '2.10', 2);
      await rig.call(deleteBaseline, { query: { id } });
    }
  });

  it('never downgrades a device, and lists skipped ones with the reason [STORE-07/drift]', async () => {
    const model = newModel();
    const id = await add(await store('2.10', [model], '2.0'), { model });
    const left = [
      await phone(model, '2.10.0'),
      await phone(model, '2.11'),
      await phone(model, '2.9-rc1'),
      await phone(model, null),
      await phone(model, '1.9'),
      await phone(model, '2.9', { capabilities: ['reboot'] }),
      await phone(model, '2.9', { enabled: false }),
    ];
    for (const device of left) await device.online();
    // Being offline is not a failure.
    const away = await phone(model, '2.9');
    const gets = await phone(model, '2.9');
    await gets.online();
    await upgraded(id, gets, '2.10');
    await looked(id);
    for (const device of [...left, away]) expect(await rowsOf(id, device)).toEqual([]);
    const reasons = async (state: BaselineState[]) =>
      (await rig.call(listBaselineDevices, { params: { id }, query: { state } })).records
        .map((d) => `${d.firmware} ${d.reason}`)
        .toSorted();
    expect(await states(id)).toEqual({ onVersion: 2, newer: 1, unknown: 2, unable: 3, behind: 1 });
    expect(await reasons(['unable'])).toEqual(['1.9 tooOld', '2.9 disabled', '2.9 unsupported']);
    expect(await reasons(['unknown', 'newer'])).toEqual(['2.11 null', '2.9-rc1 null', 'null null']);
    expect(await reasons(['behind'])).toEqual(['2.9 offline']);
    expect((await rig.call(getBaseline, { params: { id } })).inScope).toBe(9);
    await away.online();
    await upgraded(id, away, '2.10');
    await rig.call(deleteBaseline, { query: { id } });
  });

  it('applies that of the MAC first, then of the group, then of the nearest site, then of the model [STORE-07/rank]', async () => {
    const model = newModel();
    const group = uuidv7();
    const device = await phone(model, '1.0', { siteId: house, groupIds: [group] });
    const { mac } = device.identity;
    const ranks = [{ model }, { siteId: campus }, { siteId: house }, { groupId: group }, { mac }];
    const ofDevice = async () => (await rig.call(getDeviceBaseline, { params: { id: idOf(device) } })).baseline;
    const ids: string[] = [];
    for (const [n, scope] of ranks.entries()) ids.push(await add(await store(`2.${n}`, [model]), scope));
    for (const winner of ids.toReversed()) {
      for (const id of ids) expect(await states(id)).toEqual(id === winner ? { behind: 1 } : {});
      const rank = ids.indexOf(winner);
      expect(await ofDevice()).toMatchObject({ id: winner, version: `2.${rank}`, state: 'behind', reason: 'offline' });
      const was = await rig.call(getBaseline, { params: { id: winner } });
      await rig.call(editBaseline, {
        body: { id: winner, ...body(was.firmwareId, { ...ranks[rank], name: was.name, active: false }) },
      });
    }
    for (const id of ids) expect(await states(id)).toEqual({});
    expect(await ofDevice()).toBeNull();
    expect(await rowsOf(ids[0]!, device)).toEqual([]);
  });

  it('of a MAC upgrades that device alone, also after it was deleted and added again', async () => {
    const model = newModel();
    const [device, other] = [await phone(model, '2.9'), await phone(model, '2.9')];
    for (const one of [device, other]) await one.online();
    const firmwareId = await store('2.10', [model]);
    const spelled = device.identity.mac.replace(/..(?!$)/g, '$&:').toUpperCase();
    const id = await add(firmwareId, { mac: spelled });
    expect(await rig.call(getBaseline, { params: { id } })).toMatchObject({
      mac: device.identity.mac,
      device: { id: idOf(device) },
      inScope: 1,
    });
    await upgraded(id, device, '2.10');
    expect(await rowsOf(id, other)).toEqual([]);

    // The new device may be copied before the deletion of the old one.
    const again = await phone(model, '2.8', { mac: device.identity.mac });
    expect(await rig.call(getBaseline, { params: { id } })).toMatchObject({ device: { id: idOf(again) }, inScope: 2 });
    await rig.tell(device, null);
    await eventually(async () => expect(await states(id)).toEqual({ behind: 1 }));
    await again.online();
    await upgraded(id, again, '2.10');

    expect(await refusal(rig.call(addBaseline, { body: body(firmwareId, { mac: '0c383e0000ff' }) }))).toEqual({
      error: 'baseline.macUnknown',
      field: 'mac',
    });
    const unfit = await phone(newModel(), '2.9');
    expect(await refusal(rig.call(addBaseline, { body: body(firmwareId, { mac: unfit.identity.mac }) }))).toEqual({
      error: 'baseline.modelOther',
      field: 'mac',
    });
  });

  it('stops after three failures of its version on a device until a user retries [STORE-07/stuck]', async () => {
    const model = newModel();
    const id = await add(await store('2.10', [model]), { model });
    const device = await phone(model, '2.9');
    await device.online();
    for (const count of [1, 2, 3]) await failed(id, device, count);
    expect(await states(id)).toEqual({ stuck: 1 });
    await looked(id);
    expect(await rowsOf(id, device)).toHaveLength(3);
    const query = { state: ['stuck' as const] };
    expect((await rig.call(listBaselineDevices, { params: { id }, query })).records).toMatchObject([
      { id: idOf(device), reason: 'failed', online: true },
    ]);
    await rig.call(retryBaseline, { params: { id } });
    await begun(id, device, 4);

    // A task that a user stopped is not ordered again by itself.
    await device.offline();
    const other = await phone(model, '2.9');
    await other.online();
    const { task } = await begun(id, other);
    expect((await rig.call(stopTask, { params: { id: task } })).status).toBe('stop');
    await failed(id, other, 1);
    await looked(id);
    expect(await rowsOf(id, other)).toHaveLength(1);
    expect((await rig.call(listBaselineDevices, { params: { id }, query })).records).toMatchObject([
      { id: idOf(other), reason: 'stopped' },
    ]);
    await rig.call(retryBaseline, { params: { id } });
    await begun(id, other, 2);
    await rig.call(deleteBaseline, { query: { id } });
  });

  it('is suspended when the user who saved it may no longer upgrade, until another one saves it', async () => {
    const model = newModel();
    const id = await add(await store('2.10', [model]), { model });
    for (const change of [
      { permissions: permissionKeys.filter((key) => key !== 'pushFirmware') },
      { permissions: permissionKeys.filter((key) => key !== 'addTask') },
      { status: 'disabled' as const },
      { allOrgs: false, orgIds: [rig.actor.orgId] },
    ]) {
      await rig.admit(rig.actor, change);
      expect((await rig.call(getBaseline, { params: { id } })).held).toBe(true);
    }
    const device = await phone(model, '2.9');
    await device.online();
    await looked(id);
    expect(await rowsOf(id, device)).toEqual([]);
    const colleague = { ...rig.actor, userId: uuidv7() };
    await rig.admit(colleague);
    const was = await rig.call(getBaseline, { params: { id } });
    const saved = await rig.service.as(colleague)(editBaseline, {
      body: { id, ...body(was.firmwareId, { model, name: was.name }) },
    });
    expect(saved).toMatchObject({ held: false, creatorId: colleague.userId });
    await upgraded(id, device, '2.10');
    await rig.admit(rig.actor);
    await rig.call(deleteBaseline, { query: { id } });
  });

  it('starts one task from two processes, and no other while a device has one', async () => {
    const model = newModel();
    const settings = { ...readConfig(taskConfig), baselineMs: 100, baselineRetryMs: 0 };
    const second = new BaselineLoop(rig.service.database, settings, rig.service.app.get(TaskService));
    second.onApplicationBootstrap();
    try {
      const id = await add(await store('2.10', [model]), { model });
      const devices = [await phone(model, '2.8'), await phone(model, '2.9')];
      await Promise.all(devices.map((device) => device.online()));
      for (const device of devices) await begun(id, device);
      for (let n = 0; n < 3; n++) await looked(id);
      for (const device of devices) await upgraded(id, device, '2.10');
      const tasks = (await rig.call(listTasks, { query: {} })).records.filter((t) => t.params['firmwareId']);
      expect(tasks[0]).toMatchObject({ action: 'firmwareUpgrade', creatorId: rig.actor.userId });
      await eventually(() =>
        expect(audits).toContainEqual(expect.objectContaining({ action: 'task.add', objectId: tasks[0]!.id })),
      );
      await rig.call(deleteBaseline, { query: { id } });
    } finally {
      await second.onApplicationShutdown();
    }
  });
});

describe('the list of baselines', () => {
  it('supports adding, editing, deleting and restoring, and locks its firmware [STORE-07/noun] [ROLE-03/baseline]', async () => {
    const model = newModel();
    const firmwareId = await store('2.10', [model]);
    const id = await add(firmwareId, { model, name: 'Zz desks' });
    await eventually(() => expect(told.get(id)).toBe(firmwareId));
    for (const [change, expected] of [
      [
        { model, name: 'zz DESKS' },
        { error: 'baseline.nameTaken', field: 'name' },
      ],
      [{ model: 'Other' }, { error: 'baseline.modelOther', field: 'model' }],
      [{ siteId: uuidv7() }, { error: 'baseline.siteUnknown', field: 'siteId' }],
      [
        { model, from: '22:00', to: '04:00', timeZone: 'Mars/Base' },
        { error: 'baseline.zoneUnknown', field: 'timeZone' },
      ],
      [
        { model, firmwareId: uuidv7() },
        { error: 'task.fileMissing', field: 'firmwareId' },
      ],
    ] as const)
      expect(await refusal(add(firmwareId, change))).toEqual(expected);
    for (const change of [{}, { model, siteId: campus }, { siteId: campus, groupId: uuidv7() }])
      expect(await refusal(add(firmwareId, change))).toEqual({ error: 'baseline.scope', field: 'model' });
    const zoned = { from: '22:00', timeZone: 'Etc/UTC' };
    for (const window of [{ from: '22:00' }, zoned, { ...zoned, to: '22:00' }, { timeZone: 'Etc/UTC' }])
      expect(await refusal(add(firmwareId, { model, ...window }))).toEqual({ error: 'baseline.window', field: 'to' });

    const may = async (change: object, call = deleteBaseline) =>
      refusal(rig.service.as({ ...rig.actor, ...change })(call, { query: { id } }));
    expect(await may({ orgIds: [rig.actor.orgId] })).toEqual({ error: 'baseline.narrowed' });
    for (const right of ['addTask', 'pushFirmware'])
      expect(await may({ permissions: permissionKeys.filter((key) => key !== right) })).toEqual({
        error: 'common.forbidden',
      });
    expect(await refusal(rig.service.as(newActor())(getBaseline, { params: { id } }))).toEqual({
      error: 'common.notFound',
    });

    const off = body(firmwareId, {
      model,
      name: 'Zz phones',
      active: false,
      from: '22:00',
      to: '04:00',
      timeZone: 'Asia/Seoul',
    });
    expect(await rig.call(editBaseline, { body: { id, ...off } })).toMatchObject({
      name: 'Zz phones',
      active: false,
      from: '22:00',
      to: '04:00',
      timeZone: 'Asia/Seoul',
      firmware: { id: firmwareId, name: 'Desk', version: '2.10' },
      held: false,
      inScope: 0,
    });
    await eventually(() => expect(told.get(id)).toBeNull());
    await rig.call(editBaseline, { body: { id, ...off, active: true } });
    await eventually(() => expect(told.get(id)).toBe(firmwareId));
    await rig.call(deleteBaseline, { query: { id } });
    await eventually(() => expect(told.get(id)).toBeNull());
    expect((await rig.call(listBaselines, { query: { search: 'zz phones' } })).total).toBe(0);
    expect(await rig.call(restoreBaselines, { body: { ids: [id] } })).toEqual({ restored: 1 });
    await eventually(() => expect(told.get(id)).toBe(firmwareId));
    expect((await rig.call(listBaselines, { query: { search: 'zz phones' } })).records).toMatchObject([{ id }]);
    await rig.call(deleteBaseline, { query: { id } });
  });
});
