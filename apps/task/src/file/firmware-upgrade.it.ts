import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  audit,
  firmwareState,
  getTask,
  getTaskRollback,
  listTaskDevices,
  previewTask,
  rerunTask,
  resumeTask,
  rollbackTask,
  stopTask,
  taskFile,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { downloadKey, readDownloadToken } from '@carillon/service';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
/** Events about files of tasks for the store, latest last. */
const told: { taskId: string; state: 'open' | 'stopped' | 'ended' }[] = [];
/** Entries of the operation log about rollbacks that were refused. */
const refused: Record<string, unknown>[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
  await rig.bus.fanout({
    topics: [taskFile.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records) {
        const data = value === null ? null : (JSON.parse(value) as { stopped: boolean });
        told.push({ taskId: key!, state: data === null ? 'ended' : data.stopped ? 'stopped' : 'open' });
      }
      return Promise.resolve();
    },
  });
  await rig.bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { value } of records) {
        const { action, objectId, userId, result } = JSON.parse(value!) as Record<string, unknown>;
        if (action === 'task.rollback' && result !== 'success') refused.push({ action, objectId, userId, result });
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => rig?.close());

const part = (name: string) => ({
  fileId: uuidv7(),
  fileName: `${name}.bin`,
  size: 1_000,
  sha256: 'ab'.repeat(32),
  signature: 'c2ln',
});
let version = 0;
/** Publishes a firmware as the store does; without a company it is official. */
async function store(
  change: { version?: string; least?: string; models?: string[]; deltas?: string[]; made?: string[] } = {},
  official = false,
) {
  const id = uuidv7();
  const { deltas = [], made = [], ...more } = change;
  const data = {
    id,
    path: official ? ('official' as const) : ('mine' as const),
    name: 'Desk',
    version: '2.0.10',
    models: ['Fanvil X7A'],
    least: null,
    ...part('whole'),
    deltas: [
      ...deltas.map((from) => ({ from, format: 'maker' as const, ...part(`delta-${from}`) })),
      ...made.map((from) => ({ from, format: 'zstd-windows' as const, ...part(`made-${from}`) })),
    ],
    signedBy: 'a2V5',
    endorsements: [],
    ...more,
  };
  const companyId = official ? null : rig.actor.companyId;
  await rig.bus.publish([toRecord(firmwareState, id, data, envelope('firmware', { companyId, version: ++version }))]);
  await eventually(async () => {
    const rows = await rig.sql(
      'select id from firmware_copy where id = $1 union all select id from official_firmware_copy where id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
  });
  return data;
}
const phone = (firmware: string | null = '2.0.9', more: object = {}) =>
  rig.devices(1, { firmware, capabilities: ['firmwareUpgrade', 'reboot', 'factoryReset'], ...more });
const body = (firmwareId: string, devices: readonly LinkedDevice[], params: object = {}) => ({
  name: 'Upgrade',
  action: 'firmwareUpgrade',
  params: { firmwareId, ...params },
  target: { ids: devices.map((d) => d.identity.deviceId) },
});
const order = async (firmwareId: string, devices: readonly LinkedDevice[], params: object = {}) =>
  (await rig.call(addTask, { body: body(firmwareId, devices, params) })).id;
const rowOf = async (id: string) => (await rig.call(listTaskDevices, { params: { id }, query: {} })).records[0]!;
const is = (id: string, expected: object) => eventually(async () => expect(await rowOf(id)).toMatchObject(expected));
const commandId = async (id: string) =>
  (await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1', [id]))[0]!.id;
const statesTold = (id: string) => told.filter((t) => t.taskId === id).map((t) => t.state);

describe('a firmware upgrade', () => {
  it('offers a platform delta only to devices with its format and version, and the whole file to all', async () => {
    const firmware = await store({ made: ['2.0.9'] });
    const capabilities = ['firmwareUpgrade', 'delta.zstd-windows'];
    const devices = (
      await Promise.all([
        phone('2.0.9', { capabilities }),
        phone('2.0.9'),
        phone('2.0.9', { capabilities: ['firmwareUpgrade', 'delta.other'] }),
        phone('2.0.8', { capabilities }),
      ])
    ).flat();
    for (const device of devices) await device.online();
    await order(firmware.id, devices);
    const told = [];
    for (const device of devices) {
      const { args } = await rig.command(device);
      expect(args).toMatchObject({ version: '2.0.10', sha256: firmware.sha256 });
      told.push(args['delta']);
    }
    expect(told).toEqual([
      expect.objectContaining({ format: 'zstd-windows', from: '2.0.9', sha256: firmware.deltas[0]!.sha256 }),
      undefined,
      undefined,
      undefined,
    ]);
    for (const device of devices)
      await device.say({ id: (await rig.command(device)).id, status: 'fail', code: 'download' });
  });

  it('sends each device its own link and delta, and is done when the device is back with the version', async () => {
    const firmware = await store({ deltas: ['2.0.9', '2.0.8'] });
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    const { args } = await rig.command(device!);
    expect(args).toMatchObject({
      version: '2.0.10',
      size: 1_000,
      sha256: firmware.sha256,
      signature: 'c2ln',
      signedBy: 'a2V5',
      whenIdle: true,
      delta: { format: 'maker', from: '2.0.9' },
    });
    const grantOf = (url: unknown) => {
      const [, token, name] = /^https:\/\/carillon\.example\/f\/([\w-]+)\/(.+)$/.exec(String(url))!;
      return { name, grant: readDownloadToken(downloadKey(rig.service.contextKey), token!)! };
    };
    const command = await commandId(id);
    const whole = grantOf(args['url']);
    expect(whole).toMatchObject({
      name: 'whole.bin',
      grant: {
        companyId: rig.actor.companyId,
        deviceId: device!.identity.deviceId,
        ownerEpoch: 1,
        taskId: id,
        commandId: command,
        fileId: firmware.fileId,
      },
    });
    expect(whole.grant.beginBy - Date.now()).toBeGreaterThan(3_590_000);
    expect(whole.grant.beginBy - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(grantOf((args['delta'] as { url: string }).url).grant.fileId).toBe(firmware.deltas[0]!.fileId);

    await device!.say({ id: command, status: 'accepted' });
    await device!.say({ id: command, status: 'progress', progress: 40 });
    await is(id, { status: 'process', progress: 40 });
    await device!.say({ id: command, status: 'downloaded' });
    await is(id, { status: 'downloadSuccess' });
    // It reports success before it goes down: the result is not known yet.
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'downloadSuccess', code: 'restarting', message: 'Restarting' });
    await device!.back({ boot: 'power', firmware: '2.0.10' });
    await is(id, { status: 'success', code: null });
    expect(await rig.sql('select version_before as before from task_device where task_id = $1', [id])).toEqual([
      { before: '2.0.9' },
    ]);
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'ended']));
  });

  it('fails on a device that comes back with another version, or not at all', async () => {
    const firmware = await store();
    const [one, other] = [...(await phone()), ...(await phone())];
    for (const device of [one!, other!]) await device.online();
    const [first, second] = [await order(firmware.id, [one!]), await order(firmware.id, [other!])];
    for (const [id, device] of [
      [first, one!],
      [second, other!],
    ] as const) {
      await is(id, { status: 'process' });
      for (const status of ['accepted', 'downloaded'] as const) await device.say({ id: await commandId(id), status });
      await is(id, { status: 'downloadSuccess' });
    }
    await one!.back({ boot: 'upgrade', firmware: '2.0.9' });
    await is(first, { status: 'fail', code: 'otherVersion', message: 'It came back with another version' });
    await other!.offline();
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [second]);
    await is(second, { status: 'fail', code: 'notBack', message: 'It did not come back' });
  });

  it('skips unsuitable devices with the reason, in the preview and in the task', async () => {
    const firmware = await store({ least: '1.5' }, true);
    const devices = [
      ...(await phone('2.0.9')),
      ...(await phone('2.0.10.0')),
      ...(await phone('2.1')),
      ...(await phone('1.4')),
      ...(await phone('2.0-rc1')),
      ...(await phone('2.0.9', { model: 'Fanvil X6U' })),
    ];
    const order = body(firmware.id, devices);
    const { name: _, ...asked } = order;
    const preview = await rig.call(previewTask, { body: asked, query: {} });
    expect(preview.touched).toBe(1);
    expect(new Set(preview.skipped.map((s) => s.message))).toEqual(
      new Set([
        'It has 2.0.10 already',
        'It has the newer version 2.1',
        'It needs 1.5 first',
        'Its firmware version can’t be compared',
        'The firmware is not for the Fanvil X6U',
      ]),
    );
    const { id } = await rig.call(addTask, { body: order });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 1, fail: 5 }));
    const down = await rig.call(previewTask, {
      body: { ...asked, params: { firmwareId: firmware.id, downgrade: true } },
      query: {},
    });
    expect(down.touched).toBe(2);
  });

  it('is refused at its field for a missing or foreign firmware, and stores nothing', async () => {
    const firmware = await store();
    const [device] = await phone();
    const stranger = newActor();
    for (const [call, id] of [
      [rig.call, uuidv7()],
      [rig.service.as(stranger), firmware.id],
    ] as const)
      await expect(call(addTask, { body: body(id, [device!]) })).rejects.toMatchObject({
        error: 'task.fileMissing',
        fields: [{ path: 'params.firmwareId' }],
      });
  });

  it('publishes its file while open, stopped and ended, and cannot run again without it', async () => {
    const firmware = await store();
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    await is(id, { status: 'process' });
    await rig.call(stopTask, { params: { id } });
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'stopped']));
    await device!.say({ id: await commandId(id), status: 'fail', code: 'download' });
    await is(id, { status: 'fail', message: 'The file could not be loaded' });
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'stopped', 'ended']));
    await rig.bus.publish([
      toRecord(firmwareState, firmware.id, null, envelope('firmware', { companyId: rig.actor.companyId })),
    ]);
    await eventually(async () =>
      expect(await rig.sql('select id from firmware_copy where id = $1', [firmware.id])).toEqual([]),
    );
    await expect(rig.call(rerunTask, { params: { id }, body: { only: 'all' } })).rejects.toMatchObject({
      error: 'task.fileMissing',
    });
    expect((await rig.call(getTask, { params: { id } })).runs).toBe(1);
  });
});

