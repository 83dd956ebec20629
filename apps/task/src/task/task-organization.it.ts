import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  audit,
  getTask,
  getTaskTarget,
  listDeviceTasks,
  listTaskDevices,
  listTaskRuns,
  listTasks,
  live,
  message,
  pauseTask,
  resumeTask,
  runTask,
  stopTask,
  cancelTask,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

/**
 * A task is visible to its creator, to users who see all organizations, and to users who see one of its devices; hidden
 * devices are not revealed to them.
 */
let rig: TaskRig;
const hamburg = uuidv7();
const berlin = uuidv7();
let anna: Actor;
let ben: Actor;
let boss: Actor;
/** A user with one organization chosen in the top bar. */
const narrowed = { allOrgs: undefined as never, orgIds: [hamburg] };
const heard: { kind: string; ids: string[] | 'many'; orgIds: string[] | null }[] = [];

const said: { objectId: string; orgId: string | null; orgIds?: string[]; values: unknown }[] = [];
const noted: { action: string; objectId: string; result: string; orgIds?: string[] }[] = [];

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  await rig.bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      heard.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: ({ records }) => {
      said.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  await rig.bus.fanout({
    topics: [audit.name],
    from: 'end',
    handle: ({ records }) => {
      noted.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  anna = { ...rig.actor, userId: uuidv7(), orgIds: [hamburg] };
  ben = { ...rig.actor, userId: uuidv7(), orgIds: [berlin] };
  boss = { ...rig.actor, userId: uuidv7(), orgIds: [hamburg, berlin, rig.actor.orgId], allOrgs: true };
});
afterAll(() => rig?.close());

const as = (actor: Actor) => rig.service.as(actor);
const order = async (actor: Actor, devices: readonly LinkedDevice[]) =>
  (
    await as(actor)(addTask, {
      body: { name: 'Reboot', action: 'reboot', params: {}, target: { ids: devices.map((d) => d.identity.deviceId) } },
    })
  ).id;
const load = (actor: Actor, id: string) => as(actor)(getTask, { params: { id } });
const seenBy = async (actor: Actor) => (await as(actor)(listTasks, { query: { limit: 200 } })).records.map((t) => t.id);
const ready = (id: string) =>
  eventually(async () => {
    const [row] = await rig.sql<{ expanded: boolean }>('select expanded from task where id = $1', [id]);
    expect(row!.expanded).toBe(true);
  });
const rows = async (id: string) =>
  JSON.stringify([
    await rig.sql('select * from task where id = $1', [id]),
    await rig.sql('select * from task_device where task_id = $1 order by device_id', [id]),
    await rig.sql('select * from task_organization where task_id = $1 order by org_id', [id]),
  ]);
const counts = ['wait', 'process', 'success', 'fail', 'cancel', 'timeout']
  .map((s) => `count(*) filter (where status = '${s}')::int as ${s}`)
  .join(', ');

/** Checks that the sums of each organization match its rows, and add up to the task's. */
const sumsHold = async (id: string) =>
  expect(
    await rig.sql(
      `
        select org_id, total, wait, process, success, fail, cancel, timeout
        from task_organization
        where task_id = $1
        order by org_id
      `,
      [id],
    ),
  ).toEqual(
    await rig.sql(
      `
        select org_id, count(*)::int as total,
          ${counts}
        from task_device
        where task_id = $1
        group by org_id
        order by org_id
      `,
      [id],
    ),
  );

describe('a task of one organization', () => {
  it('is hidden from users of other organizations in lists, details, devices and when it ends', async () => {
    const devices = await rig.devices(2, { orgId: hamburg });
    const id = await order(anna, devices);
    await ready(id);
    for (const actor of [anna, boss, { ...ben, userId: anna.userId }]) expect(await seenBy(actor)).toContain(id);
    expect(await seenBy(ben)).not.toContain(id);
    const before = await rows(id);
    for (const call of [
      getTask,
      getTaskTarget,
      listTaskDevices,
      listTaskRuns,
      stopTask,
      cancelTask,
      runTask,
      pauseTask,
      resumeTask,
    ])
      await expect(as(ben)(call as typeof getTask, { params: { id } })).rejects.toMatchObject({
        code: 404,
        error: 'common.notFound',
      });
    expect((await as(ben)(listDeviceTasks, { params: { id: devices[0]!.identity.deviceId } })).records).toEqual([]);
    expect((await as(ben)(listTasks, { query: { search: 'Reboot' } })).total).toBe(0);
    expect(await rows(id)).toBe(before);
    await eventually(() => {
      expect(heard.filter((h) => h.kind === 'task' && h.ids.includes(id)).length).toBeGreaterThan(1);
    });
    for (const { orgIds } of heard.filter((h) => h.kind === 'task' && h.ids.includes(id)))
      expect(orgIds).toEqual([hamburg]);
  });

  it('is visible without rows to its creator and to users who see all', async () => {
    const made = await as(anna)(addTask, {
      body: {
        name: 'None',
        action: 'reboot',
        params: {},
        target: { filter: { model: ['No such model'] } },
        schedule: { type: 'timer', begin: '2031-01-01T02:00' },
      },
    });
    expect(made).toMatchObject({ whole: true, counts: { total: 0 } });
    for (const actor of [anna, boss]) expect(await seenBy(actor)).toContain(made.id);
    for (const actor of [ben, { ...anna, userId: uuidv7() }]) expect(await seenBy(actor)).not.toContain(made.id);
  });

  it('is copied by a partial viewer with their devices, and paused only by users who see all of it', async () => {
    const [one, other] = [await rig.devices(1, { orgId: hamburg }), await rig.devices(1, { orgId: berlin })];
    const id = await order(boss, [...one, ...other]);
    await ready(id);
    const targetFor = async (actor: Actor) => (await as(actor)(getTaskTarget, { params: { id } })).target;
    expect(await targetFor(boss)).toEqual({ ids: expect.arrayContaining([one[0]!.identity.deviceId]) });
    expect(await targetFor(anna)).toEqual({ ids: [one[0]!.identity.deviceId] });
    expect(await targetFor(ben)).toEqual({ ids: [other[0]!.identity.deviceId] });
    await expect(as(anna)(pauseTask, { params: { id } })).rejects.toMatchObject({ error: 'task.partlySeen' });
    expect((await as(boss)(pauseTask, { params: { id } })).pausedFor).toBe('person');
    await expect(as(ben)(resumeTask, { params: { id } })).rejects.toMatchObject({ error: 'task.partlySeen' });
    expect((await as(boss)(resumeTask, { params: { id } })).pausedAt).toBeNull();
  });

  it('in stages is whole only for users who see its later stages, and its events stay in its organizations', async () => {
    const devices = [...(await rig.devices(4, { orgId: hamburg })), ...(await rig.devices(4, { orgId: berlin }))];
    for (const device of devices) await device.online();
    const { id } = await as(boss)(addTask, {
      body: {
        name: 'Staged',
        action: 'reboot',
        target: { ids: devices.map((d) => d.identity.deviceId) },
        rollout: { stages: [75, 100], pauseAt: 50 },
      },
    });
    await eventually(async () => expect(await load(boss, id)).toMatchObject({ planned: 8, counts: { process: 6 } }));
    // Six of eight: each of the two sees at least some of them.
    for (const actor of [anna, ben]) {
      expect(await load(actor, id)).toMatchObject({ whole: false, planned: null });
      await expect(as(actor)(pauseTask, { params: { id } })).rejects.toMatchObject({ error: 'task.partlySeen' });
    }
    heard.length = 0;
    noted.length = 0;
    await as(boss)(pauseTask, { params: { id } });
    await as(boss)(resumeTask, { params: { id } });
    await as(boss)(stopTask, { params: { id } });
    await eventually(() => {
      expect(heard.filter((h) => h.kind === 'task' && h.ids.includes(id)).length).toBeGreaterThan(2);
      expect(noted.filter((n) => n.objectId === id && n.result === 'success').map((n) => n.action)).toEqual([
        'task.pause',
        'task.resume',
        'task.stop',
      ]);
    });
    for (const { orgIds } of heard.filter((h) => h.kind === 'task' && h.ids.includes(id)))
      expect([...orgIds!].toSorted()).toEqual([hamburg, berlin].toSorted());
    for (const { orgIds } of noted.filter((n) => n.objectId === id && n.result === 'success'))
      expect([...orgIds!].toSorted()).toEqual([hamburg, berlin].toSorted());
  });

  it('is ended by a user who sees all of its devices', async () => {
    const id = await order(boss, await rig.devices(2, { orgId: hamburg }));
    await ready(id);
    expect(await load(anna, id)).toMatchObject({ whole: true, counts: { total: 2 } });
    expect(await as(anna)(cancelTask, { params: { id } })).toMatchObject({
      status: 'cancel',
      counts: { total: 2, cancel: 2 },
    });
    await sumsHold(id);
  });
});

describe('a task of several organizations', () => {
  it('shows each user their own devices, and is ended by its creator or a user who sees all', async () => {
    const [h] = await rig.devices(1, { orgId: hamburg });
    const b = await rig.devices(3, { orgId: berlin });
    await h!.online();
    await b[0]!.online();
    const id = await order(boss, [h!, ...b]);
    await h!.answer({ id: (await rig.command(h!)).id, status: 'success' });
    await b[0]!.answer({ id: (await rig.command(b[0]!)).id, status: 'fail', code: 'busy' });
    await eventually(async () =>
      expect((await load(boss, id)).counts).toMatchObject({ total: 4, success: 1, fail: 1, wait: 2 }),
    );
    await sumsHold(id);
    expect(await load(boss, id)).toMatchObject({ whole: true });
    expect(await load(anna, id)).toMatchObject({ whole: false, counts: { total: 1, success: 1, fail: 0, wait: 0 } });
    expect(await load(ben, id)).toMatchObject({ whole: false, counts: { total: 3, success: 0, fail: 1, wait: 2 } });
    expect((await as(ben)(listTasks, { query: { limit: 200 } })).records.find((t) => t.id === id)!.counts.total).toBe(
      3,
    );
    expect((await as(anna)(listTaskDevices, { params: { id } })).records.map((d) => d.deviceId)).toEqual([
      h!.identity.deviceId,
    ]);
    expect((await as(anna)(listDeviceTasks, { params: { id: h!.identity.deviceId } })).records).toMatchObject([
      { id, counts: { total: 1 } },
    ]);
    const before = await rows(id);
    for (const call of [stopTask, cancelTask])
      await expect(as(ben)(call, { params: { id } })).rejects.toMatchObject({ code: 403, error: 'task.partlySeen' });
    expect(await rows(id)).toBe(before);
    // Its creator ends it completely, even with one organization chosen, and then sees that one's part.
    expect(await as({ ...boss, ...narrowed })(stopTask, { params: { id } })).toMatchObject({
      status: 'stop',
      whole: false,
      counts: { total: 1, success: 1 },
    });
    expect(await load(boss, id)).toMatchObject({ counts: { success: 1, fail: 1, cancel: 2 } });
    await sumsHold(id);
  });
});

describe('messages about a task', () => {
  it('name the organizations: the whole failure for viewers of all, and each part with its own figures', async () => {
    const [h, g] = await rig.devices(2, { orgId: hamburg });
    const b = await rig.devices(2, { orgId: berlin });
    const devices = [h!, g!, ...b];
    for (const d of devices) await d.online();
    const id = await order(boss, devices);
    for (const [i, d] of devices.entries())
      await d.answer({ id: (await rig.command(d)).id, status: i === 0 ? 'fail' : 'success' });
    await eventually(() => {
      expect(said.filter((m) => m.objectId === id)).toHaveLength(2);
    });
    const both = [hamburg, berlin].toSorted();
    expect(said.filter((m) => m.objectId === id)).toMatchObject([
      { orgId: null, orgIds: both, values: { count: 1, total: 4 } },
      { orgId: hamburg, orgIds: both, values: { count: 1, total: 2 } },
    ]);
    const own = await order(anna, [g!]);
    await g!.answer({
      id: await eventually(async () => {
        const { id: last } = await rig.command(g!);
        const [row] = await rig.sql('select 1 from task_device where task_id = $1 and command_id = $2', [own, last]);
        expect(row).toBeDefined();
        return last;
      }),
      status: 'fail',
    });
    await eventually(() => {
      expect(said.filter((m) => m.objectId === own)).toMatchObject([
        { orgId: hamburg, values: { count: 1, total: 1 } },
      ]);
    });
    expect(said.find((m) => m.objectId === own)).not.toHaveProperty('orgIds');
    await expect(as(ben)(stopTask, { params: { id } })).rejects.toMatchObject({ code: 403 });
    await eventually(() => {
      expect(noted.filter((e) => e.objectId === id).map((e) => [e.action, e.result, e.orgIds?.toSorted()])).toEqual([
        ['task.add', 'success', both],
        ['task.stop', 'task.partlySeen', [berlin]],
      ]);
    });
  });
});

describe('devices that move to another organization', () => {
  it('take their part of each task along, and only the new viewers see it', async () => {
    const devices = await rig.devices(2, { orgId: hamburg });
    const id = await order(boss, devices);
    await ready(id);
    const move = (d: LinkedDevice) => rig.publishDevice(d, { orgId: berlin });
    await move(devices[0]!);
    await eventually(async () =>
      expect(await load(ben, id)).toMatchObject({ whole: false, counts: { total: 1, wait: 1 } }),
    );
    expect(await load(anna, id)).toMatchObject({ whole: false, counts: { total: 1 } });
    await sumsHold(id);
    await move(devices[1]!);
    await eventually(async () =>
      expect(await load(ben, id)).toMatchObject({ whole: true, counts: { total: 2, wait: 2 } }),
    );
    await expect(load(anna, id)).rejects.toMatchObject({ code: 404 });
    await devices[0]!.online();
    await devices[0]!.answer({ id: (await rig.command(devices[0]!)).id, status: 'success' });
    await eventually(async () => expect((await load(ben, id)).counts).toMatchObject({ success: 1, wait: 1 }));
    await sumsHold(id);
  });
});
