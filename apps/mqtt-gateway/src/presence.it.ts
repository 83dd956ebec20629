import { afterEach, describe, expect, it } from 'vitest';
import type { ClaimHolder } from './claim/claim-store.ts';
import { MemoryClaimStore } from './claim/memory-claim-store.ts';
import { Rig, hello, macOf, payloadOf, up } from './testing/rig.ts';

const rigs: Rig[] = [];
const start = async (...args: Parameters<typeof Rig.start>): Promise<Rig> => {
  const rig = await Rig.start(...args);
  rigs.push(rig);
  return rig;
};
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});
const mac = macOf(1);
const sessions = (rig: Rig) =>
  rig.bus.sent('link.session.v1').map((m) => ({
    type: m.type,
    mac: m.data.mac,
    epoch: m.data.epoch as number,
    reason: m.data.reason,
    gateway: m.data.gateway,
  }));

describe('presence', () => {
  it.each([
    ['says DISCONNECT', 'closed', (d: { send(p: object): unknown }) => d.send({ cmd: 'disconnect' })],
    ['ends its TCP connection', 'closed', (d: { socket: { end(): unknown } }) => d.socket.end()],
    [
      'resets its TCP connection',
      'lost',
      (d: { socket: { resetAndDestroy(): unknown } }) => d.socket.resetAndDestroy(),
    ],
    ['breaks the protocol', 'refused', (d: { send(p: Buffer): unknown }) => d.send(Buffer.from([0xff, 0]))],
  ] as [string, string, (d: unknown) => unknown][])(
    'a device that %s is reported offline at once, as %s',
    async (_, reason, leave) => {
      const rig = await start();
      const device = await rig.device(mac);
      const from = performance.now();
      leave(device);
      await rig.bus.until(() => sessions(rig).length === 2);
      expect(performance.now() - from).toBeLessThan(1_000);
      const [online, offline] = sessions(rig);
      expect(offline).toMatchObject({ type: 'offline', reason, epoch: online!.epoch, gateway: rig.gateway.id });
    },
  );

  it('a silent device is reported lost within 1.5 keep-alives and 5 s; one that pings stays [GW-03/silent]', async () => {
    const rig = await start();
    const silent = await rig.device(mac, { keepalive: 2 });
    const pinging = await rig.device(macOf(2), { keepalive: 2 });
    const from = performance.now();
    const timer = setInterval(() => pinging.send({ cmd: 'pingreq' }), 500);
    await silent.ended();
    const after = performance.now() - from;
    await rig.bus.until(() => sessions(rig).length === 3);
    clearInterval(timer);
    expect(after).toBeGreaterThan(2_900);
    expect(after).toBeLessThan(8_000);
    expect(sessions(rig).at(-1)).toMatchObject({ mac, reason: 'lost' });
    expect(pinging.closed).toBe(false);
  });

  it('bytes that form no packet are no sign of life', async () => {
    const rig = await start();
    const device = await rig.device(mac, { keepalive: 1 });
    const timer = setInterval(() => device.send(Buffer.from([0x30])), 300);
    await device.ended();
    clearInterval(timer);
  });

  it('a second connection takes over: the first is closed, no offline is published, the epoch rises', async () => {
    const rig = await start();
    const first = await rig.device(mac);
    const second = await rig.device(mac);
    await first.ended();
    expect(second.closed).toBe(false);
    const id = await rig.command(mac);
    await second.next('publish', (p) => payloadOf(p).id === id);
    second.send({ cmd: 'disconnect' });
    await rig.bus.until(() => sessions(rig).length === 3);
    const [a, b, c] = sessions(rig);
    expect([a!.type, b!.type, c!.type]).toEqual(['online', 'online', 'offline']);
    expect(b!.epoch).toBeGreaterThan(a!.epoch);
    expect(c!.epoch).toBe(b!.epoch);
    expect(rig.gateway.stats()).toMatchObject({ devices: 0, connections: 0 });
  });

  it('a device that connects elsewhere is taken over, and one connection remains [GW-01/takeover]', async () => {
    const claims = new MemoryClaimStore(Date);
    const a = await start({ name: 'a' }, { claims });
    const b = await start({ name: 'b' }, { claims, bus: a.bus });
    for (let i = 0; i < 50; i++) {
      const m = macOf(100 + i);
      await a.know(m);
      const both = await Promise.all([a.open(), b.open()]);
      for (const device of both) device.send(a.connectPacket(m)).send(up(m, 'hello', hello, 1));
      await Promise.race(both.map((d) => d.ended()));
      const [left] = both.filter((d) => !d.closed);
      left!.send({ cmd: 'pingreq' });
      await left!.next('pingresp');
      expect(a.gateway.stats().devices + b.gateway.stats().devices).toBe(i + 1);
      await a.bus.until(() => sessions(a).filter((s) => s.mac === m).length === 2);
      const [, last] = sessions(a)
        .filter((s) => s.mac === m)
        .sort((x, y) => x.epoch - y.epoch);
      expect(last).toMatchObject({ type: 'online', gateway: left === both[0] ? a.gateway.id : b.gateway.id });
    }
  });

  it('a claim that is lost in progress closes its connection, even when the notice came first', async () => {
    const claims = new MemoryClaimStore(Date);
    const answers: ((epoch: number) => void)[] = [];
    let notify!: (mac: string, epoch: number) => void;
    const slow = Object.assign(Object.create(claims) as MemoryClaimStore, {
      join: async (_: string, holder: ClaimHolder) => void (notify = (...notice) => holder.loseDevice(...notice)),
      claim: () => new Promise<number>((resolve) => void answers.push(resolve)),
      leave: async () => {},
      release: () => {},
    });
    const rig = await start({}, { claims: slow });
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac)).send({ cmd: 'pingreq' });
    await expect.poll(() => answers.length).toBe(1);
    notify(mac, 11);
    answers[0]!(10);
    await device.ended();
    expect(device.packets).toEqual([]);
    expect(sessions(rig)).toEqual([]);
    const again = await rig.open();
    again.send(rig.connectPacket(mac)).send({ cmd: 'pingreq' });
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!(12);
    await again.next('pingresp');
    await rig.bus.until(() => sessions(rig).length === 1);
    expect(sessions(rig)).toMatchObject([{ type: 'online', epoch: 12 }]);
  });

  it('when two claims are answered in the wrong order, the later claim stays', async () => {
    const answers: ((epoch: number) => void)[] = [];
    const claims = Object.assign(Object.create(new MemoryClaimStore(Date)) as MemoryClaimStore, {
      claim: () => new Promise<number>((resolve) => void answers.push(resolve)),
    });
    const rig = await start({}, { claims });
    await rig.know(mac);
    const devices = [await rig.open(), await rig.open()];
    for (const [i, device] of devices.entries()) {
      device.send(rig.connectPacket(mac)).send({ cmd: 'pingreq' });
      await expect.poll(() => answers.length).toBe(i + 1);
    }
    answers[1]!(11);
    await devices[1]!.next('pingresp');
    answers[0]!(10);
    await devices[0]!.ended();
    expect(devices[0]!.packets).toEqual([]);
    devices[1]!.send({ cmd: 'disconnect' });
    await rig.bus.until(() => sessions(rig).length === 2);
    expect(sessions(rig)).toMatchObject([
      { type: 'online', epoch: 11 },
      { type: 'offline', epoch: 11 },
    ]);
  });

  it('a credential that ends during the claim keeps its device out', async () => {
    const answers: ((epoch: number) => void)[] = [];
    const claims = Object.assign(Object.create(new MemoryClaimStore(Date)) as MemoryClaimStore, {
      claim: () => new Promise<number>((resolve) => void answers.push(resolve)),
    });
    const rig = await start({}, { claims });
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    await expect.poll(() => answers.length).toBe(1);
    await rig.know(mac, { enabled: false });
    answers[0]!(10);
    expect((await rig.connack(device)).returnCode).toBe(4);
    await device.ended();
    expect(sessions(rig)).toEqual([]);
  });

  it('a restart under the same name has a new instance', async () => {
    const one = await start();
    const two = await start({}, { bus: one.bus });
    const started = one.bus.sent('link.gateway.v1').map((m) => m.data.gateway);
    expect(started).toEqual([one.gateway.id, two.gateway.id]);
    expect(new Set(started).size).toBe(2);
  });
});

