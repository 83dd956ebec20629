import { describe, expect, it } from 'vitest';
import { cancelTask, linkResult, listDeviceTasks, listTaskDevices, stopTask } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { eventually, LinkedDevice } from '@carillon/testing';
import { ids, startOrders } from './order-test.ts';

const { bus, commands, call, actor, devices, order, load, ends } = await startOrders();
const commandOf = (device: LinkedDevice) =>
  eventually(() => {
    const found = commands.filter((c) => c.deviceId === device.identity.deviceId);
    expect(found.length).toBeGreaterThan(0);
    return found.at(-1)!;
  });

describe('a task', () => {
  it('sends one command to each online device, and ends with the sum of their answers [TASK-03/answers]', async () => {
    const [a, b, c] = await devices(3);
    for (const d of [a!, b!, c!]) await d.online();
    const task = await order([a!, b!, c!]);
    expect(task).toMatchObject({
      status: 'wait',
      number: 1,
      type: 'now',
      creatorName: 'tester',
      params: { whenIdle: true },
    });
    for (const d of [a!, b!, c!]) {
      const command = await commandOf(d);
      expect(command).toMatchObject({ action: 'reboot', args: { whenIdle: true } });
      await d.answer({ id: command.id, status: 'accepted' });
    }
    await a!.answer({ id: (await commandOf(a!)).id, status: 'success' });
    await b!.answer({ id: (await commandOf(b!)).id, status: 'fail', code: 'busy', message: 'in a conference' });
    await eventually(async () =>
      expect((await load(task.id)).counts).toMatchObject({ success: 1, fail: 1, process: 1 }),
    );
    await c!.answer({ id: (await commandOf(c!)).id, status: 'success' });
    await ends(task.id, 'finished');
    const rows = await call(listTaskDevices, { params: { id: task.id }, query: { status: ['fail'] } });
    expect(rows.records).toMatchObject([{ code: 'busy', message: 'in a conference', status: 'fail' }]);
    expect(commands.filter((x) => ids([a!, b!, c!]).includes(x.deviceId))).toHaveLength(3);
    expect((await call(listDeviceTasks, { params: { id: a!.identity.deviceId } })).records).toMatchObject([
      { id: task.id, device: { status: 'success' } },
    ]);
  });

  it("accepts the device's own answer even when another device answered the same command before", async () => {
    const [told, other] = await devices(2);
    await told!.online();
    const task = await order([told!]);
    const { id } = await commandOf(told!);
    await Promise.all([other!.answer({ id, status: 'fail', code: 'forged' }), told!.answer({ id, status: 'success' })]);
    await ends(task.id, 'success');
    const [a, b] = await devices(2);
    await a!.online();
    const next = await order([a!]);
    const command = await commandOf(a!);
    await a!.back();
    await bus.publish(
      [b!, a!].map((d, i) =>
        toRecord(
          linkResult,
          a!.identity.deviceId,
          {
            ...d.identity,
            epoch: 1,
            receivedAt: Date.now(),
            payload: { id: command.id, at: 1, status: i === 0 ? 'fail' : 'success' },
          },
          envelope('result', { companyId: actor.companyId }),
        ),
      ),
    );
    await ends(next.id, 'success');
  });

  it('changes nothing by an answer that comes twice, late or after the end', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const { id } = await commandOf(d!);
    await d!.answer({ id, status: 'success' });
    await ends(task.id, 'success');
    for (const status of ['accepted', 'fail', 'success', 'progress'] as const) await d!.answer({ id, status });
    const [other] = await devices(1);
    await other!.online();
    await other!.answer({ id, status: 'fail' });
    const next = await order([d!]);
    await eventually(async () => expect((await load(next.id)).counts.process).toBe(1));
    expect(await load(task.id)).toMatchObject({ status: 'success', counts: { total: 1, success: 1, fail: 0 } });
  });

  it('keeps the first final answer when a batch has two', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const { id } = await commandOf(d!);
    await Promise.all([
      d!.answer({ id, status: 'accepted' }),
      d!.answer({ id, status: 'success' }),
      d!.answer({ id, status: 'fail' }),
    ]);
    await ends(task.id, 'success');
  });

  it('waits for an offline device and sends when it connects [TASK-07/offline]', async () => {
    const [d] = await devices(1);
    const task = await order([d!]);
    await eventually(async () =>
      expect(await load(task.id)).toMatchObject({ status: 'process', counts: { wait: 1 }, expanded: true }),
    );
    expect(commands.some((c) => c.deviceId === d!.identity.deviceId)).toBe(false);
    await d!.online();
    await d!.answer({ id: (await commandOf(d!)).id, status: 'success' });
    await ends(task.id, 'success');
  });

  it('sends the same command into a newer connection, until it is answered', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const first = await commandOf(d!);
    await d!.offline();
    await d!.online();
    await eventually(() => {
      const all = commands.filter((c) => c.deviceId === d!.identity.deviceId);
      expect(all.length).toBe(2);
      expect(all[1]!.id).toBe(first.id);
    });
    await d!.answer({ id: first.id, status: 'success' });
    await ends(task.id, 'success');
  });

  it('has one changing command in flight per device, and the next task follows', async () => {
    const [d] = await devices(1);
    await d!.online();
    const first = await order([d!], 'first');
    const command = await commandOf(d!);
    const second = await order([d!], 'second');
    await eventually(async () => expect((await load(second.id)).counts.wait).toBe(1));
    expect(commands.filter((c) => c.deviceId === d!.identity.deviceId)).toHaveLength(1);
    await d!.answer({ id: command.id, status: 'success' });
    await ends(first.id, 'success');
    await eventually(() => expect(commands.filter((c) => c.deviceId === d!.identity.deviceId)).toHaveLength(2));
    await d!.answer({ id: (await commandOf(d!)).id, status: 'success' });
    await ends(second.id, 'success');
  });
});

describe('stop and cancel [TASK-04/stop-cancel]', () => {
  it('cancels waiting devices and lets running ones finish', async () => {
    const phones = await devices(3);
    await phones[0]!.online();
    const task = await order(phones);
    const command = await commandOf(phones[0]!);
    await eventually(async () => expect((await load(task.id)).counts).toMatchObject({ process: 1, wait: 2 }));
    await expect(call(cancelTask, { params: { id: task.id } })).rejects.toMatchObject({
      code: 409,
      error: 'task.notCancellable',
    });
    expect(await call(stopTask, { params: { id: task.id } })).toMatchObject({
      status: 'stop',
      counts: { cancel: 2, process: 1, wait: 0 },
    });
    await phones[0]!.answer({ id: command.id, status: 'success' });
    await eventually(async () =>
      expect((await load(task.id)).counts).toMatchObject({ success: 1, cancel: 2, process: 0 }),
    );
    expect((await load(task.id)).status).toBe('stop');
    await phones[1]!.online();
    await expect(call(stopTask, { params: { id: task.id } })).rejects.toMatchObject({ error: 'task.notStoppable' });
    expect(commands.some((c) => c.deviceId === phones[1]!.identity.deviceId)).toBe(false);
  });

  it('cancels a task of which nothing was sent', async () => {
    const phones = await devices(2);
    const task = await order(phones);
    await eventually(async () => expect((await load(task.id)).expanded).toBe(true));
    expect(await call(cancelTask, { params: { id: task.id } })).toMatchObject({
      status: 'cancel',
      counts: { cancel: 2, wait: 0 },
    });
    await expect(call(stopTask, { params: { id: task.id } })).rejects.toMatchObject({ error: 'task.notStoppable' });
  });
});
