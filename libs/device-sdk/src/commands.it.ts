import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Action, CommandStore } from './index.ts';
import { Bench, mac } from './test-device.ts';

let bench: Bench;
afterEach(() => bench.clear());

const statuses = (id: string) => bench.platform.answers(id).map(({ status }) => status);
const timesDone = (id: string) => bench.deeds.filter((deed) => deed.id === id).length;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** An action that continues when the test releases it. */
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

describe('an answer (device-link, Down)', () => {
  it('is accepted within 30 s when the action itself reports nothing for longer', async () => {
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

  it('comes in the order in which it was given, and nothing follows the final one', async () => {
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
    await bench.online({
      actions: {
        two: async (_args, _body, answer) => {
          await answer({ status: 'accepted' });
          await answer({ status: 'success' });
        },
      },
    });
    const id = bench.platform.send(mac, { action: 'two', trace: traceparent });
    await bench.platform.answer(id);
    const other = traceparent.replace('b7ad6b7169203331', '00f067aa0ba902b7');
    bench.platform.send(mac, { id, action: 'two', trace: other });
    await bench.settle();
    expect(bench.platform.answers(id).map(({ trace }) => trace)).toEqual([traceparent, traceparent, other]);
  });

  it('is fail with code unsupported for an action that the device does not have', async () => {
    bench = await Bench.set();
    await bench.online();
    for (const action of ['levitate', 'constructor', '__proto__']) {
      expect((await bench.platform.answer(bench.platform.send(mac, { action }))).payload).toMatchObject({
        status: 'fail',
        code: 'unsupported',
      });
    }
  });

  it('is fail when the action throws, has no result, or has one that is too long for a message', async () => {
    bench = await Bench.set();
    await bench.online({
      actions: {
        throws: () => Promise.reject(new Error('no flash left')),
        silent: () => Promise.resolve(),
        endless: (_args, _body, answer) => answer({ status: 'success', data: 'x'.repeat(70_000) }),
      },
    });
    const answerTo = async (action: string) =>
      (await bench.platform.answer(bench.platform.send(mac, { action }))).payload;
    expect(await answerTo('throws')).toMatchObject({ status: 'fail', code: 'error', message: 'no flash left' });
    expect(await answerTo('silent')).toMatchObject({ status: 'fail', code: 'error' });
    expect(await answerTo('endless')).toMatchObject({ status: 'fail', code: 'tooLarge' });
  });

  it('ignores invalid commands and unknown fields', async () => {
    bench = await Bench.set();
    await bench.online();
    for (const text of ['', 'no json', '[]', 'null', '{"id":"x"}', '{"id":7,"action":"note"}'])
      bench.platform.sendRaw(mac, text);
    const id = randomUUID();
    bench.platform.sendRaw(
      mac,
      JSON.stringify({
        id,
        action: 'note',
        args: { more: 1 },
        expiresAt: bench.platform.now() + 1_000,
        now: bench.platform.now(),
        colour: 'blue',
      }),
    );
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    expect(bench.troubles).toHaveLength(6);
    expect(bench.platform.received.filter(({ kind }) => kind === 'hello')).toHaveLength(1);
  });
});

describe('the memory for commands (device-link, Down)', () => {
  it('has the id before the device acts', async () => {
    bench = await Bench.set();
    const log = await bench.openLog();
    const real = log.forDevice(mac);
    const gate = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    const store: CommandStore = {
      ...real,
      write: async (record) => {
        writing.resolve();
        await gate.promise;
        await real.write(record);
      },
    };
    await bench.online({ store });
    const id = bench.platform.send(mac, { action: 'note' });
    await writing.promise;
    expect(bench.deeds).toEqual([]);
    gate.resolve();
    await bench.platform.answer(id);
    expect(timesDone(id)).toBe(1);
  });

  it('leaves a command undone and unacknowledged when it fails, so that it runs when it comes again', async () => {
    bench = await Bench.set();
    const real = (await bench.openLog()).forDevice(mac);
    let full = true;
    await bench.online({
      store: { ...real, write: (record) => (full ? Promise.reject(new Error('no space left')) : real.write(record)) },
    });
    const id = bench.platform.send(mac, { action: 'note' });
    await expect.poll(() => bench.troubles).toEqual(['no space left']);
    full = false;
    bench.platform.send(mac, { id, action: 'note' });
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    expect(timesDone(id)).toBe(1);
  });

  it('leads to fail with code unknown when it lost a result, and not to a second run', async () => {
    bench = await Bench.set();
    const real = (await bench.openLog()).forDevice(mac);
    await bench.online({
      store: {
        ...real,
        write: (record) => (record.answer ? Promise.reject(new Error('no space left')) : real.write(record)),
      },
    });
    const id = bench.platform.send(mac, { action: 'note' });
    expect((await bench.platform.answer(id)).payload.status).toBe('success');
    bench.platform.send(mac, { id, action: 'note' });
    expect((await bench.platform.answer(id, 'fail')).payload.code).toBe('unknown');
    expect(timesDone(id)).toBe(1);
  });

  it('refuses a command that expired while it was stored', async () => {
    bench = await Bench.set();
    const log = await bench.openLog();
    const real = log.forDevice(mac);
    const store: CommandStore = {
      ...real,
      write: async (record) => {
        if (!record.answer) bench.clock.advance(11_000);
        await real.write(record);
      },
    };
    await bench.online({ store });
    const id = bench.platform.send(mac, { action: 'doorControl', expiresAt: bench.platform.now() + 10_000 });
    expect((await bench.platform.answer(id)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    expect(timesDone(id)).toBe(0);
  });

  it('answers a repeated id with the stored result, without running it again', async () => {
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

  it('answers an id that is repeated while it runs as accepted, and runs it once', async () => {
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

  it('keeps the results of exactly the last 64 commands across a restart of the process', async () => {
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
    expect(again.map(({ payload }) => payload.code ?? payload.status)).toEqual(
      ids.slice(2).map((_, i) => (i % 2 === 0 ? 'success' : 'unsupported')),
    );
    expect(bench.deeds).toEqual([]);
    const log = await bench.openLog();
    expect([...(await log.forDevice(mac).all())]).toHaveLength(64);
  });

  it('answers fail with code unknown, and does not act, after a crash in the middle', async () => {
    bench = await Bench.set();
    const { action, started } = held();
    const before = await bench.online({ actions: { long: action } });
    const id = bench.platform.send(mac, { action: 'long', trace: traceparent });
    await started;
    await before.stop();
    await bench.online({
      actions: {
        long: async (_args, _body, _answer, command) => {
          bench.deeds.push({ action: 'long', id: command.id });
        },
      },
    });
    expect((await bench.platform.answer(id)).payload).toMatchObject({
      status: 'fail',
      code: 'unknown',
      trace: traceparent,
    });
    const from = bench.platform.received.length;
    bench.platform.send(mac, { id, action: 'long' });
    expect((await bench.platform.answer(id, undefined, from)).payload.code).toBe('unknown');
    expect(timesDone(id)).toBe(0);
  });

  it('runs a command after a crash when the device knows that it did nothing, unless it expired', async () => {
    bench = await Bench.set();
    const [first, second] = [held(), held()];
    const before = await bench.online({ actions: { long: first.action, brief: second.action } });
    const good = bench.platform.send(mac, { action: 'long', args: { a: 1 }, expiresAt: bench.platform.now() + 60_000 });
    const bad = bench.platform.send(mac, { action: 'brief', expiresAt: bench.platform.now() + 10_000 });
    await Promise.all([first.started, second.started]);
    await before.stop();
    bench.clock.advance(30_000);
    const seen: unknown[] = [];
    const action: Action = async (args, _body, answer) => {
      seen.push(args);
      await answer({ status: 'success' });
    };
    await bench.online({ recover: () => 'notDone', actions: { long: action, brief: action } });
    expect((await bench.platform.answer(good)).payload.status).toBe('success');
    expect((await bench.platform.answer(bad)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    expect(seen).toEqual([{ a: 1 }]);
  });

  it('that has loaded its file is downloaded with code busy during a call [TASK-11/downloaded]', async () => {
    bench = await Bench.set();
    const call = Promise.withResolvers<void>();
    const action: Action = async (_args, body, answer) => {
      await answer({ status: 'accepted' });
      await answer({ status: 'downloaded' });
      await body.idle();
      await answer({ status: 'success' });
    };
    await bench.online({ actions: { calm: action }, idle: () => call.promise });
    const id = bench.platform.send(mac, { action: 'calm', expiresAt: bench.platform.now() + 60_000 });
    const loaded = await bench.platform.answer(id, 'downloaded');
    expect(loaded.payload.code).toBeUndefined();
    const from = bench.platform.received.indexOf(loaded) + 1;
    expect((await bench.platform.answer(id, 'downloaded', from)).payload).toMatchObject({ code: 'busy' });
    call.resolve();
    expect((await bench.platform.answer(id, 'success')).payload.code).toBeUndefined();
  });

  it('is accepted with code busy during a call, and runs at its end unless it expired', async () => {
    bench = await Bench.set();
    let call: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();
    let done = 0;
    const action: Action = async (_args, body, answer) => {
      await body.idle();
      done++;
      await answer({ status: 'success' });
    };
    await bench.online({ actions: { calm: action }, idle: () => call?.promise ?? null });
    const good = bench.platform.send(mac, { action: 'calm', expiresAt: bench.platform.now() + 60_000 });
    const bad = bench.platform.send(mac, { action: 'calm', expiresAt: bench.platform.now() + 10_000 });
    for (const id of [good, bad])
      expect((await bench.platform.answer(id, 'accepted')).payload).toMatchObject({ code: 'busy' });
    // A repeated command gets the same answer while it waits.
    const from = bench.platform.received.length;
    bench.platform.send(mac, { id: good, action: 'calm', expiresAt: bench.platform.now() + 60_000 });
    expect((await bench.platform.answer(good, 'accepted', from)).payload).toMatchObject({ code: 'busy' });
    bench.clock.advance(30_000);
    await bench.settle();
    expect(done).toBe(0);
    call.resolve();
    call = null;
    expect((await bench.platform.answer(good, 'success')).payload.code).toBeUndefined();
    expect((await bench.platform.answer(bad, 'fail')).payload).toMatchObject({ code: 'expired' });
    expect(done).toBe(1);
    // Without a call it runs at once, and nothing reports a call.
    const free = bench.platform.send(mac, { action: 'calm' });
    await bench.platform.answer(free, 'success');
    expect(statuses(free)).toEqual(['success']);
  });

  it('resends a result after a crash until the platform has acknowledged it', async () => {
    let stored: Promise<void> = new Promise(() => undefined);
    const arrived = Promise.withResolvers<void>();
    bench = await Bench.set({
      store: ({ kind }) => {
        if (kind === 'result') {
          arrived.resolve();
          return stored;
        }
      },
    });
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
