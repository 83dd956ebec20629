import { afterEach, describe, expect, it } from 'vitest';
import { linkReport } from '@carillon/contracts';
import { RawDevice } from './testing/raw-device.ts';
import { Rig, company, hello, macOf, payloadOf, state, up } from './testing/rig.ts';

let rig: Rig;
let healthy: RawDevice;
const mac = macOf(1);
const begin = async (settings: Record<string, unknown> = {}): Promise<void> => {
  rig = await Rig.start(settings);
  healthy = await rig.device(mac);
};
/** Checks that the healthy device is answered, stored and commanded. */
const isHealthy = async (): Promise<void> => {
  healthy.packets.length = 0;
  healthy.send({ cmd: 'pingreq' }).send(up(mac, 'state', state, 77));
  await healthy.next('pingresp');
  await healthy.next('puback', (p) => p.messageId === 77);
  const id = await rig.command(mac);
  const command = await healthy.next('publish', (p) => payloadOf(p).id === id);
  healthy.send({ cmd: 'puback', messageId: command.messageId! });
};
afterEach(async () => {
  await isHealthy();
  await rig.stop();
});
const mega = 1024 * 1024;
const settledRss = async (): Promise<number> => {
  await new Promise((resolve) => setImmediate(resolve));
  return process.memoryUsage().rss;
};

