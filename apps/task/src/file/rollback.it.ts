import { describe, expect, it } from 'vitest';
import { addTask, getTask, getTaskRollback, resumeTask, rollbackTask } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { body, startUpgrades } from './firmware-upgrade-test.ts';

const { rig, refused, store, phone, order } = await startUpgrades();

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
      await rig.publishDevice(device, { firmware: device === devices[1] ? '3.0-broken' : to });
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
    for (const [n, device] of devices.entries()) await rig.publishDevice(device, { firmware: n === 2 ? '4.1' : '5.0' });
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
    const deviceOf = (row: { device: string }) => devices.find((d) => d.identity.deviceId === row.device)!;
    for (const row of [one!, other!]) await deviceOf(row).say({ id: row.command, status: 'accepted' });
    await deviceOf(other!).say({ id: other!.command, status: 'fail', code: 'download' });
    await eventually(async () =>
      expect(await rig.call(getTask, { params: { id } })).toMatchObject({ pausedFor: 'failures' }),
    );
    // The other device of the stage is still active.
    const upgraded = async () => {
      await deviceOf(one!).say({ id: one!.command, status: 'downloaded' });
      await deviceOf(one!).back({ boot: 'upgrade', firmware: to });
      await rig.publishDevice(deviceOf(one!), { firmware: to });
      await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 1, fail: 1 }));
    };
    const backTasks = () =>
      rig.sql<{ id: string; creator: string }>(
        `select id, creator_id as creator from task where target -> 'rollback' ->> 'taskId' = $1`,
        [id],
      );
    return { id, back, device: deviceOf(one!), upgraded, backTasks };
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
