import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask, listTasks, pauseTask } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

const idsOf = (devices: readonly LinkedDevice[]) => ({ ids: devices.map((d) => d.identity.deviceId) });
const send = (target: object, more: object = {}) =>
  rig.call(addTask, {
    body: { name: 'Push', action: 'reboot', target: target as { ids: string[] }, push: true, ...more },
  });
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => 'none',
    (e: { code: number; error: string; message: string }) => [e.code, e.error, e.message],
  );
const tasks = async () => (await rig.call(listTasks, { query: {} })).total;

describe('a push', () => {
  it('to an offline device is refused and stores nothing; a task waits for it', async () => {
    const devices = await rig.devices(1);
    const before = await tasks();
    expect(await refusal(send(idsOf(devices)))).toEqual([409, 'device.offline', 'The device is offline.']);
    expect(await tasks()).toBe(before);
    const { id } = await send(idsOf(devices), { push: false });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 1 }));
  });

  it('to a device with a running task is refused; tasks queue behind it, oldest first', async () => {
    const devices = await rig.devices(1);
    const [device] = devices;
    await device!.online();
    const first = await eventually(() => send(idsOf(devices)));
    await rig.command(device!);
    const before = await tasks();
    expect(await refusal(send(idsOf(devices)))).toEqual([
      409,
      'device.hasRunningTask',
      'The device has a running task.',
    ]);
    expect(await tasks()).toBe(before);

    const second = await send(idsOf(devices), { push: false });
    const third = await send(idsOf(devices), { push: false });
    for (const { id } of [second, third])
      await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 1 }));
    const end = async (task: string) => {
      const [{ id }] = (await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1', [
        task,
      ])) as [{ id: string }];
      await device!.say({ id, status: 'fail', code: 'failed' });
      await eventually(async () => expect(await rig.counts(task)).toMatchObject({ fail: 1 }));
    };
    await end(first.id);
    await eventually(async () => expect(await rig.counts(second.id)).toMatchObject({ process: 1 }));
    expect(await rig.counts(third.id)).toMatchObject({ wait: 1 });
    // It would have to wait behind both.
    expect(await refusal(send(idsOf(devices)))).toMatchObject([409, 'device.hasRunningTask', {}]);
    await end(second.id);
    await eventually(async () => expect(await rig.counts(third.id)).toMatchObject({ process: 1 }));
    await end(third.id);
    const last = await send(idsOf(devices));
    await eventually(async () => expect(await rig.counts(last.id)).toMatchObject({ process: 1 }));
  });

  it('bypasses a paused task, and with a non-changing action also a running one', async () => {
    const devices = await rig.devices(1, { capabilities: ['reboot', 'locate'] });
    const waiting = await send(idsOf(devices), { push: false });
    await eventually(async () => expect(await rig.counts(waiting.id)).toMatchObject({ wait: 1 }));
    await rig.call(pauseTask, { params: { id: waiting.id } });
    await devices[0]!.online();
    const past = await eventually(() => send(idsOf(devices)));
    await eventually(async () => expect(await rig.counts(past.id)).toMatchObject({ process: 1 }));
    const beside = await send(idsOf(devices), { action: 'locate' });
    await eventually(async () => expect(await rig.counts(beside.id)).toMatchObject({ process: 1 }));
  });

  it('is refused by a waiting task that goes first, even when nothing is in flight', async () => {
    const devices = await rig.devices(2);
    for (const device of devices) await device.online();
    const bounded = await eventually(() => send(idsOf(devices), { sync: 1 }));
    await eventually(async () => expect(await rig.counts(bounded.id)).toMatchObject({ process: 1, wait: 1 }));
    const [{ id }] = (await rig.sql<{ id: string }>(
      `select device_id as id from task_device where task_id = $1 and status = 'wait'`,
      [bounded.id],
    )) as [{ id: string }];
    expect(await refusal(send({ ids: [id] }))).toEqual([
      409,
      'device.hasRunningTask',
      'The device has a running task.',
    ]);
  });

  it('begins when at least one of several devices can, and otherwise names the reason for all', async () => {
    const devices = await rig.devices(3);
    expect(await refusal(send(idsOf(devices)))).toEqual([409, 'device.offline', 'None of the devices is online.']);
    await devices[0]!.online();
    const begun = await eventually(() => send(idsOf(devices)));
    await eventually(async () => expect(await rig.counts(begun.id)).toMatchObject({ process: 1, wait: 2 }));
    expect(await refusal(send(idsOf(devices)))).toEqual([
      409,
      'device.hasRunningTask',
      'Every device that is online has a running task.',
    ]);
    expect(await refusal(send({ filter: { model: ['No such model'] } }))).toEqual([
      400,
      'task.createFailed',
      'Task creation failed. No device matches.',
    ]);
  });

  it('finds devices by MAC in any spelling, and reports an unknown one as not found', async () => {
    const devices = await rig.devices(2);
    for (const device of devices) await device.online();
    const macs = devices.map((d) => d.identity.mac);
    const [a, b] = [macs[0]!.toUpperCase().replace(/..\B/g, '$&:'), macs[1]!];
    const { id } = await eventually(() => send({ macs: [a, b, macs[0]!] }));
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ total: 2, process: 2 }));
    const before = await tasks();
    const missing = [404, 'device.macNotFound', 'MAC not found.'];
    expect(await refusal(send({ macs: [a, 'ffffffffff00'] }))).toEqual(missing);
    const stranger = rig.service.as(newActor());
    const body = { name: 'Push', action: 'reboot', target: { macs: [a] }, push: true };
    expect(await refusal(stranger(addTask, { body }))).toEqual(missing);
    expect(await refusal(send({ ids: [uuidv7()] }))).toEqual([
      404,
      'device.pushTargetMissing',
      'The device to push to does not exist.',
    ]);
    expect(await tasks()).toBe(before);
  });

  it('requires an order that runs at once', async () => {
    const devices = await rig.devices(1);
    await devices[0]!.online();
    const begin = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await expect(send(idsOf(devices), { schedule: { type: 'timer', begin } })).rejects.toMatchObject({
      code: 400,
      fields: [{ path: 'push' }],
    });
  });
});
