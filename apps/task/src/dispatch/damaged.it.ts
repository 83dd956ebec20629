import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, firmwareState, getTask, listTaskDevices, previewTask } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
let version = 0;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
});
afterAll(() => rig?.close());

const id = uuidv7();
/** Publishes the firmware as the store does. */
async function tell(damaged: boolean): Promise<void> {
  const data = {
    id,
    path: 'mine' as const,
    name: 'Desk',
    version: '2.10',
    models: ['Fanvil X7A'],
    least: null,
    fileId: uuidv7(),
    fileName: 'whole.bin',
    size: 1_000,
    sha256: 'ab'.repeat(32),
    signature: 'c2ln',
    deltas: [],
    signedBy: 'a2V5',
    endorsements: [],
    damaged,
  };
  const { companyId } = rig.actor;
  const said = ++version;
  await rig.bus.publish([toRecord(firmwareState, id, data, envelope('firmware', { companyId, version: said }))]);
  await eventually(async () =>
    expect(await rig.sql('select version::int from firmware_copy where id = $1', [id])).toEqual([{ version: said }]),
  );
}

it('a task whose firmware is found damaged starts no further device and says why, and new ones are refused', async () => {
  await tell(false);
  const given = { firmware: '2.9', capabilities: ['firmwareUpgrade'] };
  const [online, away] = await rig.devices(2, given);
  await online!.online();
  const ids = [online!, away!].map((d) => d.identity.deviceId);
  const body = { action: 'firmwareUpgrade', params: { firmwareId: id }, target: { ids } };
  const task = await rig.call(addTask, { body: { name: 'Upgrade', ...body } });
  const command = await rig.command(online!);
  await eventually(async () => expect(await rig.counts(task.id)).toMatchObject({ process: 1, wait: 1 }));

  await tell(true);
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

  await tell(false);
  const mended = await rig.call(addTask, { body: { name: 'Mended', ...body } });
  await eventually(async () => expect(await rig.counts(mended.id)).toMatchObject({ process: 2 }));
});
