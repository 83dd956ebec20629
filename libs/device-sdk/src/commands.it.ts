import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Action, CommandStore, Device } from './index.ts';
import { Bench, mac } from './test-device.ts';

let bench: Bench;
afterEach(() => bench.clear());

const statuses = (id: string) => bench.platform.answers(id).map(({ status }) => status);
const timesDone = (id: string) => bench.deeds.filter((deed) => deed.id === id).length;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An action that goes on when it is told to. */
function held(): { action: Action; started: Promise<void>; go: () => void } {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const action: Action = async (_args, _body, answer, { id, action: key }) => {
    started.resolve();
    await gate.promise;
    bench.deeds.push({ action: key, id });
    await answer({ status: 'success' });
  };
  return { action, started: started.promise, go: gate.resolve };
}

describe("the platform's clock (device-link, Down)", () => {
  it('does not answer welcome', async () => {
    bench = await Bench.set();
    await bench.online();
    await bench.settle();
    expect(bench.platform.received.map(({ kind }) => kind)).toEqual(['hello', 'result']);
  });

  it('does a command of the present and refuses an expired one whatever the wall clock says', async () => {
    bench = await Bench.set();
    await bench.online();
    for (const wrongBy of [-12 * 3_600_000, 12 * 3_600_000]) {
      bench.clock.wrongBy = wrongBy;
      const now = bench.platform.now();
      const good = await bench.platform.answer(bench.platform.send(mac, { action: 'note', now, expiresAt: now + 1 }));
      const late = await bench.platform.answer(bench.platform.send(mac, { action: 'note', now, expiresAt: now - 1 }));
      expect([good.payload.status, late.payload.status, late.payload.code]).toEqual(['success', 'fail', 'expired']);
    }
    expect(bench.deeds).toHaveLength(2);
  });

  it('is not set back by a message that was delayed on the way', async () => {
    bench = await Bench.set();
    await bench.online();
    await bench.settle();
    const sent = bench.platform.now();
    bench.clock.advance(6_000);
    const id = bench.platform.send(mac, { action: 'doorControl', now: sent, expiresAt: sent + 5_000 });
    expect((await bench.platform.answer(id)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    expect(timesDone(id)).toBe(0);
  });

  it('is not taken from a first now that comes more than 2 s after the hello, which is sent again', async () => {
    let welcome = false;
    bench = await Bench.set({ welcome: () => (welcome ? bench.platform.now() : null) });
    await bench.online();
    const early = bench.platform.send(mac, { action: 'doorControl', now: bench.platform.now() - 9_000 });
    // Within the 2 s, so this now is used, and the device takes its time for the platform's.
    expect((await bench.platform.answer(early)).payload.status).toBe('success');

    const from = bench.platform.received.length;
    bench.platform.cut();
    await bench.platform.hello(mac, from);
    bench.clock.advance(2_001);
    const hellos = bench.platform.received.length;
    const stale = bench.platform.now() - 9_000;
    bench.platform.send(mac, { action: 'welcome', now: stale });
    await bench.platform.hello(mac, hellos);

    // What else was delayed does not start the clock behind the second hello's back.
    const door = bench.platform.send(mac, { action: 'doorControl', now: stale, expiresAt: stale + 8_000 });
    expect((await bench.platform.answer(door)).payload).toMatchObject({ status: 'fail', code: 'clock' });
    expect(timesDone(door)).toBe(0);

    welcome = true;
    bench.platform.send(mac, { action: 'welcome' });
    const fresh = bench.platform.send(mac, { action: 'doorControl' });
    expect((await bench.platform.answer(fresh)).payload.status).toBe('success');
  });

  it('is missing before a usable now: a door is not moved, other commands are done', async () => {
    bench = await Bench.set({ welcome: () => null });
    await bench.online();
    bench.clock.advance(2_001);
    const door = bench.platform.send(mac, { action: 'doorControl' });
    const other = bench.platform.send(mac, { action: 'note' });
    expect((await bench.platform.answer(door)).payload).toMatchObject({ status: 'fail', code: 'clock' });
    expect((await bench.platform.answer(other)).payload.status).toBe('success');
    expect(timesDone(door)).toBe(0);
  });

  it('is forgotten with the connection', async () => {
    bench = await Bench.set({ welcome: () => null });
    await bench.online();
    bench.platform.send(mac, { action: 'welcome' });
    await bench.settle();
    const from = bench.platform.received.length;
    bench.platform.cut();
    await bench.platform.hello(mac, from);
    bench.clock.advance(2_001);
    const door = bench.platform.send(mac, { action: 'doorControl' });
    expect((await bench.platform.answer(door)).payload.code).toBe('clock');
  });
});

describe('an answer (device-link, Down)', () => {
  it('is accepted within 30 s when the action itself says nothing for longer', async () => {
    bench = await Bench.set();
    const { action, started, go } = held();
    await bench.online({ actions: { long: action } });
    const id = bench.platform.send(mac, { action: 'long' });
    await started;
    expect(bench.platform.answers(id)).toEqual([]);
    bench.clock.advance(30_000);
    await bench.platform.answer(id, 'accepted');
    go();
    await bench.platform.answer(id, 'success');
    expect(statuses(id)).toEqual(['accepted', 'success']);
  });

  it('comes in the order it was given, and nothing follows the final one', async () => {
    bench = await Bench.set();
    await bench.online({
      actions: {
        talkative: async (_args, _body, answer) => {
          void answer({ status: 'accepted' });
          void answer({ status: 'progress', progress: 50 });
          void answer({ status: 'success' });
          void answer({ status: 'fail', code: 'late' });
        },
      },
    });
    const id = bench.platform.send(mac, { action: 'talkative' });
    await bench.platform.answer(id);
    await bench.settle();
    expect(statuses(id)).toEqual(['accepted', 'progress', 'success']);
  });

  it('repeats the trace of its command', async () => {
    bench = await Bench.set();
    await bench.online({ actions: { two: async (_args, _body, answer) => { await answer({ status: 'accepted' }); await answer({ status: 'success' }); } } });
    const id = bench.platform.send(mac, { action: 'two', trace: traceparent });
    await bench.platform.answer(id);
    const other = traceparent.replace('b7ad6b7169203331', '00f067aa0ba902b7');
    bench.platform.send(mac, { id, action: 'two', trace: other });
    await bench.settle();
    expect(bench.platform.answers(id).map(({ trace }) => trace)).toEqual([traceparent, traceparent, other]);
  });

  it('is fail, code unsupported, to an action that the device does not have', async () => {
    bench = await Bench.set();
    await bench.online();
    for (const action of ['levitate', 'constructor', '__proto__']) {
      expect((await bench.platform.answer(bench.platform.send(mac, { action }))).payload).toMatchObject({ status: 'fail', code: 'unsupported' });
    }
  });

  it('is fail when the action throws, ends without a result, or has one that is too long for a message', async () => {
    bench = await Bench.set();
    await bench.online({
      actions: {
        throws: () => Promise.reject(new Error('no flash left')),
        silent: () => Promise.resolve(),
        endless: (_args, _body, answer) => answer({ status: 'success', data: 'x'.repeat(70_000) }),
      },
    });
    const answerTo = async (action: string) => (await bench.platform.answer(bench.platform.send(mac, { action }))).payload;
    expect(await answerTo('throws')).toMatchObject({ status: 'fail', code: 'error', message: 'no flash left' });
    expect(await answerTo('silent')).toMatchObject({ status: 'fail', code: 'error' });
    expect(await answerTo('endless')).toMatchObject({ status: 'fail', code: 'tooLarge' });
  });

  it('ignores what is no command and unknown fields of one', async () => {
    bench = await Bench.set();
    await bench.online();
    for (const text of ['', 'no json', '[]', 'null', '{"id":"x"}', '{"id":7,"action":"note"}']) bench.platform.sendRaw(mac, text);
    const id = randomUUID();
    bench.platform.sendRaw(mac, JSON.stringify({ id, action: 'note', args: { more: 1 }, expiresAt: bench.platform.now() + 1_000, now: bench.platform.now(), colour: 'blue' }));
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    expect(bench.troubles).toHaveLength(6);
    expect(bench.platform.received.filter(({ kind }) => kind === 'hello')).toHaveLength(1);
  });
});

describe('the memory for commands (device-link, Down)', () => {
  it('has the id before the device acts', async () => {
    bench = await Bench.set();
    const log = await bench.openLog();
    const real = log.of(mac);
    const gate = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    const store: CommandStore = { ...real, write: async (record) => { writing.resolve(); await gate.promise; await real.write(record); } };
    await bench.online({ store });
    const id = bench.platform.send(mac, { action: 'note' });
    await writing.promise;
    expect(bench.deeds).toEqual([]);
    gate.resolve();
    await bench.platform.answer(id);
    expect(timesDone(id)).toBe(1);
  });

  it('that fails leaves a command undone and not acknowledged, so that it is done when it comes again', async () => {
    bench = await Bench.set();
    const real = (await bench.openLog()).of(mac);
    let full = true;
    await bench.online({ store: { ...real, write: (record) => (full ? Promise.reject(new Error('no space left')) : real.write(record)) } });
    const id = bench.platform.send(mac, { action: 'note' });
    await expect.poll(() => bench.troubles).toEqual(['no space left']);
    full = false;
    bench.platform.send(mac, { id, action: 'note' });
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    expect(timesDone(id)).toBe(1);
  });

  it('that could not keep a result leads to fail, code unknown, when the command comes again, and not to a second deed', async () => {
    bench = await Bench.set();
    const real = (await bench.openLog()).of(mac);
    await bench.online({ store: { ...real, write: (record) => (record.answer ? Promise.reject(new Error('no space left')) : real.write(record)) } });
    const id = bench.platform.send(mac, { action: 'note' });
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    bench.platform.send(mac, { id, action: 'note' });
    expect((await bench.platform.answer(id, 'fail')).payload.code).toBe('unknown');
    expect(timesDone(id)).toBe(1);
  });

  it('refuses what expired while it was written down', async () => {
    bench = await Bench.set();
    const log = await bench.openLog();
    const real = log.of(mac);
    const store: CommandStore = { ...real, write: async (record) => { if (!record.answer) bench.clock.advance(11_000); await real.write(record); } };
    await bench.online({ store });
    const id = bench.platform.send(mac, { action: 'doorControl', expiresAt: bench.platform.now() + 10_000 });
    expect((await bench.platform.answer(id)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    expect(timesDone(id)).toBe(0);
  });

  it('answers a repeated id with the stored result, without doing it again', async () => {
    bench = await Bench.set();
    await bench.online();
    const id = bench.platform.send(mac, { action: 'note' });
    const first = await bench.platform.answer(id);
    await bench.settle();
    bench.platform.send(mac, { id, action: 'note' });
    await bench.settle();
    expect(bench.platform.answers(id).map(({ data }) => data)).toEqual([first.payload.data, first.payload.data]);
    expect(timesDone(id)).toBe(1);
  });

  it('answers an id that is repeated while it runs as accepted, and does it once', async () => {
    bench = await Bench.set();
    const { action, started, go } = held();
    await bench.online({ actions: { long: action } });
    const id = bench.platform.send(mac, { action: 'long' });
    await started;
    bench.platform.send(mac, { id, action: 'long' });
    await bench.platform.answer(id, 'accepted');
    go();
    await bench.platform.answer(id, 'success');
    expect(timesDone(id)).toBe(1);
  });

  it('does a command once that arrives twice in one packet', async () => {
    bench = await Bench.set();
    await bench.online();
    const id = randomUUID();
    for (let i = 0; i < 20; i++) bench.platform.send(mac, { id, action: 'note' });
    await bench.settle();
    expect(timesDone(id)).toBe(1);
    expect(statuses(id).filter((status) => status === 'fail')).toEqual([]);
  });

  it('keeps the results of the last 64 commands over a restart of the process, and no more', async () => {
    bench = await Bench.set();
    const before = await bench.online();
    const ids = [];
    for (let i = 0; i < 66; i++) ids.push(bench.platform.send(mac, { action: i % 2 === 0 ? 'note' : 'levitate' }));
    await Promise.all(ids.map((id) => bench.platform.answer(id)));
    await before.stop();
    bench.deeds.length = 0;
    const from = bench.platform.received.length;
    await bench.online();
    for (const id of ids.slice(2)) bench.platform.send(mac, { id, action: 'note' });
    const again = await Promise.all(ids.slice(2).map((id) => bench.platform.answer(id, undefined, from)));
    expect(again.map(({ payload }) => payload.code ?? payload.status)).toEqual(ids.slice(2).map((_, i) => (i % 2 === 0 ? 'success' : 'unsupported')));
    expect(bench.deeds).toEqual([]);
    const log = await bench.openLog();
    expect([...await log.of(mac).all()]).toHaveLength(64);
  });

  it('answers fail, code unknown, and does not act, when the device fell down in the middle', async () => {
    bench = await Bench.set();
    const { action, started } = held();
    const before = await bench.online({ actions: { long: action } });
    const id = bench.platform.send(mac, { action: 'long', trace: traceparent });
    await started;
    await before.stop();
    await bench.online({ actions: { long: async (_args, _body, _answer, command) => { bench.deeds.push({ action: 'long', id: command.id }); } } });
    expect((await bench.platform.answer(id)).payload).toMatchObject({ status: 'fail', code: 'unknown', trace: traceparent });
    const from = bench.platform.received.length;
    bench.platform.send(mac, { id, action: 'long' });
    expect((await bench.platform.answer(id, undefined, from)).payload.code).toBe('unknown');
    expect(timesDone(id)).toBe(0);
  });

  it('lets a device that can tell that it did nothing do it after the fall, with its arguments, unless it expired', async () => {
    bench = await Bench.set();
    const [first, second] = [held(), held()];
    const before = await bench.online({ actions: { long: first.action, brief: second.action } });
    const good = bench.platform.send(mac, { action: 'long', args: { a: 1 }, expiresAt: bench.platform.now() + 60_000 });
    const bad = bench.platform.send(mac, { action: 'brief', expiresAt: bench.platform.now() + 10_000 });
    await Promise.all([first.started, second.started]);
    await before.stop();
    bench.clock.advance(30_000);
    const seen: unknown[] = [];
    const action: Action = async (args, _body, answer) => { seen.push(args); await answer({ status: 'success' }); };
    await bench.online({ recover: () => 'notDone', actions: { long: action, brief: action } });
    expect((await bench.platform.answer(good)).payload.status).toBe('success');
    expect((await bench.platform.answer(bad)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    expect(seen).toEqual([{ a: 1 }]);
  });

  it('sends a result again after a fall until the platform acknowledged it, and then no more', async () => {
    let stored: Promise<void> = new Promise(() => undefined);
    const arrived = Promise.withResolvers<void>();
    bench = await Bench.set({ store: ({ kind }) => { if (kind === 'result') { arrived.resolve(); return stored; } } });
    const before = await bench.online();
    const id = bench.platform.send(mac, { action: 'note' });
    await arrived.promise;
    await before.stop();
    expect(statuses(id)).toEqual([]);
    stored = Promise.resolve();
    const second = await bench.online();
    await bench.platform.answer(id);
    await bench.settle();
    await second.stop();
    await bench.online();
    await bench.settle();
    expect(statuses(id)).toEqual(['success']);
  });
});

describe('a restart', () => {
  const reboot: Action = async (args, body, answer) => {
    await answer({ status: 'accepted' });
    if (args['whenIdle'] !== false) await body.idle();
    await answer({ status: 'success' });
    body.restart('reboot');
  };

  it('is told before the device goes down, happens once, and is in the next hello', async () => {
    bench = await Bench.set();
    const restarts: string[] = [];
    let device: Device;
    const restart = (boot: string) => { restarts.push(boot); void device.start(); };
    device = await bench.online({ actions: { reboot }, restart });
    expect(bench.platform.received[0]!.payload).toMatchObject({ boot: 'power', capabilities: ['note', 'doorControl', 'reboot'] });
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
    await bench.platform.answer(id, 'accepted');
    await bench.settle();
    expect(statuses(id)).toEqual(['accepted']);
    call.resolve();
    await bench.platform.next(({ payload }) => payload.boot === 'reboot');
    expect(statuses(id)).toEqual(['accepted', 'success']);
  });

  it('that ends a command without a result is its success, behind the hello that says so, over a fall too', async () => {
    bench = await Bench.set();
    const down = Promise.withResolvers<void>();
    const factoryReset: Action = async (_args, body, answer) => {
      await answer({ status: 'accepted' });
      body.restart('reset');
    };
    // The process ends here; the next life has only the file.
    await bench.online({ actions: { factoryReset }, restart: () => down.resolve() });
    const id = bench.platform.send(mac, { action: 'factoryReset' });
    await down.promise;
    expect(statuses(id)).toEqual(['accepted']);
    const from = bench.platform.received.length;
    const second = await bench.online({ actions: { factoryReset } });
    await bench.platform.answer(id);
    await second.stop();
    expect(bench.platform.received.slice(from).map(({ kind, payload }) => payload.boot ?? `${kind} ${payload.status}`)).toEqual(['reset', 'result success']);
    const third = bench.platform.received.length;
    await bench.online();
    expect((await bench.platform.hello(mac, third)).payload.boot).toBe('power');
  });
});