describe('a scheduled firmware upgrade', () => {
  it('releases its file when its time passed unused', async () => {
    const firmware = await store();
    const [device] = await phone();
    const begin = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    const { id } = await rig.call(addTask, {
      body: { ...body(firmware.id, [device!]), schedule: { type: 'timer', begin }, timeZone: 'Etc/UTC' },
    });
    await eventually(() => expect(statesTold(id)).toEqual(['open']));
    await rig.sql(`update task set due_at = now() - interval '3 days' where id = $1`, [id]);
    await eventually(async () =>
      expect(await rig.call(getTask, { params: { id } })).toMatchObject({ status: 'timeout', runs: 0 }),
    );
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'ended']));
  });
});

describe('a roll-back', () => {
  it("restores each device's old version if an image exists, and counts those that stay", async () => {
    const { version: to, id } = await store({ version: '3.0', models: ['Fanvil X7A', 'Fanvil X6U'] });
    const back = await store({ version: '2.9', models: ['Fanvil X7A', 'Fanvil X6U'] }, true);
    const devices = [
      ...(await phone('2.9')),
      ...(await phone('2.9', { model: 'Fanvil X6U' })),
      ...(await phone('2.8')),
      ...(await phone('2.9')),
    ];
    for (const device of devices) await device.online();
    const task = await order(id, devices);
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ process: 4 }));
    const rows = await rig.sql<{ id: string; device: string }>(
      'select command_id as id, device_id as device from task_device where task_id = $1',
      [task],
    );
    const commandOf = (device: LinkedDevice) => rows.find((r) => r.device === device.identity.deviceId)!.id;
    const nothing = { versions: [] };
    expect(await rig.call(getTaskRollback, { params: { id: task }, query: {} })).toEqual(nothing);
    await expect(rig.call(rollbackTask, { params: { id: task }, body: { only: 'all' } })).rejects.toMatchObject({
      error: 'task.nothingToRollBack',
    });
    // Three are upgraded, one of them badly; the last keeps its version.
    for (const device of devices.slice(0, 3)) {
      await device.say({ id: commandOf(device), status: 'accepted' });
      await device.back({ boot: 'upgrade', firmware: device === devices[1] ? '3.0-broken' : to });
      await rig.tell(device, { firmware: device === devices[1] ? '3.0-broken' : to });
    }
    await devices[3]!.say({ id: commandOf(devices[3]!), status: 'fail', code: 'download' });
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ success: 2, fail: 2 }));
    const preview = async (only: 'all' | 'failed') =>
      (await rig.call(getTaskRollback, { params: { id: task }, query: { only } })).versions.toSorted((a, b) =>
        `${a.version}${a.model}`.localeCompare(`${b.version}${b.model}`),
      );
    const firmware = { id: back.id, name: 'Desk' };
    const broken = [{ version: '3.0-broken', count: 1 }];
    await eventually(async () => {
      expect(await preview('all')).toEqual([
        { version: '2.8', model: 'Fanvil X7A', count: 1, broken: [], firmware: null },
        { version: '2.9', model: 'Fanvil X6U', count: 1, broken, firmware },
        { version: '2.9', model: 'Fanvil X7A', count: 1, broken: [], firmware },
      ]);
    });
    expect(await preview('failed')).toEqual([{ version: '2.9', model: 'Fanvil X6U', count: 1, broken, firmware }]);

    const { tasks, left } = await rig.call(rollbackTask, { params: { id: task }, body: { only: 'all' } });
    expect([tasks.length, left]).toEqual([1, 1]);
    expect(tasks[0]).toMatchObject({
      name: 'Upgrade → 2.9',
      action: 'firmwareUpgrade',
      params: { firmwareId: back.id, downgrade: true },
    });
    // A version that cannot be compared does not keep a device from the one that it had.
    await eventually(async () =>
      expect(await rig.counts(tasks[0]!.id)).toMatchObject({ expanded: true, total: 2, process: 2, fail: 0 }),
    );
    for (const device of devices.slice(0, 2))
      await eventually(async () => expect((await rig.command(device)).args).toMatchObject({ version: '2.9' }));
  });

  it('compares versions by their numbers: 4.1.0 is restored by 4.1, and to a device on 4.1 nothing is done', async () => {
    const { id } = await store({ version: '5.0' });
    const back = await store({ version: '4.1' });
    const devices = [...(await phone('4.1.0')), ...(await phone('4.1')), ...(await phone('4.1.0'))];
    for (const device of devices) await device.online();
    const { name: _, ...unnamed } = body(id, devices);
    const { id: task } = await rig.call(addTask, { body: unnamed });
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ process: 3 }));
    // The last one keeps its version, which it now spells shorter.
    for (const [n, device] of devices.entries()) await rig.tell(device, { firmware: n === 2 ? '4.1' : '5.0' });
    const seen = () => rig.call(getTaskRollback, { params: { id: task }, query: {} });
    await eventually(async () =>
      expect((await seen()).versions.map(({ version, count, firmware }) => [version, count, firmware?.id])).toEqual([
        ['4.1', 1, back.id],
        ['4.1.0', 1, back.id],
      ]),
    );
    const { tasks, left } = await rig.call(rollbackTask, { params: { id: task }, body: { only: 'all' } });
    expect([tasks.length, left]).toEqual([1, 0]);
    const inKorean = await rig.service.as({ ...rig.actor, language: 'ko' })(getTask, { params: { id: tasks[0]!.id } });
    expect([tasks[0]!.name, inKorean.name]).toEqual([
      'Firmware upgrade 3 devices → 4.1',
      '장치 3대 펌웨어 업그레이드 → 4.1',
    ]);
    await eventually(async () => expect(await rig.counts(tasks[0]!.id)).toMatchObject({ expanded: true, total: 2 }));
  });
});

