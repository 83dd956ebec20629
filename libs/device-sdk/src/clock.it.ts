import { afterEach, describe, expect, it } from 'vitest';
import { Bench, mac } from './test-device.ts';

let bench: Bench;
afterEach(() => bench.clear());

const timesDone = (id: string) => bench.deeds.filter((deed) => deed.id === id).length;

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

  it('ignores a first now that comes more than 2 s after the hello, and sends the hello again', async () => {
    let welcome = false;
    bench = await Bench.set({ welcome: () => (welcome ? bench.platform.now() : null) });
    await bench.online();
    const early = bench.platform.send(mac, { action: 'doorControl', now: bench.platform.now() - 9_000 });
    // Within the 2 s, so this now is used as the platform's time.
    expect((await bench.platform.answer(early)).payload.status).toBe('success');

    const from = bench.platform.received.length;
    bench.platform.cut();
    await bench.platform.hello(mac, from);
    bench.clock.advance(2_001);
    const hellos = bench.platform.received.length;
    const stale = bench.platform.now() - 9_000;
    bench.platform.send(mac, { action: 'welcome', now: stale });
    await bench.platform.hello(mac, hellos);

    // Another delayed message does not start the clock before the second hello's welcome.
    const door = bench.platform.send(mac, { action: 'doorControl', now: stale, expiresAt: stale + 8_000 });
    expect((await bench.platform.answer(door)).payload).toMatchObject({ status: 'fail', code: 'clock' });
    expect(timesDone(door)).toBe(0);

    welcome = true;
    bench.platform.send(mac, { action: 'welcome' });
    const fresh = bench.platform.send(mac, { action: 'doorControl' });
    expect((await bench.platform.answer(fresh)).payload.status).toBe('success');
  });

  it('without a usable now a door is not moved, and other commands run', async () => {
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
