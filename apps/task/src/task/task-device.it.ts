import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportTaskDevices, taskDevice } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const published: { taskId: string; run: number; device: string; status: string; code: string | null }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 200 });
  await rig.bus.fanout({
    topics: [taskDevice.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, companyId } = fromRecord(taskDevice, record)!;
        expect([companyId, data!.name, data!.action]).toEqual([rig.actor.companyId, 'Reboot', 'reboot']);
        for (const { deviceId: device, status, code } of data!.devices)
          published.push({ taskId: data!.taskId, run: data!.run, device, status, code });
      }
    },
  });
});
afterAll(() => rig?.close());

it('publishes each device’s result once, with its reason, and nothing before it [DEV-07/history-results]', async () => {
  const devices = await rig.devices(2);
  for (const device of devices) await device.online();
  const taskId = await rig.order(devices);
  const [good, bad] = devices as [LinkedDevice, LinkedDevice];
  await good.answer({ id: (await rig.command(good)).id, status: 'accepted' });
  expect(published).toEqual([]);
  await good.answer({ id: (await rig.command(good)).id, status: 'success' });
  await bad.answer({ id: (await rig.command(bad)).id, status: 'fail', code: 'failed' });
  // A repeated answer ends nothing again.
  await bad.answer({ id: (await rig.command(bad)).id, status: 'fail', code: 'failed' });
  await eventually(async () => expect(await rig.counts(taskId)).toMatchObject({ success: 1, fail: 1 }));
  await eventually(() => expect(published).toHaveLength(2));
  expect(published.toSorted((a, b) => (a.status < b.status ? 1 : -1))).toEqual([
    { taskId, run: 1, device: good.identity.deviceId, status: 'success', code: null },
    { taskId, run: 1, device: bad.identity.deviceId, status: 'fail', code: 'failed' },
  ]);
});

it('publishes devices that time out and those that are reported as done by hand [DEV-07/history-ends]', async () => {
  published.splice(0);
  const [late, byHand] = (await rig.devices(2)) as [LinkedDevice, LinkedDevice];
  const taskId = await rig.order([late, byHand]);
  await eventually(async () => expect(await rig.counts(taskId)).toMatchObject({ wait: 2 }));
  const body = { deviceIds: [byHand.identity.deviceId] };
  await rig.call(reportTaskDevices, { params: { id: taskId }, body });
  await rig.sql(
    `update task_device set expires_at = now() - interval '1 minute' where task_id = $1 and device_id = $2`,
    [taskId, late.identity.deviceId],
  );
  await eventually(() => expect(published).toHaveLength(2));
  expect(published).toEqual([
    { taskId, run: 1, device: byHand.identity.deviceId, status: 'operated', code: 'byHand' },
    { taskId, run: 1, device: late.identity.deviceId, status: 'timeout', code: 'expired' },
  ]);
});
