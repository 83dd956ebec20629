import { describe, expect, it } from 'vitest';
import {
  addBaseline,
  deleteBaseline,
  editBaseline,
  getBaseline,
  getDeviceBaseline,
  listBaselineDevices,
  listTasks,
  permissionKeys,
  retryBaseline,
  stopTask,
  type BaselineState,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { readConfig } from '@carillon/service';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskConfig } from '../config.ts';
import { TaskService } from '../task/task.service.ts';
import { BaselineLoop } from './baseline.loop.ts';
import { campus, house, depot, refusal, startBaselines } from './baseline-test.ts';

const { rig, audits, newModel, store, body, add } = await startBaselines();
async function phone(model: string, firmware: string | null, more: object = {}): Promise<LinkedDevice> {
  const given = { model, firmware, capabilities: ['firmwareUpgrade'], ...more };
  const [device] = await rig.devices(1, given);
  return device!;
}
const idOf = (device: LinkedDevice): string => device.identity.deviceId;
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
  await rig.publishDevice(device, { firmware: version });
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
        await rig.publishDevice(joins, join);
      }
      await upgraded(id, joins, '2.10');
      await eventually(async () => expect(await states(id)).toEqual({ onVersion: 2 }));

      // It falls behind, for example after a repair.
      await rig.publishDevice(there, { firmware: '2.9.9' });
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

  it('applies the baseline of the MAC, then group, nearest site and model [STORE-07/rank]', async () => {
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
    await rig.publishDevice(device, null);
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