describe('limits', () => {
  it('a socket that announces 200 MB is closed at once: 200 of them cost less than 20 MB', async () => {
    await begin();
    const before = await settledRss();
    for (let i = 0; i < 200; i++) {
      const device = await rig.open();
      device.send(Buffer.concat([Buffer.from([0x10, 0x80, 0x84, 0xaf, 0x5f]), Buffer.alloc(4_000, 0x61)]));
      await device.ended();
    }
    expect((await settledRss()) - before).toBeLessThan(20 * mega);
    expect(rig.gateway.stats().faults).toEqual({ packetTooLong: 200 });
  });

  it('a device that announces 64 KiB and sends little costs little memory', async () => {
    await begin();
    const devices = await Promise.all(Array.from({ length: 200 }, (_, i) => rig.device(macOf(10 + i))));
    const before = process.memoryUsage();
    const head = Buffer.concat([
      Buffer.from([0x32, 0x80, 0x80, 0x04, 0, 21]),
      Buffer.from(`d/${mac}/state`),
      Buffer.from([0, 9]),
      Buffer.from('{"at":1,'),
    ]);
    for (const device of devices) device.send(head).send({ cmd: 'pingreq' });
    await isHealthy();
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(200 * 1_024);
  });

  it('a device may send 64 KiB, byte by byte or at once', async () => {
    await begin();
    const device = await rig.device(macOf(2));
    const payload = JSON.stringify({
      id: 'c',
      at: 1,
      record: { filler: 'x'.repeat(65_536 - JSON.stringify({ id: 'c', at: 1, record: { filler: '' } }).length) },
    });
    expect(Buffer.byteLength(payload)).toBe(65_536);
    device.send(up(macOf(2), 'call', payload, 5));
    await device.next('puback', (p) => p.messageId === 5);
    const { generate } = await import('mqtt-packet');
    const bytes = generate(up(macOf(2), 'call', payload, 6));
    for (let at = 0; at < bytes.length; at += 997) {
      device.send(bytes.subarray(at, at + 997));
      if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await device.next('puback', (p) => p.messageId === 6);
    expect(
      rig.bus
        .sent('link.report.v1')
        .filter((m) => m.type === 'call')
        .map((m) => m.data.payload),
    ).toEqual([JSON.parse(payload), JSON.parse(payload)]);
  });

  it('a silent or slow socket is closed when its time for CONNECT is over', async () => {
    await begin({ connectSeconds: 2 });
    const silent = await rig.open();
    const dribbling = await rig.open();
    const from = performance.now();
    const bytes = Buffer.from([0x10, 0x40, 0, 4, 0x4d, 0x51, 0x54, 0x54]);
    let at = 0;
    const timer = setInterval(() => at < bytes.length && dribbling.send(bytes.subarray(at, ++at)), 300);
    await Promise.all([silent.ended(), dribbling.ended()]);
    clearInterval(timer);
    expect(performance.now() - from).toBeGreaterThan(1_900);
    expect(performance.now() - from).toBeLessThan(6_000);
    expect(rig.gateway.stats().refused).toEqual({ connectTimeout: 2 });
  });

  it('a thousand anonymous sockets of one address are limited, and another address still gets in', async () => {
    await begin({ halfOpenPerAddress: 20, connectSeconds: 60 });
    const before = await settledRss();
    const crowd = await Promise.all(Array.from({ length: 1_000 }, () => rig.open({ localAddress: '127.0.0.9' })));
    await expect.poll(() => rig.gateway.stats().halfOpen, { timeout: 8_000 }).toBe(20);
    await expect.poll(() => crowd.filter((d) => d.closed).length, { timeout: 8_000 }).toBe(980);
    expect((await settledRss()) - before).toBeLessThan(50 * mega);
    await rig.know(macOf(5));
    const device = await rig.open({ localAddress: '127.0.0.10' });
    device.send(rig.connectPacket(macOf(5)));
    expect((await rig.connack(device)).returnCode).toBe(0);
  });

  it('sockets above the limit of connections are closed, and freed slots can be used again', async () => {
    await begin({ connections: 5 });
    const devices = await Promise.all(Array.from({ length: 4 }, () => rig.open()));
    await expect.poll(() => rig.gateway.stats().connections).toBe(5);
    const sixth = await rig.open();
    await sixth.ended();
    expect(rig.gateway.stats().refused).toEqual({ connections: 1 });
    devices[0]!.destroy();
    await expect.poll(() => rig.gateway.stats().connections).toBe(4);
    const later = await rig.open();
    await rig.know(macOf(6));
    later.send(rig.connectPacket(macOf(6)));
    expect((await rig.connack(later)).returnCode).toBe(0);
  });

  it('a flooding device is slowed to the pace of storage, and no other is', async () => {
    await begin({ inboundMessages: 4, heldBytes: 4_000 });
    const flooding = await rig.device(macOf(3));
    let sent = 1;
    const pump = (): void => {
      while (
        !flooding.closed &&
        sent < 30_000 &&
        flooding.send(up(macOf(3), 'state', state, (++sent % 65_000) + 1)).socket.writableLength < 100_000
      );
    };
    flooding.socket.on('drain', pump);
    pump();
    let longest = 0;
    let most = 0;
    for (let i = 0; i < 50; i++) {
      const from = performance.now();
      await isHealthy();
      longest = Math.max(longest, performance.now() - from);
      most = Math.max(most, rig.gateway.stats().storing.messages);
      pump();
    }
    expect(most).toBeLessThan(20);
    expect(longest).toBeLessThan(1_000);
  });

  it('an error inside the gateway closes only the connection that it met', async () => {
    await begin();
    const clocked = rig.gateway as unknown as { policy: { credentials: { check: unknown } } };
    const check = clocked.policy.credentials.check;
    clocked.policy.credentials.check = () => {
      throw new Error('a defect');
    };
    const device = await rig.open();
    device.send(rig.connectPacket(macOf(4)));
    await device.ended();
    clocked.policy.credentials.check = check;
    expect(rig.gateway.stats()).toMatchObject({ defects: 1, connections: 1 });
    expect(rig.log.filter((l) => l.level === 'error')).toHaveLength(1);
  });
});

describe('the shared read buffer', () => {
  it('does not mix data of two devices that send pieces in turn', async () => {
    await begin();
    const { generate } = await import('mqtt-packet');
    const devices = await Promise.all(Array.from({ length: 20 }, (_, i) => rig.device(macOf(10 + i))));
    const bytes = devices.map((_, i) =>
      Buffer.concat(
        [2, 3, 4].map((id) =>
          generate(up(macOf(10 + i), 'state', { at: 1, calls: i * 10 + id, ip: `${i}`.repeat(30) }, id)),
        ),
      ),
    );
    for (let at = 0; at < bytes[0]!.length + 100; at += 13) {
      for (const [i, device] of devices.entries())
        if (at < bytes[i]!.length) device.send(bytes[i]!.subarray(at, at + 13));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(devices.map((d) => d.next('puback', (p) => p.messageId === 4)));
    for (const [i] of devices.entries()) {
      const mine = rig.bus
        .sent('link.report.v1')
        .filter((m) => m.data.mac === macOf(10 + i) && m.type === 'state')
        .map((m) => (m.data.payload as { calls: number }).calls);
      expect(mine).toEqual([i * 10 + 2, i * 10 + 3, i * 10 + 4]);
    }
    expect(rig.gateway.stats().invalid).toBe(0);
  });

  it('of 1,200 successive takeovers of a device a dozen succeed; others get CONNACK 3 until later', async () => {
    await begin({ deviceConnectsPerMinute: 600, deviceConnectBurst: 12 });
    const other = macOf(2);
    await rig.know(other);
    const codes: number[] = [];
    const from = performance.now();
    let last: RawDevice | null = null;
    for (let i = 0; i < 1_200; i++) {
      const device = await rig.open();
      device.send(rig.connectPacket(other));
      const { returnCode } = await rig.connack(device);
      codes.push(returnCode!);
      if (returnCode === 0) last = device;
      else device.destroy();
    }
    const seconds = (performance.now() - from) / 1_000;
    const taken = codes.filter((c) => c === 0).length;
    expect(codes.filter((c) => c !== 0).every((c) => c === 3)).toBe(true);
    expect(taken).toBeGreaterThanOrEqual(12);
    expect(taken).toBeLessThanOrEqual(12 + 10 * seconds + 1);
    expect(last!.closed).toBe(false);
    expect(rig.gateway.stats().refused).toEqual({ deviceRate: 1_200 - taken });
    await expect
      .poll(
        async () => {
          const device = await rig.open();
          device.send(rig.connectPacket(other));
          return (await rig.connack(device)).returnCode;
        },
        { interval: 100 },
      )
      .toBe(0);
  });

  const event = (n: number): string => JSON.stringify({ id: `e${n}`, at: 1, kind: 'tamper' });
  /** Sends events, each after the PUBACK of the previous one, until the connection is closed; returns how many. */
  const flood = async (device: RawDevice, from: string): Promise<number> => {
    let stored = 0;
    const ended = device.ended().then(() => 'closed' as const);
    for (;;) {
      const id = (stored % 60_000) + 1;
      device.send(up(from, 'event', event(stored), id));
      const acknowledged = device.next('puback', (p) => p.messageId === id).then(() => 'stored' as const);
      acknowledged.catch(() => undefined);
      if ((await Promise.race([acknowledged, ended])) === 'closed') return stored;
      stored++;
    }
  };

  it('a device that sends more than its budget is closed, also when it comes again, and the others are not', async () => {
    await begin({ deviceMessagesPerSecond: 20, budgetBurstSeconds: 10 });
    const flooder = macOf(2);
    // Its hello is one of the 200.
    expect(await flood(await rig.device(flooder), flooder)).toBeGreaterThanOrEqual(199);
    await isHealthy();
    const again = await rig.open();
    again.send(rig.connectPacket(flooder));
    await again.next('connack', (p) => p.returnCode === 0);
    const began = performance.now();
    for (let i = 1; i <= 100; i++) again.send(up(flooder, 'hello', hello, i));
    await again.ended();
    const stored = rig.bus.stored.filter((r) => r.topic === linkReport.name && r.value?.includes(flooder)).length;
    expect(stored).toBeLessThan(200 + 20 * (2 + (performance.now() - began) / 1_000) + 40);
    expect(rig.gateway.stats().faults).toEqual({ deviceBudget: 2 });
    expect(rig.log.filter((l) => l.message.startsWith('device sends more')).map((l) => l.fields)).toEqual(
      Array.from({ length: 2 }, () => ({ mac: flooder, companyId: company, budget: 'deviceBudget' })),
    );
  });

  it('a device that sends more bytes than its budget is closed', async () => {
    await begin({ deviceMessagesPerSecond: 1_000, deviceBytesPerSecond: 10_000, budgetBurstSeconds: 10 });
    const device = await rig.device(macOf(2));
    const payload = JSON.stringify({ id: 'c', at: 1, record: { filler: 'x'.repeat(30_000) } });
    for (let i = 1; i <= 4; i++) device.send(up(macOf(2), 'call', payload, i));
    await device.ended();
    expect(rig.gateway.stats().faults).toEqual({ deviceBudget: 1 });
    await isHealthy();
  });

  it('with only the disk reserve left no device gets a PUBACK, and with room again all is stored', async () => {
    await begin();
    rig.bus.freeBytes = 49;
    await expect.poll(() => rig.gateway.stats().fullDisk, { timeout: 5_000 }).toBe('of the test');
    const stored = rig.bus.stored.length;
    for (let i = 1; i <= 5; i++) healthy.send(up(mac, 'event', event(i), 100 + i));
    healthy.send({ cmd: 'pingreq' });
    await healthy.next('pingresp');
    // What the bus refuses for long is split down to one message and given up; a full disk must not cause that.
    const heldFor = () => Date.now() - (rig.gateway.stats().storing.failingSince ?? Date.now());
    await expect.poll(heldFor, { timeout: 8_000 }).toBeGreaterThan(2_500);
    expect(healthy.packets.filter((p) => p.cmd === 'puback' && p.messageId! > 100)).toEqual([]);
    expect([rig.bus.stored.length, healthy.closed]).toEqual([stored, false]);
    expect(rig.log.filter((l) => l.message.startsWith('disk nearly full'))).toHaveLength(1);
    rig.bus.freeBytes = 51;
    await healthy.next('puback', (p) => p.messageId === 105);
    const events = rig.bus.sent(linkReport.name).filter((m) => m.type === 'event');
    expect(events.map((m) => (m.data.payload as { id: string }).id)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
  });

  it('a company over its budget has its devices closed, and another company is unaffected', async () => {
    await begin({ companyMessagesPerSecond: 20, budgetBurstSeconds: 5 });
    const other = '01920000-0000-7000-8000-00000000c0ff';
    const devices = [await rig.device(macOf(2), {}, {}, other), await rig.device(macOf(3), {}, {}, other)];
    const stored = await Promise.all(devices.map((device, i) => flood(device, macOf(2 + i))));
    expect(stored[0]! + stored[1]!).toBeGreaterThanOrEqual(98);
    expect(rig.gateway.stats().faults).toEqual({ companyBudget: 2 });
    await isHealthy();
  });
});
