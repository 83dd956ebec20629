import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTask, listTaskDevices, provisioningDeviceConfig } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig();
});
afterAll(() => rig?.close());

/** Returns the devices of a task for all that match the filter. */
async function ordered(filter: object): Promise<string[]> {
  const { id } = await rig.call(addTask, {
    body: { name: 'Reboot', action: 'reboot', params: {}, target: { filter } },
  });
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true }));
  const { records } = await rig.call(listTaskDevices, { params: { id }, query: { limit: 100 } });
  return records.map((d) => d.deviceId).toSorted();
}
const ids = (...devices: readonly (LinkedDevice | undefined)[]) => devices.map((d) => d!.identity.deviceId).toSorted();

test('a task targets device groups like the filter of the list, by the latest copy [DEV-12]', async () => {
  const [desks, doors] = [uuidv7(), uuidv7()];
  const [both] = await rig.devices(1, { groupIds: [desks, doors] });
  const [desk] = await rig.devices(1, { groupIds: [desks] });
  const [none] = await rig.devices(1);
  expect(await ordered({ group: [desks] })).toEqual(ids(both, desk));
  expect(await ordered({ group: [doors] })).toEqual(ids(both));
  expect(await ordered({ group: ['none'] })).toEqual(ids(none));
  expect(await ordered({ group: ['none', doors] })).toEqual(ids(both, none));
  await rig.publishDevice(none!, { groupIds: [doors] });
  await eventually(async () => expect(await ordered({ group: [doors] })).toEqual(ids(both, none)));
});

test('a task targets devices by tags like the filter of the list, by the latest copy [DEV-14/task]', async () => {
  const [east] = await rig.devices(1, { tags: { tower: 'east', floor: '4' } });
  const [west] = await rig.devices(1, { tags: { tower: 'west' } });
  expect(await ordered({ tag: ['tower=east'] })).toEqual(ids(east));
  expect(await ordered({ tag: ['tower'] })).toEqual(ids(east, west));
  expect(await ordered({ tag: ['tower'], 'tag.not': ['floor=4'] })).toEqual(ids(west));
  await rig.publishDevice(west!, { tags: { tower: 'east' } });
  await eventually(async () => expect(await ordered({ tag: ['tower=east'] })).toEqual(ids(east, west)));
});

test('a task targets devices by the state of their configuration, by the latest copy [CFG-01/behind-task]', async () => {
  const model = ['Configured'];
  const [first, second, bare] = await rig.devices(3, { model: model[0]!, configVersion: 'c1' });
  const [silent] = await rig.devices(1, { model: model[0]! });
  const { companyId } = rig.actor;
  const make = (device: LinkedDevice | undefined, version: string) => {
    const { deviceId } = device!.identity;
    const whole = { contentId: uuidv7(), fileName: 'x.txt', size: 1, sha256: 'ab' };
    return toRecord(
      provisioningDeviceConfig,
      deviceId,
      { deviceId, companyId, version, ...whole },
      envelope('config', { companyId, version: 1 }),
    );
  };
  await rig.bus.publish([make(first, 'c1'), make(second, 'c2'), make(silent, 'c2')]);
  await eventually(async () => expect(await ordered({ model, config: ['none'] })).toEqual(ids(bare)));
  expect(await ordered({ model, config: ['current'] })).toEqual(ids(first));
  expect(await ordered({ model, config: ['behind'] })).toEqual(ids(second, silent));
  expect(await ordered({ model, 'config.not': ['current'] })).toEqual(ids(second, bare, silent));
  await rig.publishDevice(second!, { configVersion: 'c2' });
  await eventually(async () => expect(await ordered({ model, config: ['behind'] })).toEqual(ids(silent)));
  await rig.publishDevice(silent!, { configDrifted: true });
  await eventually(async () => expect(await ordered({ model, config: ['drifted'] })).toEqual(ids(silent)));
  expect(await ordered({ model, config: ['behind'] })).toEqual(ids(silent));
});
