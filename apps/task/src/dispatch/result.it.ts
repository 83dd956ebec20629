import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkResult, linkSession, listTaskDevices } from '@carillon/contracts';
import { envelope, listDeadLetters, toRecord } from '@carillon/messaging';
import { eventually, gatewayStarted, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 3_600_000 });
});
afterAll(() => rig?.close());

async function sent(): Promise<{ task: string; device: LinkedDevice; command: string }> {
  const [device] = await rig.devices(1);
  await device!.online();
  const task = await rig.order([device!]);
  return { task, device: device!, command: (await rig.command(device!)).id };
}
/** A result as the gateway passes it on, in the partition of `key`. */
const result = (
  key: string,
  of: LinkedDevice,
  id: string,
  status: 'success' | 'fail',
  companyId = rig.actor.companyId,
) =>
  toRecord(
    linkResult,
    key,
    { ...of.identity, epoch: of.epoch, receivedAt: Date.now(), payload: { id, status, at: 1 } },
    envelope('result', { companyId, orgId: rig.actor.orgId }),
  );
const caughtUp = () => eventually(async () => expect((await rig.bus.lag()).every((l) => l.lag === 0)).toBe(true));

describe('an answer', () => {
  it("counts though another device claimed the command's id just before", async () => {
    const { task, device, command } = await sent();
    const [rogue] = await rig.devices(1);
    const key = device.identity.deviceId;
    await rig.bus.publish([result(key, rogue!, command, 'success'), result(key, device, command, 'fail')]);
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ status: 'fail', fail: 1, success: 0 }));
  });

  it('of another company with a guessed id changes nothing', async () => {
    const { task, device, command } = await sent();
    await rig.bus.publish([result(device.identity.deviceId, device, command, 'fail', newActor().companyId)]);
    await caughtUp();
    expect(await rig.counts(task)).toMatchObject({ process: 1, fail: 0 });
  });

  it('with a character that no column can hold is stored without it, and puts nothing aside', async () => {
    const { task, device, command } = await sent();
    await device.answer({ id: command, status: 'fail', code: 'b\u0000usy', message: 'a\u0000b \ud800' });
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ status: 'fail', fail: 1 }));
    expect((await rig.call(listTaskDevices, { params: { id: task } })).records).toMatchObject([
      { code: 'busy', message: 'ab \ufffd' },
    ]);
    expect(await listDeadLetters(rig.bus, 'task')).toEqual([]);
  });

  it('in other letters is of the same command, and the first final one counts', async () => {
    const { task, device, command } = await sent();
    const key = device.identity.deviceId;
    await rig.bus.publish([
      result(key, device, command.toUpperCase(), 'fail'),
      result(key, device, command, 'success'),
    ]);
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ status: 'fail', fail: 1, success: 0 }));
  });
});

it('nothing is sent to a device at a gateway process that is known to be dead', async () => {
  const [device, other] = await rig.devices(2);
  await gatewayStarted(rig.bus, 'gw-late', 'gw-late#2');
  await caughtUp();
  const { deviceId } = device!.identity;
  await rig.bus.publish([
    toRecord(
      linkSession,
      deviceId,
      { ...device!.identity, epoch: 7, gateway: 'gw-late#1', address: '10.0.0.9', at: Date.now() - 5_000 },
      envelope('online', { companyId: rig.actor.companyId, orgId: rig.actor.orgId }),
    ),
  ]);
  await other!.online(8, 'gw-late#2');
  await caughtUp();
  const task = await rig.order([device!, other!]);
  await rig.command(other!);
  expect(await rig.counts(task)).toMatchObject({ process: 1, wait: 1 });
});
