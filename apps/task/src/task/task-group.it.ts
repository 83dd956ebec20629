import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTask, listTaskDevices } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig();
});
afterAll(() => rig?.close());

test('a task targets device groups like the filter of the list, by the latest copy [DEV-12]', async () => {
  const [desks, doors] = [uuidv7(), uuidv7()];
  const ordered = async (group: string[]) => {
    const target = { filter: { group } };
    const { id } = await rig.call(addTask, { body: { name: 'Reboot', action: 'reboot', params: {}, target } });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true }));
    const { records } = await rig.call(listTaskDevices, { params: { id }, query: { limit: 100 } });
    return records.map((d) => d.deviceId).toSorted();
  };
  const [both] = await rig.devices(1, { groupIds: [desks, doors] });
  const [desk] = await rig.devices(1, { groupIds: [desks] });
  const [none] = await rig.devices(1);
  const ids = (...devices: (typeof both)[]) => devices.map((d) => d!.identity.deviceId).toSorted();
  expect(await ordered([desks])).toEqual(ids(both, desk));
  expect(await ordered([doors])).toEqual(ids(both));
  expect(await ordered(['none'])).toEqual(ids(none));
  expect(await ordered(['none', doors])).toEqual(ids(both, none));
  await rig.tell(none!, { groupIds: [doors] });
  await eventually(async () => expect(await ordered([doors])).toEqual(ids(both, none)));
});

test('a task targets devices by tags like the filter of the list, by the latest copy [DEV-14/task]', async () => {
  const ordered = async (filter: object) => {
    const { id } = await rig.call(addTask, {
      body: { name: 'Reboot', action: 'reboot', params: {}, target: { filter } },
    });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true }));
    const { records } = await rig.call(listTaskDevices, { params: { id }, query: { limit: 100 } });
    return records.map((d) => d.deviceId).toSorted();
  };
  const [east] = await rig.devices(1, { tags: { tower: 'east', floor: '4' } });
  const [west] = await rig.devices(1, { tags: { tower: 'west' } });
  const ids = (...devices: (typeof east)[]) => devices.map((d) => d!.identity.deviceId).toSorted();
  expect(await ordered({ tag: ['tower=east'] })).toEqual(ids(east));
  expect(await ordered({ tag: ['tower'] })).toEqual(ids(east, west));
  expect(await ordered({ tag: ['tower'], 'tag.not': ['floor=4'] })).toEqual(ids(west));
  await rig.tell(west!, { tags: { tower: 'east' } });
  await eventually(async () => expect(await ordered({ tag: ['tower=east'] })).toEqual(ids(east, west)));
});
