import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, getTask, pauseTask, resumeTask } from '@carillon/contracts';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, taskPerSecond: 0 });
});
afterAll(() => rig?.close());

const now = (id: string) => rig.call(getTask, { params: { id } });
const sentTo = (devices: readonly LinkedDevice[]) =>
  rig.commands.filter((c) => devices.some((d) => d.identity.deviceId === c.deviceId));
const order = (devices: readonly LinkedDevice[], rollout: object, durationMinutes: number | null = null) =>
  rig.call(addTask, {
    body: {
      action: 'reboot',
      target: { ids: devices.map((d) => d.identity.deviceId) },
      rollout: { stages: [50, 100], pauseAt: 50, ...rollout },
      durationMinutes,
    },
  });
/** Orders a rollout for two devices, and ends its first stage. */
async function firstStageDone(rollout: object): Promise<{ id: string; devices: readonly LinkedDevice[] }> {
  const devices = await rig.devices(2);
  for (const device of devices) await device.online();
  const { id } = await order(devices, rollout);
  await eventually(() => expect(sentTo(devices)).toHaveLength(1));
  const { id: commandId, deviceId } = sentTo(devices)[0]!;
  await devices.find((d) => d.identity.deviceId === deviceId)!.answer({ id: commandId, status: 'success' });
  return { id, devices };
}
/** Ends the wait as the passing of its time does. */
const passTime = (id: string) =>
  rig.sql(`update task set next_stage_at = now() - interval '1 second' where id = $1 and next_stage_at is not null`, [
    id,
  ]);

it('waits between two stages, and shows when the next one begins at the earliest [TASK-08/stage-wait]', async () => {
  const { id, devices } = await firstStageDone({ waitMinutes: 90 });
  const next = await eventually(async () => {
    const { stage, nextStageAt } = await now(id);
    expect([stage, nextStageAt]).toEqual([1, expect.any(String)]);
    return Date.parse(nextStageAt!);
  });
  expect(Math.abs(next - Date.now() - 90 * 60_000)).toBeLessThan(60_000);

  // A pause and its end neither shorten the wait nor begin it again.
  expect((await rig.call(pauseTask, { params: { id } })).nextStageAt).toBeNull();
  expect(Date.parse((await rig.call(resumeTask, { params: { id } })).nextStageAt!)).toBe(next);
  const [other] = await rig.devices(1);
  await other!.online();
  await rig.order([other!]);
  await rig.command(other!);
  expect([(await now(id)).stage, sentTo(devices).length]).toEqual([1, 1]);

  await passTime(id);
  await eventually(() => expect(sentTo(devices)).toHaveLength(2));
  expect(await now(id)).toMatchObject({ stage: 2, nextStageAt: null });
});

it('waits for the watch of the devices as well as for the time', async () => {
  const { id, devices } = await firstStageDone({ waitMinutes: 1, health: { minutes: 60, pauseAt: 100 } });
  const { nextStageAt, health } = await eventually(async () => {
    const task = await now(id);
    expect(task).toMatchObject({ health: { found: null }, nextStageAt: expect.any(String) });
    return task;
  });
  expect(nextStageAt).toBe(health!.endsAt);
  await passTime(id);
  expect((await now(id)).nextStageAt).toBe(health!.endsAt);
  await rig.sql(`update task set health = jsonb_set(health, '{endsAt}', to_jsonb(now()::text)) where id = $1`, [id]);
  await eventually(() => expect(sentTo(devices)).toHaveLength(2));
});

it('refuses waits that leave no time for the last stage', async () => {
  const devices = await rig.devices(1);
  const long = order(devices, { stages: [5, 25, 100], waitMinutes: 30 }, 60);
  await expect(long).rejects.toMatchObject({
    fields: [{ path: 'rollout.waitMinutes', error: 'task.stageWaitTooLong' }],
  });
  expect((await order(devices, { stages: [5, 25, 100], waitMinutes: 30 }, 61)).rollout).toMatchObject({
    waitMinutes: 30,
  });
});
