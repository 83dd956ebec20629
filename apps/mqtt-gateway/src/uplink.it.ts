import { afterEach, describe, expect, it } from 'vitest';
import { Rig, macOf, state, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);
const acks = (device: { packets: { cmd: string }[] }): number[] =>
  device.packets.filter((p) => p.cmd === 'puback').map((p) => (p as { messageId?: number }).messageId!);
const callsOf = (r: Rig, m = mac): unknown[] =>
  r.bus
    .sent('link.report.v1')
    .filter((x) => x.data.mac === m && x.type === 'state')
    .map((x) => (x.data.payload as { calls: number }).calls);

describe('the way up', () => {
  it('keeps the order of each device, in storage and in acknowledgements, over many batches', async () => {
    rig = await Rig.start({ uplinkBatch: 3 });
    const devices = await Promise.all([1, 2, 3].map((n) => rig.device(macOf(n))));
    for (let i = 2; i <= 200; i++)
      for (const [n, device] of devices.entries()) device.send(up(macOf(n + 1), 'state', { at: 1, calls: i }, i));
    await Promise.all(devices.map((d) => d.next('puback', (p) => p.messageId === 200)));
    const sent = Array.from({ length: 199 }, (_, i) => i + 2);
    for (const [n, device] of devices.entries()) {
      expect(acks(device)).toEqual([1, ...sent]);
      expect(callsOf(rig, macOf(n + 1))).toEqual(sent);
    }
  });

  it('acknowledges an invalid payload in its place and stores nothing of it', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const bad = [
      '{',
      '"text"',
      JSON.stringify({ ...state, calls: -1 }),
      JSON.stringify({ calls: 1 }),
      Buffer.from([0x7b, 0xff, 0x7d]),
      JSON.stringify({ at: 9e15 }),
    ];
    rig.bus.hold = true;
    device.send(up(mac, 'state', state, 2));
    for (const [i, payload] of bad.entries())
      device.send(up(mac, 'state', payload, 3 + i, Buffer.isBuffer(payload) ? { payload } : {}));
    device.send(up(mac, 'state', { at: 1, calls: 7 }, 20)).send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(acks(device)).toEqual([1]);
    rig.bus.hold = false;
    rig.bus.storeNow();
    await device.next('puback', (p) => p.messageId === 20);
    expect(acks(device)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 20]);
    expect(callsOf(rig)).toEqual([0, 7]);
    expect(rig.gateway.stats().invalid).toBe(6);
    expect(rig.log.filter((l) => l.level === 'warn')).toHaveLength(1);
  });

  it('treats QoS 0 like QoS 1, without an answer', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    device.send(up(mac, 'state', { at: 1, calls: 3 }, 0, { qos: 0 })).send(up(mac, 'state', { at: 1, calls: 4 }, 9));
    await device.next('puback', (p) => p.messageId === 9);
    expect(acks(device)).toEqual([1, 9]);
    expect(callsOf(rig)).toEqual([3, 4]);
  });

  it('passes on at most the window of one device, and answers its pings meanwhile', async () => {
    rig = await Rig.start({ inboundMessages: 4 });
    const device = await rig.device(mac);
    const other = await rig.device(macOf(2));
    rig.bus.hold = true;
    for (let i = 2; i <= 40; i++) device.send(up(mac, 'state', { at: 1, calls: i }, i));
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(rig.gateway.stats().storing.messages).toBe(4);
    expect(rig.gateway.stats().storing.held).toBeGreaterThan(35 * 40);
    rig.bus.hold = false;
    rig.bus.storeNow();
    await device.next('puback', (p) => p.messageId === 40);
    expect(callsOf(rig)).toEqual(Array.from({ length: 39 }, (_, i) => i + 2));
    expect(rig.gateway.stats().storing).toMatchObject({ messages: 0, bytes: 0, held: 0 });
    expect(other.closed).toBe(false);
  });

  it('stops reading a device that holds back too much, and loses nothing of it', async () => {
    rig = await Rig.start({ inboundMessages: 2, heldBytes: 2_000 });
    const device = await rig.device(mac);
    rig.bus.hold = true;
    const payload = (i: number) => ({
      at: 1,
      calls: i,
      ip: 'x'.repeat(50),
      lines: Array.from({ length: 60 }, () => state.lines[0]),
    });
    const n = 2_000;
    for (let i = 2; i <= n; i++) device.send(up(mac, 'state', payload(i), i));
    await expect.poll(() => rig.gateway.stats().storing.held).toBeGreaterThan(2_000);
    const held = rig.gateway.stats().storing.held;
    expect(held).toBeLessThan(2_000 + 2 * 64 * 1024);
    device.send({ cmd: 'pingreq' });
    const other = rig.device(macOf(2));
    await rig.bus.until(() => rig.bus.held > 0);
    rig.bus.hold = false;
    rig.bus.storeNow();
    await other;
    await device.next('puback', (p) => p.messageId === n);
    await device.next('pingresp');
    expect(callsOf(rig)).toEqual(Array.from({ length: n - 1 }, (_, i) => i + 2));
  });

  it('gives each device a window of one and accepts no new ones while the process holds too much', async () => {
    rig = await Rig.start({ uplinkBytes: 3_000 });
    await rig.know(macOf(3));
    const device = await rig.device(mac);
    rig.bus.hold = true;
    for (let i = 2; i <= 30; i++) device.send(up(mac, 'state', { at: 1, calls: i }, i));
    await expect
      .poll(() => rig.gateway.stats().storing.bytes + rig.gateway.stats().storing.held)
      .toBeGreaterThan(3_000);
    const late = await rig.open();
    late.send(rig.connectPacket(macOf(3)));
    expect((await rig.connack(late)).returnCode).toBe(3);
    rig.bus.hold = false;
    rig.bus.storeNow();
    await device.next('puback', (p) => p.messageId === 30);
    expect(callsOf(rig)).toEqual(Array.from({ length: 29 }, (_, i) => i + 2));
  });

  it('waits while the bus is away, keeps the order, and acknowledges when it is back', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    rig.bus.failing = true;
    const from = rig.bus.attempts;
    for (let i = 2; i <= 10; i++) device.send(up(mac, 'state', { at: 1, calls: i }, i));
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    await rig.bus.until(() => rig.bus.attempts >= from + 3);
    expect(acks(device)).toEqual([1]);
    expect(rig.gateway.stats().storing.failingSince).not.toBeNull();
    rig.bus.failing = false;
    await device.next('puback', (p) => p.messageId === 10);
    expect(acks(device)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(callsOf(rig)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rig.gateway.stats().storing.failingSince).toBeNull();
  });

  it('refuses the one message that a healthy bus does not accept, and stores all others in order', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const poisonous = await rig.device(macOf(2));
    const publish = rig.bus.publish.bind(rig.bus);
    rig.bus.publish = (records) =>
      records.some((r) => r.value?.includes('poison')) ? Promise.reject(new Error('too large')) : publish(records);
    for (let i = 2; i <= 6; i++) {
      device.send(up(mac, 'state', { at: 1, calls: i }, i));
      poisonous.send(up(macOf(2), 'state', { at: 1, calls: i, ...(i === 4 ? { ip: 'poison' } : {}) }, i));
    }
    await poisonous.ended();
    await device.next('puback', (p) => p.messageId === 6);
    expect(callsOf(rig)).toEqual([2, 3, 4, 5, 6]);
    expect(callsOf(rig, macOf(2))).toEqual([2, 3, 5, 6]);
    expect(acks(poisonous)).toEqual([1, 2, 3]);
    await rig.bus.until(() => rig.bus.sent('link.session.v1').some((m) => m.type === 'offline'));
    expect(rig.gateway.stats()).toMatchObject({ devices: 1, faults: { unstorable: 1 } });
  });

  it('closes a device that it could not read before its keep-alive ends', async () => {
    rig = await Rig.start({ inboundMessages: 1, heldBytes: 1 });
    const device = await rig.device(mac, { keepalive: 4 });
    rig.bus.hold = true;
    const from = performance.now();
    for (let i = 2; i <= 5; i++) device.send(up(mac, 'state', state, i));
    await device.ended();
    expect(performance.now() - from).toBeLessThan(6_000);
    expect(performance.now() - from).toBeGreaterThan(1_000);
  });

  it('puts the trace of a message into its envelope, or a new one when there is none', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const trace = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    device
      .send(up(mac, 'state', { ...state, trace }, 2))
      .send(up(mac, 'state', state, 3))
      .send(up(mac, 'state', { ...state, trace: 'nonsense' }, 4));
    await device.next('puback', (p) => p.messageId === 4);
    const [, given, none, bad] = rig.bus.sent('link.report.v1').map((m) => m.headers.traceparent);
    expect(given).toBe(trace);
    for (const made of [none, bad]) expect(made).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(none).not.toBe(bad);
  });
});
