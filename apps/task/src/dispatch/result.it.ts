import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getTask, linkResult, linkSession, listTaskDevices, phoneCodes } from '@carillon/contracts';
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
/** A result as the gateway publishes it, in the partition of `key`. */
const result = (
  key: string,
  device: LinkedDevice,
  id: string,
  status: 'success' | 'fail',
  companyId = rig.actor.companyId,
) =>
  toRecord(
    linkResult,
    key,
    { ...device.identity, epoch: device.epoch, receivedAt: Date.now(), payload: { id, status, at: 1 } },
    envelope('result', { companyId, orgId: rig.actor.orgId }),
  );
const caughtUp = () => eventually(async () => expect((await rig.bus.lag()).every((l) => l.lag === 0)).toBe(true));

describe('an answer', () => {
  it("counts even when another device claimed the command's id just before", async () => {
    const { task, device, command } = await sent();
    const [rogue] = await rig.devices(1);
    const key = device.identity.deviceId;
    await rig.bus.publish([result(key, rogue!, command, 'success'), result(key, device, command, 'fail')]);
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ status: 'fail', fail: 1, success: 0 }));
  });

  it("that waits for a call is counted, shown in the reader's language, and limited by the window", async () => {
    const { task, device, command } = await sent();
    await device.answer({ id: command, status: 'accepted', code: 'busy' });
    const own = rig.service.as({ ...rig.actor, language: 'pt_BR' });
    const read = async (call = own) => (await call(getTask, { params: { id: task } })).waitingIdle;
    await eventually(async () => expect(await read()).toBe(1));
    const [row] = (await own(listTaskDevices, { params: { id: task }, query: {} })).records;
    expect(row).toMatchObject({ status: 'process', code: 'busy', message: 'Aguarda o fim de uma chamada' });
    const elsewhere = { ...rig.actor, orgIds: [newActor().orgId] };
    expect(await read(rig.service.as(elsewhere))).toBe(0);
    expect(
      await rig.sql('select deadline_at = expires_at as same from task_device where command_id = $1', [command]),
    ).toEqual([{ same: true }]);
    // One that has loaded its file waits as well.
    for (const code of [undefined, 'busy']) await device.answer({ id: command, status: 'downloaded', code });
    await eventually(async () =>
      expect((await own(listTaskDevices, { params: { id: task }, query: {} })).records).toMatchObject([
        { status: 'downloadSuccess', code: 'busy' },
      ]),
    );
    expect(await read()).toBe(1);
    await device.answer({ id: command, status: 'downloaded' });
    await eventually(async () => expect(await read()).toBe(0));
    expect(
      await rig.sql(
        `select deadline_at < now() + interval '6 minutes' as soon from task_device where command_id = $1`,
        [command],
      ),
    ).toEqual([{ soon: true }]);
    await device.answer({ id: command, status: 'success' });
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ success: 1 }));
  });

  it('that a phone has to ask first keeps its command open until it expires [EDGE-08/http]', async () => {
    const { task, device, command } = await sent();
    await device.answer({ id: command, status: 'accepted', code: phoneCodes.telling });
    await device.answer({ id: command, status: 'progress', code: phoneCodes.waits });
    await eventually(async () =>
      expect(
        await rig.sql('select code, deadline_at = expires_at as same from task_device where command_id = $1', [
          command,
        ]),
      ).toEqual([{ code: 'phoneWaits', same: true }]),
    );
    await device.answer({ id: command, status: 'success' });
    await eventually(async () => expect(await rig.counts(task)).toMatchObject({ success: 1 }));
  });

  it('the progress of a phone is shown, and keeps its command open until it expires [EDGE-08/firmware]', async () => {
    const { task, device, command } = await sent();
    await device.answer({ id: command, status: 'accepted', code: phoneCodes.telling });
    for (const [status, code, shown, message] of [
      ['progress', phoneCodes.told, 'process', 'Told over SIP; fetches its configuration, which names the file'],
      ['progress', phoneCodes.loading, 'process', 'Loads the file'],
      ['downloaded', phoneCodes.installing, 'downloadSuccess', 'Has the file; restarts with it'],
    ] as const) {
      await device.answer({ id: command, status, code });
      await eventually(async () => {
        const { records } = await rig.call(listTaskDevices, { params: { id: task }, query: {} });
        expect(records[0]).toMatchObject({ status: shown, code, message });
      });
      const sql = 'select deadline_at = expires_at as same from task_device where command_id = $1';
      expect(await rig.sql(sql, [command])).toEqual([{ same: true }]);
    }
  });

  it.each(['one by one', 'all at once'])(
    'from an earlier connection that arrives late does not hide the hello, %s; a newer one does',
    async (how) => {
      const { task, device, command } = await sent();
      const answer = device.epoch;
      const { deviceId } = device.identity;
      const inOrder = { companyId: rig.actor.companyId, orgId: rig.actor.orgId };
      const say = (status: 'accepted' | 'success', epoch: number) =>
        toRecord(
          linkResult,
          deviceId,
          { ...device.identity, epoch, receivedAt: Date.now(), payload: { id: command, status, at: 1 } },
          envelope('result', inOrder),
        );
      const back = (epoch: number) =>
        toRecord(
          linkResult,
          deviceId,
          { ...device.identity, epoch, receivedAt: Date.now(), boot: 'reboot', firmware: '1.0', uptime: 0 },
          envelope('back', inOrder),
        );
      const publish = async (...records: ReturnType<typeof say>[]) => {
        for (const some of how === 'all at once' ? [records] : records.map((record) => [record])) {
          await rig.bus.publish(some);
          await caughtUp();
        }
      };
      await publish(back(answer + 1), say('accepted', answer), say('success', answer + 1));
      await eventually(async () => expect(await rig.counts(task)).toMatchObject({ status: 'success', success: 1 }));

      // It restarted for another reason and then accepts the command: that hello shows nothing about it, the next does.
      const second = await sent();
      Object.assign(device.identity, second.device.identity);
      const begun = second.device.epoch;
      const again = (record: ReturnType<typeof say>) => ({ ...record, key: second.device.identity.deviceId });
      const id = second.command;
      const repeated = (status: 'accepted' | 'success', epoch: number) =>
        toRecord(
          linkResult,
          second.device.identity.deviceId,
          { ...second.device.identity, epoch, receivedAt: Date.now(), payload: { id, status, at: 1 } },
          envelope('result', inOrder),
        );
      await publish(again(back(begun + 1)), repeated('accepted', begun + 1), repeated('success', begun + 1));
      await caughtUp();
      expect(await rig.counts(second.task)).toMatchObject({ success: 0, process: 1 });
      await publish(again(back(begun + 2)));
      await eventually(async () => expect(await rig.counts(second.task)).toMatchObject({ success: 1 }));
    },
  );

  it('of another company with a guessed id changes nothing', async () => {
    const { task, device, command } = await sent();
    await rig.bus.publish([result(device.identity.deviceId, device, command, 'fail', newActor().companyId)]);
    await caughtUp();
    expect(await rig.counts(task)).toMatchObject({ process: 1, fail: 0 });
  });

  it('with a character that cannot be stored is stored without it, and causes no dead letter', async () => {
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

it('nothing is sent to a device of a gateway process that is known to be dead', async () => {
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
