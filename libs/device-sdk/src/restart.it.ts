import { afterEach, describe, expect, it } from 'vitest';
import type { Action, Device } from './index.ts';
import { Bench, mac } from './test-device.ts';

let bench: Bench;
afterEach(() => bench.clear());

const statuses = (id: string) => bench.platform.answers(id).map(({ status }) => status);

describe('a restart', () => {
  const reboot: Action = async (args, body, answer) => {
    await answer({ status: 'accepted' });
    if (args['whenIdle'] !== false) await body.idle();
    await answer({ status: 'success' });
    body.restart('reboot');
  };

  it('is reported before the device goes down, happens once, and is in the next hello', async () => {
    bench = await Bench.set();
    const restarts: string[] = [];
    let device: Device;
    const restart = (boot: string) => {
      restarts.push(boot);
      void device.start();
    };
    device = await bench.online({ actions: { reboot }, restart });
    expect(bench.platform.received[0]!.payload).toMatchObject({
      boot: 'power',
      capabilities: ['note', 'doorControl', 'reboot'],
    });
    const id = bench.platform.send(mac, { action: 'reboot' });
    await bench.platform.next(({ payload }) => payload.boot === 'reboot');
    bench.platform.send(mac, { id, action: 'reboot' });
    await bench.settle();
    expect(statuses(id)).toEqual(['accepted', 'success', 'success']);
    expect(restarts).toEqual(['reboot']);
    const from = bench.platform.received.length;
    bench.platform.cut();
    expect((await bench.platform.hello(mac, from)).payload.boot).toBe('reconnect');
  });

  it('waits for the end of a call', async () => {
    bench = await Bench.set();
    const call = Promise.withResolvers<void>();
    await bench.online({ actions: { reboot }, idle: () => call.promise });
    const id = bench.platform.send(mac, { action: 'reboot', args: { whenIdle: true } });
    await bench.platform.next(({ payload }) => payload.code === 'busy');
    await bench.settle();
    expect(statuses(id)).toEqual(['accepted', 'accepted']);
    call.resolve();
    await bench.platform.next(({ payload }) => payload.boot === 'reboot');
    expect(statuses(id)).toEqual(['accepted', 'accepted', 'success']);
  });

  it('counts as success of a command without a result, after the next hello, also over a crash', async () => {
    bench = await Bench.set();
    const down = Promise.withResolvers<void>();
    const factoryReset: Action = async (_args, body, answer) => {
      await answer({ status: 'accepted' });
      body.restart('reset');
    };
    // The process ends here; the next start has only the file.
    await bench.online({ actions: { factoryReset }, restart: () => down.resolve() });
    const id = bench.platform.send(mac, { action: 'factoryReset' });
    await down.promise;
    expect(statuses(id)).toEqual(['accepted']);
    const from = bench.platform.received.length;
    const second = await bench.online({ actions: { factoryReset } });
    await bench.platform.answer(id);
    await second.stop();
    expect(
      bench.platform.received.slice(from).map(({ kind, payload }) => payload.boot ?? `${kind} ${payload.status}`),
    ).toEqual(['reset', 'result success']);
    const third = bench.platform.received.length;
    await bench.online();
    expect((await bench.platform.hello(mac, third)).payload.boot).toBe('power');
  });

  it('is named by the next hello when the device fell between the effect and the restart', async () => {
    bench = await Bench.set();
    const began = Promise.withResolvers<void>();
    // The process ends before the restart is written down; the next life has only the file.
    const cutOff: Action = () => {
      began.resolve();
      return new Promise(() => undefined);
    };
    const first = await bench.online({ actions: { reboot: cutOff } });
    const id = bench.platform.send(mac, { action: 'reboot' });
    await began.promise;
    await first.stop();
    const from = bench.platform.received.length;
    const second = await bench.online({ actions: { reboot }, recover: () => 'done' });
    await bench.platform.answer(id);
    await second.stop();
    expect(
      bench.platform.received.slice(from).map(({ kind, payload }) => payload.boot ?? `${kind} ${payload.status}`),
    ).toEqual(['reboot', 'result success']);
    const third = bench.platform.received.length;
    await bench.online();
    expect((await bench.platform.hello(mac, third)).payload.boot).toBe('power');
  });
});