describe('a rollback that is part of the order', () => {
  const inStages = async (rollback: boolean) => {
    const { version: to, id: firmwareId } = await store({ version: '3.0' });
    const back = await store({ version: '2.9' });
    const devices = [
      ...(await phone('2.9')),
      ...(await phone('2.9')),
      ...(await phone('2.9')),
      ...(await phone('2.9')),
    ];
    for (const device of devices) await device.online();
    const { id } = await rig.call(addTask, {
      body: { ...body(firmwareId, devices), rollout: { stages: [50, 100], pauseAt: 50, rollback } },
    });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ total: 2, process: 2 }));
    const [one, other] = await rig.sql<{ command: string; device: string }>(
      'select command_id as command, device_id as device from task_device where task_id = $1 order by device_id',
      [id],
    );
    const of = (row: { device: string }) => devices.find((d) => d.identity.deviceId === row.device)!;
    for (const row of [one!, other!]) await of(row).say({ id: row.command, status: 'accepted' });
    await of(other!).say({ id: other!.command, status: 'fail', code: 'download' });
    await eventually(async () =>
      expect(await rig.call(getTask, { params: { id } })).toMatchObject({ pausedFor: 'failures' }),
    );
    // The other device of the stage is still active.
    const upgraded = async () => {
      await of(one!).say({ id: one!.command, status: 'downloaded' });
      await of(one!).back({ boot: 'upgrade', firmware: to });
      await rig.tell(of(one!), { firmware: to });
      await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 1, fail: 1 }));
    };
    const backTasks = () =>
      rig.sql<{ id: string; creator: string }>(
        `select id, creator_id as creator from task where target -> 'rollback' ->> 'taskId' = $1`,
        [id],
      );
    return { id, back, device: of(one!), upgraded, backTasks };
  };

  it('begins once, after the task has paused and no device is active, in the name of its creator', async () => {
    const { id, back, device, upgraded, backTasks } = await inStages(true);
    expect(await backTasks()).toEqual([]);
    await upgraded();
    const [task] = await eventually(async () => {
      const tasks = await backTasks();
      expect(tasks).toHaveLength(1);
      return tasks;
    });
    expect(task!.creator).toBe(rig.actor.userId);
    await eventually(async () => expect(await rig.counts(task!.id)).toMatchObject({ expanded: true, total: 1 }));
    await eventually(async () => expect((await rig.command(device)).args).toMatchObject({ version: back.version }));
    // Waiting devices stay with the task until a user resumes or stops it.
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ pausedFor: 'failures', stage: 1 });
    await rig.call(resumeTask, { params: { id } });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ total: 4 }));
    expect(await backTasks()).toHaveLength(1);
  });

  it('does not begin without permission (which is logged), without the setting or after a resume', async () => {
    const [without, forbidden, resumed] = [await inStages(false), await inStages(true), await inStages(true)];
    await rig.call(resumeTask, { params: { id: resumed.id } });
    await rig.admit(rig.actor, { permissions: ['addTask'] });
    try {
      for (const one of [without, forbidden, resumed]) await one.upgraded();
      await eventually(async () => expect(await rig.sql('select id from task where rollback_due')).toEqual([]));
      for (const one of [without, forbidden, resumed]) expect(await one.backTasks()).toEqual([]);
      await eventually(() =>
        expect(refused.filter(({ objectId }) => objectId === forbidden.id)).toEqual([
          { action: 'task.rollback', objectId: forbidden.id, userId: rig.actor.userId, result: 'common.forbidden' },
        ]),
      );
    } finally {
      await rig.admit(rig.actor);
    }
  });

  it('is refused for actions that cannot go back', async () => {
    const [device] = await phone();
    const rollout = { stages: [50, 100], pauseAt: 50, rollback: true };
    await expect(
      rig.call(addTask, { body: { ...body(uuidv7(), [device!]), action: 'reboot', params: {}, rollout } }),
    ).rejects.toMatchObject({ error: 'common.fieldValue', fields: [{ path: 'rollout.rollback' }] });
  });
});

