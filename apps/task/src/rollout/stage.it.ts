import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, alarmKinds, getTask, message, resumeTask, type TaskRollout } from '@carillon/contracts';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const published: { type: number; objectName: string; values: Record<string, unknown> }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, taskPerSecond: 0 });
  await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: ({ records }) => {
      published.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
});
afterAll(() => rig?.close());

const tagged = async (count: number, tags: Record<string, string>, online = true): Promise<LinkedDevice[]> => {
  const devices = await rig.devices(count, { tags });
  if (online) for (const device of devices) await device.online();
  return devices;
};
const order = (
  name: string,
  devices: readonly LinkedDevice[],
  rollout: TaskRollout,
  durationMinutes: number | null = null,
) =>
  rig.call(addTask, {
    body: {
      name,
      action: 'reboot',
      target: { ids: devices.map((d) => d.identity.deviceId) },
      rollout,
      durationMinutes,
    },
  });
const now = (id: string) => rig.call(getTask, { params: { id } });
const has = (id: string, expected: object) => eventually(async () => expect(await now(id)).toMatchObject(expected));
const begun = async (id: string): Promise<string[]> =>
  (
    await rig.sql<{ id: string }>('select device_id as id from task_device where task_id = $1 order by device_id', [id])
  ).map((row) => row.id);
const idsOf = (devices: readonly LinkedDevice[]) => devices.map((d) => d.identity.deviceId).toSorted();
const answered = new Set<string>();
/** Answers the next command of each device. */
async function answer(devices: readonly LinkedDevice[], status: 'success' | 'fail' = 'success'): Promise<void> {
  for (const device of devices) {
    const { id } = await eventually(() => {
      const next = rig.commands.find((c) => c.deviceId === device.identity.deviceId && !answered.has(c.id));
      if (!next) throw new Error('no command yet');
      return next;
    });
    answered.add(id);
    await device.answer({ id, status });
  }
}
const ring = (value: string) => ({ key: 'ring', value });

it('stages by tags take devices that have each tag at the start, others last [TASK-08/tags]', async () => {
  const canary = await tagged(2, { ring: 'canary' });
  const early = await tagged(2, { ring: 'early', floor: '2' });
  const others = [...(await tagged(1, { ring: 'late' })), ...(await tagged(1, {}))];
  const all = [...canary, ...early, ...others];
  const { id } = await order('By tag', all, { stages: [ring('canary'), ring('early'), 'rest'], pauseAt: 50 });
  await has(id, { stage: 1, planned: 6, counts: { total: 2, process: 2 } });
  expect(await begun(id)).toEqual(idsOf(canary));

  // A tag that changes meanwhile moves no device to another stage.
  await rig.publishDevice(early[0]!, { tags: { ring: 'late' } });
  await rig.publishDevice(others[1]!, { tags: { ring: 'early' } });
  await eventually(async () =>
    expect(
      await rig.sql('select 1 from device_copy where id = any($1::uuid[]) and version > 1', [
        [early[0]!, others[1]!].map((d) => d.identity.deviceId),
      ]),
    ).toHaveLength(2),
  );
  await answer(canary);
  await has(id, { stage: 2, counts: { total: 4, success: 2 } });
  expect(await begun(id)).toEqual(idsOf([...canary, ...early]));
  await answer(early);
  await has(id, { stage: 3, counts: { total: 6 } });
  await answer(others);
  await has(id, { status: 'success', stage: 3, counts: { success: 6 } });
  expect(await rig.sql('select 1 from task_stage_device where task_id = $1', [id])).toEqual([]);
});

it('stages by tags name each tag once and end with the rest', async () => {
  const [device] = await tagged(1, {}, false);
  for (const stages of [
    [ring('a'), ring('a'), 'rest'],
    [ring('a'), ring('b')],
    [ring('a'), 50, 'rest'],
    ['rest', ring('a')],
    ['rest', 'rest'],
  ] as TaskRollout['stages'][])
    await expect(order('Wrong', [device!], { stages, pauseAt: 10 }), JSON.stringify(stages)).rejects.toMatchObject({
      fields: [{ path: 'rollout.stages', error: 'task.stages' }],
    });
});

