import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, getTask, listTaskDevices, previewTask } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';
import { firmwareOf, publishFirmware } from '../file/firmware-test.ts';

let rig: TaskRig;
let version = 0;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
});
afterAll(() => rig?.close());

const firmware = firmwareOf();
const { id } = firmware;
const publish = (damaged: boolean) => publishFirmware(rig, { ...firmware, damaged }, ++version);

it('a task with damaged firmware starts no further device, and new ones are refused', async () => {
  await publish(false);
  const given = { firmware: '2.9', capabilities: ['firmwareUpgrade'] };
  const [online, away] = await rig.devices(2, given);
  await online!.online();
  const ids = [online!, away!].map((d) => d.identity.deviceId);
  const body = { action: 'firmwareUpgrade', params: { firmwareId: id }, target: { ids } };
  const task = await rig.call(addTask, { body: { name: 'Upgrade', ...body } });
  const command = await rig.command(online!);
  await eventually(async () => expect(await rig.counts(task.id)).toMatchObject({ process: 1, wait: 1 }));

  await publish(true);
  expect((await rig.call(getTask, { params: { id: task.id } })).file).toMatchObject({ id, damaged: true });
  await away!.online();
  await eventually(async () => expect(await rig.counts(task.id)).toMatchObject({ fail: 1, wait: 0 }));
  const { records } = await rig.call(listTaskDevices, { params: { id: task.id }, query: { status: ['fail'] } });
  expect(records).toMatchObject([
    {
      deviceId: away!.identity.deviceId,
      code: 'damaged',
      message: 'The stored firmware is not the one that was uploaded',
    },
  ]);
  await online!.answer({ id: command.id, status: 'fail', code: 'download' });
  await eventually(async () => expect(await rig.counts(task.id)).toMatchObject({ status: 'fail', fail: 2 }));
  expect(rig.commands).toHaveLength(1);

  expect((await rig.call(previewTask, { body, query: {} })).skipped).toMatchObject([{ code: 'damaged', count: 2 }]);
  const next = await rig.call(addTask, { body: { name: 'Again', ...body } });
  await eventually(async () => expect(await rig.counts(next.id)).toMatchObject({ status: 'fail', fail: 2 }));

  await publish(false);
  const mended = await rig.call(addTask, { body: { name: 'Mended', ...body } });
  await eventually(async () => expect(await rig.counts(mended.id)).toMatchObject({ process: 2 }));
});