describe('a device that restarts for its command', () => {
  const reboot = async (device: LinkedDevice) => {
    const { id } = await rig.call(addTask, {
      body: { name: 'Reboot', action: 'reboot', params: {}, target: { ids: [device.identity.deviceId] } },
    });
    await is(id, { status: 'process' });
    return { id, command: await commandId(id) };
  };

  it('is not done when it reports success, but when it is back', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'process', code: 'restarting' });
    await device!.back({ boot: 'power' });
    await is(id, { status: 'success' });
  });

  it('is done by its hello alone after it accepted, but not by that of an older connection', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'accepted' });
    await device!.back({ epoch: device!.epoch });
    await device!.say({ id: command, status: 'progress', progress: 1 });
    await is(id, { status: 'process', progress: 1 });
    await device!.back();
    await is(id, { status: 'success' });
  });

  it('is done when it crashed meanwhile and then reports success', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'accepted' });
    await device!.back({ boot: 'power' });
    await device!.say({ id: command, status: 'progress', progress: 1 });
    await is(id, { status: 'process', progress: 1 });
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'success', code: null });

    // A device that accepts the command again must still restart.
    const other = await reboot(device!);
    await device!.say({ id: other.command, status: 'accepted' });
    device!.epoch += 3;
    await device!.back({ boot: 'power', epoch: device!.epoch });
    await device!.say({ id: other.command, status: 'accepted' });
    await device!.say({ id: other.command, status: 'success' });
    await is(other.id, { status: 'process', code: 'restarting' });
    await device!.back();
    await is(other.id, { status: 'success' });
  });

  it('needs an answer when it came back before its first one, because the restart may be unrelated', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.back();
    // It begins only now, in the connection of that hello.
    device!.epoch += 1;
    await device!.say({ id: command, status: 'accepted' });
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'process', code: 'restarting' });
    await device!.back();
    await is(id, { status: 'success' });

    const other = await reboot(device!);
    await device!.back({ epoch: device!.epoch + 3 });
    await device!.say({ id: other.command, status: 'success' });
    await is(other.id, { status: 'success' });
  });

  it('ignores a start before its command, which an unacknowledged hello reports again', async () => {
    const firmware = await store();
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    await is(id, { status: 'process' });
    await device!.say({ id: await commandId(id), status: 'accepted' });
    await device!.back({ boot: 'upgrade', firmware: '2.0.9', uptime: 60 });
    await device!.say({ id: await commandId(id), status: 'downloaded' });
    await is(id, { status: 'downloadSuccess' });
    await device!.back({ boot: 'upgrade', firmware: '2.0.10', epoch: device!.epoch + 2 });
    await is(id, { status: 'success' });
  });

  it('fails when it reports success without a restart, or stays away', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'success' });
    await is(id, { code: 'restarting' });
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [id]);
    await is(id, { status: 'fail', code: 'notBack' });

    const away = await reboot(device!);
    await device!.say({ id: away.command, status: 'accepted' });
    await device!.offline();
    await rig.sql(
      `update task_device set deadline_at = now() - interval '1 second' where task_id = $1 and accepted_at is not null`,
      [away.id],
    );
    await eventually(async () => {
      await rig.sql(
        `
          update task_device set deadline_at = now() - interval '1 second'
          where task_id = $1 and accepted_at is not null and ended_at is null
        `,
        [away.id],
      );
      expect(await rowOf(away.id)).toMatchObject({ status: 'fail', code: 'notBack' });
    });
  });
});
