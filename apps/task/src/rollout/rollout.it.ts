import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  alarmKinds,
  getTask,
  listTaskDevices,
  message,
  pauseTask,
  permissionKeys,
  previewTask,
  resumeTask,
  stopTask,
  type TaskRollout,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 200, taskPerSecond: 0 });
});
afterAll(() => rig?.close());

async function fleet(count: number, offline = 0): Promise<LinkedDevice[]> {
  const all = await rig.devices(count);
  const online = all.slice(offline);
  await Promise.all(online.map((device) => device.online()));
  await eventually(async () => {
    const [row] = await rig.sql<{ n: number }>(
      'select count(*)::int as n from link_session where online and device_id = any($1::uuid[])',
      [online.map((d) => d.identity.deviceId)],
    );
    expect(row!.n).toBe(online.length);
  });
  return all;
}
const order = (devices: readonly LinkedDevice[], rollout: TaskRollout) =>
  rig.call(addTask, {
    body: { name: 'In stages', action: 'reboot', target: { ids: devices.map((d) => d.identity.deviceId) }, rollout },
  });
const now = (id: string) => rig.call(getTask, { params: { id } });
const toldOf = (devices: readonly LinkedDevice[]) =>
  rig.commands.filter((c) => devices.some((d) => d.identity.deviceId === c.deviceId));
/** Waits for `count` commands to these devices in all, and answers new ones. */
async function answer(
  devices: readonly LinkedDevice[],
  count: number,
  answered: Set<string>,
  how: (n: number) => 'success' | 'fail' = () => 'success',
): Promise<void> {
  await eventually(() => expect(toldOf(devices)).toHaveLength(count));
  for (const [n, { id, deviceId }] of toldOf(devices)
    .filter((c) => !answered.has(c.id))
    .entries()) {
    answered.add(id);
    await devices.find((d) => d.identity.deviceId === deviceId)!.answer({ id, status: how(n) });
  }
}

it('begins each stage with its share of devices only after the current ones have answered', async () => {
  const all = await fleet(40);
  const { id, stage, rollout } = await order(all, { stages: [5, 25, 100], pauseAt: 50 });
  expect([stage, rollout]).toEqual([1, { stages: [5, 25, 100], pauseAt: 50 }]);
  const answered = new Set<string>();
  await eventually(() => expect(toldOf(all)).toHaveLength(2));
  expect(await now(id)).toMatchObject({ stage: 1, planned: 40, status: 'process', counts: { total: 2, process: 2 } });
  // One of the two does not end the stage.
  const [first] = toldOf(all);
  answered.add(first!.id);
  await all.find((d) => d.identity.deviceId === first!.deviceId)!.answer({ id: first!.id, status: 'success' });
  await eventually(async () => expect(await now(id)).toMatchObject({ counts: { success: 1 } }));
  expect((await now(id)).stage).toBe(1);
  await answer(all, 2, answered);
  await answer(all, 10, answered);
  expect(await now(id)).toMatchObject({ stage: 2 });
  await answer(all, 40, answered);
  await eventually(async () =>
    expect(await now(id)).toMatchObject({ stage: 3, status: 'success', counts: { total: 40, success: 40 } }),
  );
  expect(new Set(toldOf(all).map((c) => c.deviceId)).size).toBe(40);
});

it('offline devices block no stage, and join the active one when they come back', async () => {
  const all = await fleet(20, 10);
  const { id } = await order(all, { stages: [50, 100], pauseAt: 50 });
  const answered = new Set<string>();
  await eventually(async () => expect(await now(id)).toMatchObject({ stage: 1, counts: { total: 10 } }));
  const online = await eventually(async () => {
    const { process } = (await now(id)).counts;
    expect([process > 0, toldOf(all).length]).toEqual([true, process]);
    return process;
  });
  await answer(all, online, answered);
  await answer(all, 10, answered);
  await eventually(async () =>
    expect(await now(id)).toMatchObject({ stage: 2, status: 'process', counts: { total: 20, success: 10, wait: 10 } }),
  );
  await Promise.all(all.slice(0, 10).map((device) => device.online()));
  await answer(all, 20, answered);
  await eventually(async () => expect(await now(id)).toMatchObject({ status: 'success', counts: { success: 20 } }));
});

it('too many failures pause the task; resumed, earlier failures do not count again', async () => {
  const published: { type: number; objectName?: string | undefined }[] = [];
  const feed = await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: (batch) => {
      for (const record of batch.records) {
        const data = fromRecord(message, record)?.data;
        if (data && 'type' in data) published.push(data as never);
      }
    },
  });
  try {
    const all = await fleet(40);
    const { id } = await order(all, { stages: [25, 50, 100], pauseAt: 20 });
    const answered = new Set<string>();
    // Two of ten are 20 %.
    await answer(all, 10, answered, (n) => (n < 2 ? 'fail' : 'success'));
    await eventually(async () =>
      expect(await now(id)).toMatchObject({ stage: 1, pausedFor: 'failures', counts: { fail: 2, success: 8 } }),
    );
    const { pausedAt, status, counts } = await now(id);
    expect([Date.parse(pausedAt!) <= Date.now(), status, counts.fail, counts.success]).toEqual([true, 'process', 2, 8]);
    await eventually(() =>
      expect(published.filter((m) => m.type === alarmKinds.taskFailed && m.objectName === 'In stages')).toHaveLength(1),
    );
    expect(toldOf(all)).toHaveLength(10);

    await expect(rig.call(pauseTask, { params: { id } })).rejects.toMatchObject({ error: 'task.notPausable' });
    expect(await rig.call(resumeTask, { params: { id } })).toMatchObject({ pausedAt: null, pausedFor: null });
    await expect(rig.call(resumeTask, { params: { id } })).rejects.toMatchObject({ error: 'task.notPaused' });
    await answer(all, 20, answered, (n) => (n < 1 ? 'fail' : 'success'));
    await eventually(() => expect(toldOf(all)).toHaveLength(40));
    expect((await rig.call(pauseTask, { params: { id } })).pausedFor).toBe('person');
    await rig.call(resumeTask, { params: { id } });
    await answer(all, 40, answered);
    await eventually(async () =>
      expect(await now(id)).toMatchObject({ stage: 3, status: 'finished', counts: { success: 37, fail: 3, wait: 0 } }),
    );
  } finally {
    await feed.close();
  }
});