describe('a drain', () => {
  it('stores and acknowledges what arrived, reports every device offline, and accepts no new ones', async () => {
    const rig = await start({ drainPerSecond: 40 });
    const devices = await Promise.all(Array.from({ length: 10 }, (_, i) => rig.device(macOf(i + 1))));
    rig.bus.hold = true;
    devices.forEach((d, i) => d.send(up(macOf(i + 1), 'state', { at: 1, calls: i }, 7)));
    await expect.poll(() => rig.gateway.stats().received).toBe(20);
    const port = rig.port;
    const drained = rig.gateway.drain();
    await rig.bus.until(() => rig.bus.held > 0);
    rig.bus.hold = false;
    rig.bus.storeNow();
    await drained;
    await Promise.all(devices.map((d) => d.ended()));
    for (const d of devices) expect(d.packets.some((p) => p.cmd === 'puback' && p.messageId === 7)).toBe(true);
    const offline = sessions(rig).filter((s) => s.type === 'offline');
    expect(offline).toHaveLength(10);
    expect(offline.every((s) => s.reason === 'drain')).toBe(true);
    const { RawDevice } = await import('./testing/raw-device.ts');
    await (await RawDevice.open(port)).ended();
    expect(rig.gateway.stats().state).toBe('stopped');
  });

  it('ends after its time when the bus stays away, and acknowledges nothing that is not stored', async () => {
    const rig = await start({ drainSeconds: 1 });
    const device = await rig.device(mac);
    rig.bus.failing = true;
    device.send(up(mac, 'state', { at: 1 }, 7));
    await expect.poll(() => rig.gateway.stats().received).toBe(2);
    const from = performance.now();
    await rig.gateway.drain();
    expect(performance.now() - from).toBeLessThan(4_000);
    await device.ended();
    expect(device.packets.some((p) => p.cmd === 'puback' && p.messageId === 7)).toBe(false);
  });
});
