import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask } from '@carillon/contracts';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

const both = { capabilities: ['reboot', 'locate'] };
const order = async (action: 'reboot' | 'locate', device: LinkedDevice): Promise<string> =>
  (
    await rig.call(addTask, {
      body: { name: action, action, params: {}, target: { ids: [device.identity.deviceId] } },
    })
  ).id;
const is = (id: string, status: 'wait' | 'process' | 'success') =>
  eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, [status]: 1 }));
const commandOf = async (id: string): Promise<string> =>
  (await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1', [id]))[0]!.id;
const toldOf = (device: LinkedDevice): string[] =>
  rig.commands.filter((c) => c.deviceId === device.identity.deviceId).map((c) => c.id);

describe('a command that does not change its device', () => {
  it('is sent and answered beside one that does, of which a second one waits for the first', async () => {
    const [device] = await rig.devices(1, both);
    await device!.online();
    const first = await order('reboot', device!);
    await is(first, 'process');
    await device!.answer({ id: await commandOf(first), status: 'accepted' });
    const second = await order('reboot', device!);
    await is(second, 'wait');
    const locate = await order('locate', device!);
    await is(locate, 'process');
    await device!.say({ id: await commandOf(locate), status: 'success' });
    await is(locate, 'success');
    await is(second, 'wait');
    expect(toldOf(device!)).toEqual([await commandOf(first), await commandOf(locate)]);
    await device!.answer({ id: await commandOf(first), status: 'success' });
    await is(second, 'process');
  });

  it('bypasses waiting ones when its device comes back, in any number', async () => {
    const [device] = await rig.devices(1, both);
    const reboots = [await order('reboot', device!), await order('reboot', device!)];
    const locates = [await order('locate', device!), await order('locate', device!)];
    for (const id of [...reboots, ...locates]) await is(id, 'wait');
    await device!.online();
    for (const id of [reboots[0]!, ...locates]) await is(id, 'process');
    await is(reboots[1]!, 'wait');
    // A newer connection gets all commands in flight again.
    await device!.online();
    const inFlight = await Promise.all([reboots[0]!, ...locates].map(commandOf));
    await eventually(() => expect(toldOf(device!).toSorted()).toEqual([...inFlight, ...inFlight].toSorted()));
  });

  it('is found by the tick when its sending was lost, while another runs', async () => {
    const [device] = await rig.devices(1, both);
    const { deviceId } = device!.identity;
    await device!.online();
    await is(await order('reboot', device!), 'process');
    await rig.sql('update link_session set online = false where device_id = $1', [deviceId]);
    const [locate, reboot] = [await order('locate', device!), await order('reboot', device!)];
    for (const id of [locate, reboot]) await is(id, 'wait');
    await rig.sql('update link_session set online = true where device_id = $1', [deviceId]);
    await is(locate, 'process');
    await is(reboot, 'wait');
  });
});

it('the database itself prevents a second changing command in flight for a device', async () => {
  const [device] = await rig.devices(1, both);
  await device!.online();
  await is(await order('reboot', device!), 'process');
  const second = await order('reboot', device!);
  await is(second, 'wait');
  await expect(rig.sql(`update task_device set status = 'process' where task_id = $1`, [second])).rejects.toThrow(
    'task_device_in_flight',
  );
});