it('waiting devices of a paused task are started only after it is resumed by permission [ROLE-03/resume]', async () => {
  const [device] = await rig.devices(1);
  const { id } = await rig.call(addTask, {
    body: { name: 'Held', action: 'reboot', target: { ids: [device!.identity.deviceId] } },
  });
  await eventually(async () => expect(await now(id)).toMatchObject({ counts: { wait: 1 } }));
  await rig.call(pauseTask, { params: { id } });
  await device!.online();
  const [other] = await fleet(1);
  const beside = await rig.order([other!]);
  await answer([other!], 1, new Set());
  await eventually(async () => expect(await now(beside)).toMatchObject({ status: 'success' }));
  expect(toldOf([device!])).toEqual([]);
  // Resuming also needs the permission of the action.
  const others = permissionKeys.filter((key) => key !== 'rebootDevice');
  await expect(
    rig.service.as({ ...rig.actor, permissions: others })(resumeTask, { params: { id } }),
  ).rejects.toMatchObject({ error: 'common.forbidden' });
  expect((await now(id)).pausedAt).not.toBeNull();
  await rig.call(resumeTask, { params: { id } });
  await answer([device!], 1, new Set());
  await eventually(async () => expect(await now(id)).toMatchObject({ status: 'success', pausedAt: null }));

  await expect(rig.call(pauseTask, { params: { id } })).rejects.toMatchObject({ error: 'task.notPausable' });
});

it('a newer task does not wait behind a paused one', async () => {
  const [device] = await rig.devices(1);
  const order = async (name: string) =>
    (await rig.call(addTask, { body: { name, action: 'reboot', target: { ids: [device!.identity.deviceId] } } })).id;
  const [paused, newer] = [await order('Older'), await order('Newer')];
  await eventually(async () => expect(await now(newer)).toMatchObject({ expanded: true, counts: { wait: 1 } }));
  await rig.call(pauseTask, { params: { id: paused } });
  await device!.online();
  const answered = new Set<string>();
  await answer([device!], 1, answered);
  await eventually(async () => expect(await now(newer)).toMatchObject({ status: 'success' }));
  expect(await now(paused)).toMatchObject({ status: 'process', counts: { wait: 1 } });
  await rig.call(resumeTask, { params: { id: paused } });
  await answer([device!], 2, answered);
  await eventually(async () => expect(await now(paused)).toMatchObject({ status: 'success' }));
});

it('a stopped rollout starts no further stage, and stages that do not rise to 100 are refused', async () => {
  const all = await fleet(10);
  const { id } = await order(all, { stages: [20, 100], pauseAt: 100 });
  await eventually(() => expect(toldOf(all)).toHaveLength(2));
  await rig.call(stopTask, { params: { id } });
  await answer(all, 2, new Set());
  await eventually(async () =>
    expect(await now(id)).toMatchObject({ status: 'stop', stage: 1, counts: { total: 2, success: 2 } }),
  );
  for (const stages of [
    [50, 20, 100],
    [10, 50],
    [100, 100],
  ])
    await expect(order(all, { stages, pauseAt: 10 })).rejects.toMatchObject({
      fields: [{ path: 'rollout.stages', error: 'task.stages' }],
    });
});

it('a dry run lists the devices that a task would change, and the skipped ones with the reason', async () => {
  const able = await rig.devices(3);
  const [unable] = await rig.devices(1, { capabilities: ['locate'], name: 'Unable', model: 'X4U' });
  const [silent] = await rig.devices(1, { capabilities: [], name: 'Silent' });
  const ids = [...able, unable!, silent!].map((d) => d.identity.deviceId);
  const body = { action: 'reboot', target: { ids }, rollout: { stages: [10, 100], pauseAt: 5 } };
  const seen = await rig.call(previewTask, { query: {}, body });
  expect(seen).toMatchObject({ total: 5, touched: 3 });
  expect(seen.skipped.map(({ code, count }) => [code, count]).toSorted()).toEqual([
    ['capabilityUnknown', 1],
    ['unsupported', 1],
  ]);
  const left = await rig.call(previewTask, { query: { only: 'skipped' }, body });
  expect(left.devices.records.map((d) => [d.name, d.message]).toSorted()).toEqual([
    ['Silent', 'It has not said what it can do'],
    ['Unable', 'The X4U cannot do this'],
  ]);
  const touched = await rig.call(previewTask, { query: { only: 'touched' }, body });
  expect(touched.devices.records.map((d) => d.deviceId).toSorted()).toEqual(ids.slice(0, 3).toSorted());
  expect(await rig.sql('select 1 from task_device where device_id = any($1::uuid[])', [ids])).toEqual([]);
  expect((await rig.call(listTaskDevices, { params: { id: ids[0]! }, query: {} }).catch((e) => e)).error).toBe(
    'common.notFound',
  );
});