it('a stage with too few successes waits for its offline devices, and pauses the task when none is left', async () => {
  const online = await tagged(4, { ring: 'first' });
  const [away] = await tagged(1, { ring: 'first' }, false);
  const rest = await tagged(2, {});
  const rollout: TaskRollout = { stages: [ring('first'), 'rest'], pauseAt: 90, successAt: 80 };
  const { id } = await order('Too few', [...online, away!, ...rest], rollout);
  await has(id, { counts: { total: 5, process: 4 } });
  await answer(online.slice(0, 3));
  await answer(online.slice(3), 'fail');
  // Three of four are 75 %, with the one that comes back four of five.
  await has(id, { stage: 1, pausedAt: null, counts: { success: 3, fail: 1, wait: 1 } });
  await away!.online();
  await answer([away!]);
  await has(id, { stage: 2, counts: { total: 7, success: 4 } });
  await answer(rest);
  await has(id, { status: 'finished' });

  const again = await order('Far too few', [...online, ...rest], rollout);
  await has(again.id, { counts: { total: 4, process: 4 } });
  await answer(online.slice(0, 3));
  await answer(online.slice(3), 'fail');
  await has(again.id, { stage: 1, pausedFor: 'successes', counts: { total: 4, success: 3, fail: 1 } });
  expect(await rig.call(resumeTask, { params: { id: again.id } })).toMatchObject({ pausedFor: null });
  await has(again.id, { stage: 2, counts: { total: 6 } });
});

it('a stage that must succeed pauses the task when none of its devices was reached', async () => {
  const [away] = await tagged(1, { ring: 'unreached' }, false);
  const rest = await tagged(1, {});
  const rollout: TaskRollout = { stages: [ring('unreached'), 'rest'], pauseAt: 50, successAt: 50 };
  const { id } = await order('Unreached', [away!, ...rest], rollout);
  await has(id, { counts: { total: 1, wait: 1 } });
  await rig.sql(`update task_device set expires_at = now() - interval '5 seconds' where task_id = $1`, [id]);
  await has(id, { stage: 1, pausedFor: 'successes', counts: { total: 1, timeout: 1 } });
  await rig.call(resumeTask, { params: { id } });
  await has(id, { stage: 2, counts: { total: 2 } });
});

it('a window that ends before the last stage pauses the task until it is resumed', async () => {
  const [near] = await tagged(1, { ring: 'near' });
  const [away] = await tagged(1, { ring: 'near' }, false);
  const rest = await tagged(1, {});
  const rollout: TaskRollout = { stages: [ring('near'), 'rest'], pauseAt: 100, successAt: 100 };
  const { id } = await order('Short window', [near!, away!, ...rest], rollout, 60);
  await answer([near!], 'success');
  await has(id, { stage: 2, counts: { success: 1, wait: 1, process: 1 } });
  await answer(rest);

  const held = await order('Ended early', [away!, ...rest], rollout, 60);
  await has(held.id, { expanded: true, counts: { total: 1, wait: 1 } });
  await rig.sql(`update task set window_ends_at = now() - interval '5 seconds' where id = $1`, [held.id]);
  await rig.sql(`update task_device set expires_at = now() - interval '5 seconds' where task_id = $1`, [held.id]);
  await has(held.id, { status: 'process', stage: 1, pausedFor: 'window', counts: { total: 1, timeout: 1 } });
  await eventually(() =>
    expect(published.filter((m) => m.type === alarmKinds.taskFailed && m.objectName === 'Ended early')).toMatchObject([
      { values: { done: 0, total: 1 } },
    ]),
  );

  const resumed = await rig.call(resumeTask, { params: { id: held.id } });
  expect(Date.parse(resumed.windowEndsAt!) - Date.now()).toBeGreaterThan(59 * 60_000);
  await has(held.id, { stage: 2, counts: { total: 2 } });
  await answer(rest);
  await has(held.id, { status: 'finished', counts: { success: 1, timeout: 1 } });
});

it('a stage that fails too often at the end of the window ends the task with one notice', async () => {
  const near = await tagged(2, { ring: 'late answer' });
  const rest = await tagged(1, {});
  const rollout: TaskRollout = { stages: [ring('late answer'), 'rest'], pauseAt: 50 };
  const { id } = await order('Failed at the end', [...near, ...rest], rollout, 60);
  await has(id, { counts: { total: 2, process: 2 } });
  await rig.sql(`update task set window_ends_at = now() - interval '5 seconds' where id = $1`, [id]);
  await rig.sql(`update task_device set expires_at = now() - interval '5 seconds' where task_id = $1`, [id]);
  await has(id, { status: 'timeout', stage: 1, counts: { total: 2, timeout: 2 } });
  expect(published.filter((m) => m.objectName === 'Failed at the end')).toMatchObject([
    { values: { count: 2, total: 2 } },
  ]);
});
