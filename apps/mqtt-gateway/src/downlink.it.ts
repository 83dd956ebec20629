import { afterEach, describe, expect, it } from 'vitest';
import { MemoryClaimStore } from './claim/memory-claim-store.ts';
import type { RawDevice } from './testing/raw-device.ts';
import { Rig, hello, macOf, payloadOf, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);
const commands = (device: RawDevice) =>
  device.packets
    .filter((p) => p.cmd === 'publish')
    .map((p) => payloadOf(p))
    .filter((p) => p.action !== 'welcome');
const idOf = (id: string) => (p: { payload: string | Buffer }) => payloadOf(p).id === id;

describe('the way down', () => {
  it('waits for hello and subscription, then sends the clock first and the waiting commands in order', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    await rig.connack(device);
    const ids = [await rig.command(mac), await rig.command(mac)];
    device.send(up(mac, 'hello', hello, 1));
    await device.next('puback');
    expect(device.packets.filter((p) => p.cmd === 'publish')).toEqual([]);
    device.send({ cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: `d/${mac}/command`, qos: 1 }] } as never);
    await device.next('publish', idOf(ids[1]!));
    const actions = device.packets.filter((p) => p.cmd === 'publish').map((p) => payloadOf(p));
    expect(actions.map((a) => a.action)).toEqual(['welcome', 'reboot', 'reboot']);
    expect(actions.slice(1).map((a) => a.id)).toEqual(ids);
  });

  it('answers each hello of a connection with the current clock', async () => {
    let now = 1_790_000_000_000;
    rig = await Rig.start({}, { clock: { now: () => now } });
    rig.bus.confirmed = () => now;
    const device = await rig.device(mac);
    now += 5_000;
    device.send(up(mac, 'hello', hello, 2));
    await device.next('publish', (p) => payloadOf(p).now === now);
    expect(device.packets.filter((p) => p.cmd === 'publish').map((p) => payloadOf(p).now)).toEqual([
      1_790_000_000_000,
      now,
    ]);
  });

  it('keeps the order and at most the window unacknowledged', async () => {
    rig = await Rig.start({ outboundMessages: 3 });
    const device = await rig.device(mac);
    device.send({ cmd: 'puback', messageId: (await device.next('publish')).messageId! });
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(await rig.command(mac));
    await device.next('publish', idOf(ids[2]!));
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(commands(device)).toHaveLength(3);
    for (const [i, id] of ids.entries()) {
      const packet = await device.next('publish', idOf(id));
      expect(packet).toMatchObject({ qos: 1, dup: false, retain: false });
      device.send({ cmd: 'puback', messageId: packet.messageId! });
      if (ids[i + 3] !== undefined) await device.next('publish', idOf(ids[i + 3]!));
      expect(commands(device).length).toBe(Math.min(ids.length, i + 4));
    }
    expect(commands(device).map((c) => c.id)).toEqual(ids);
  });

  it('uses QoS 0 without a window for a device that asked for QoS 0', async () => {
    rig = await Rig.start({ outboundMessages: 1 });
    await rig.know(mac);
    const device = await rig.open();
    device
      .send(rig.connectPacket(mac))
      .send({ cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: `d/${mac}/command`, qos: 0 }] } as never)
      .send(up(mac, 'hello', hello, 1));
    await device.next('puback');
    const ids = [await rig.command(mac), await rig.command(mac), await rig.command(mac)];
    await device.next('publish', idOf(ids[2]!));
    expect(device.packets.filter((p) => p.cmd === 'publish').every((p) => p.qos === 0)).toBe(true);
  });

  it('writes no command after its end', async () => {
    let now = 1_790_000_000_000;
    rig = await Rig.start({ outboundMessages: 1 }, { clock: { now: () => now } });
    rig.bus.confirmed = () => now;
    const device = await rig.device(mac);
    const welcome = await device.next('publish');
    const late = await rig.command(mac, 'reboot', { expiresAt: now + 1_000 });
    const good = await rig.command(mac, 'reboot', { expiresAt: now + 60_000 });
    now += 1_001;
    device.send({ cmd: 'puback', messageId: welcome.messageId! });
    await device.next('publish', idOf(good));
    expect(commands(device).map((c) => c.id)).toEqual([good]);
    expect(commands(device)[0]!.now).toBe(now);
    expect(rig.gateway.stats().dropped).toEqual({ expired: 1 });
    expect(late).not.toBe(good);
  });

  it('keeps a door command no longer than 10 s, whatever its own end', async () => {
    let now = Date.now();
    rig = await Rig.start({ outboundMessages: 1 }, { clock: { now: () => now } });
    rig.bus.confirmed = () => now;
    const device = await rig.device(mac);
    const welcome = await device.next('publish');
    await rig.command(mac, 'doorControl', { args: { door: 1, command: 'open' }, expiresAt: now + 600_000 });
    const after = await rig.command(mac, 'reboot', { expiresAt: now + 600_000 });
    now += 10_500;
    device.send({ cmd: 'puback', messageId: welcome.messageId! });
    await device.next('publish', idOf(after));
    expect(commands(device).map((c) => c.action)).toEqual(['reboot']);
  });

  it("moves no door while its clock is behind the store's by more than 2 s", async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    rig.bus.clockAhead = 2_500;
    await rig.command(mac, 'doorControl', { args: { door: 1, command: 'open' }, expiresAt: Date.now() + 60_000 });
    const after = await rig.command(mac);
    await device.next('publish', idOf(after));
    expect(commands(device).map((c) => c.action)).toEqual(['reboot']);
    expect(rig.gateway.stats().dropped).toEqual({ clock: 1 });
  });

  it('F19: a door command that the bus gives twice is written once, in whichever way it is written down', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const args = { door: 1, command: 'open' };
    const expiresAt = Date.now() + 9_000;
    const id = await rig.command(mac, 'doorControl', { args, expiresAt });
    const record = rig.bus.stored.findLast((r) => r.topic === 'link.command.v1')!;
    await rig.bus.publish([record, record]);
    // With its fields in another order it is parsed differently.
    const turned = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(record.value!) as object).toReversed()));
    await rig.bus.publish([{ ...record, value: turned }]);
    const other = await rig.command(mac, 'doorControl', { args: { door: 2, command: 'open' }, expiresAt });
    await device.next('publish', idOf(other));
    expect(commands(device).map((c) => c.id)).toEqual([id, other]);
    expect(rig.gateway.stats().dropped).toEqual({ repeated: 3 });
  });

  it('moves no door while its claim is unconfirmed, and does again afterwards', async () => {
    class Claims extends MemoryClaimStore {
      isConfirmed = true;
      override confirmed(): boolean {
        return this.isConfirmed;
      }
    }
    const claims = new Claims(Date);
    rig = await Rig.start({}, { claims });
    const device = await rig.device(mac);
    const door = () =>
      rig.command(mac, 'doorControl', { args: { door: 1, command: 'open' }, expiresAt: Date.now() + 9_000 });
    claims.isConfirmed = false;
    await door();
    const reboot = await rig.command(mac);
    claims.isConfirmed = true;
    const good = await door();
    await device.next('publish', idOf(good));
    expect(commands(device).map((c) => c.id)).toEqual([reboot, good]);
    expect(rig.gateway.stats().dropped).toEqual({ clock: 1 });
  });

  it('closes a device above the byte limit instead of waiting for it, and others go on', async () => {
    rig = await Rig.start({ outboundBytes: 100_000 });
    const frozen = await rig.device(mac);
    const healthy = await rig.device(macOf(2));
    frozen.socket.pause();
    const args = { filler: 'x'.repeat(20_000) };
    for (let i = 0; i < 8; i++) await rig.command(mac, 'configUpdate', { args });
    await rig.bus.until(() => rig.bus.sent('link.session.v1').some((m) => m.type === 'offline'));
    expect(rig.bus.sent('link.session.v1').at(-1)).toMatchObject({ data: { mac, reason: 'refused' } });
    expect(rig.gateway.stats()).toMatchObject({ frozen: 1, devices: 1 });
    await healthy.next('publish', idOf(await rig.command(macOf(2))));
  });

  it('closes a device that keeps pinging but never reads', async () => {
    rig = await Rig.start({ outboundBytes: 20_000 });
    const frozen = await rig.device(mac);
    const healthy = await rig.device(macOf(2));
    frozen.socket.pause();
    const flood = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? 0xc0 : 0)));
    const pump = (): void => {
      while (!frozen.closed && frozen.socket.write(flood));
    };
    frozen.socket.on('drain', pump);
    pump();
    await rig.bus.until(() => rig.bus.sent('link.session.v1').some((m) => m.type === 'offline'));
    healthy.send({ cmd: 'pingreq' });
    await healthy.next('pingresp');
    expect(rig.gateway.stats().frozen).toBe(1);
  });

  it('withdraws commands that were not written, and no others', async () => {
    rig = await Rig.start({ outboundMessages: 2 });
    const device = await rig.device(mac);
    const welcome = await device.next('publish');
    const ids = [await rig.command(mac), await rig.command(mac), await rig.command(mac)];
    await device.next('publish', idOf(ids[0]!));
    await rig.say(mac, 'withdraw', { ids: [ids[0], ids[1]] });
    device.send({ cmd: 'puback', messageId: welcome.messageId! });
    await device.next('publish', idOf(ids[2]!));
    expect(commands(device).map((c) => c.id)).toEqual([ids[0], ids[2]]);
  });

  it('drops commands of an earlier owner or era, for another device, or for one that is not here', async () => {
    rig = await Rig.start({ era: 2 });
    const device = await rig.device(mac);
    await rig.command(mac, 'reboot', { ownerEpoch: 0 }, { era: '2' });
    await rig.command(mac, 'reboot', {}, { era: '1' });
    await rig.command(mac, 'reboot', { deviceId: '01920000-0000-7000-9000-000000000000' }, { era: '2' });
    await rig.command(macOf(9), 'reboot', {}, { era: '2' });
    const good = await rig.command(mac, 'reboot', {}, { era: '2' });
    await device.next('publish', idOf(good));
    expect(commands(device).map((c) => c.id)).toEqual([good]);
    expect(rig.gateway.stats().dropped).toEqual({ owner: 1, era: 1, notConnected: 2 });
  });

  it('does not reach a device that unsubscribed, until it subscribes again', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    device.send({ cmd: 'unsubscribe', messageId: 5, unsubscriptions: [`d/${mac}/command`] } as never);
    await device.next('unsuback');
    const id = await rig.command(mac);
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(commands(device)).toEqual([]);
    device.send({ cmd: 'subscribe', messageId: 6, subscriptions: [{ topic: `d/${mac}/command`, qos: 1 }] } as never);
    await device.next('publish', idOf(id));
  });

  it('sends the same command for any field order and escaping, and none for invalid arguments', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const args = { name: 'Zoë 京 "quoted" {,}', steps: [{ expiresAt: 1, id: 'x' }] };
    const expiresAt = Date.now() + 50_000;
    const writings: ((data: object) => string)[] = [
      JSON.stringify,
      (data) => JSON.stringify(Object.fromEntries(Object.entries(data).toReversed())),
      (data) => JSON.stringify(data, null, 1),
      (data) =>
        JSON.stringify(data).replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ];
    const ids: string[] = [];
    for (const write of writings) ids.push(await rig.command(mac, 'configUpdate', { args, expiresAt }, {}, write));
    for (const broken of ['{"a":}', '{}}', '{}{', '[', 'null,'])
      await rig.command(mac, 'reboot', {}, {}, (data) => JSON.stringify(data).replace('"args":{}', `"args":${broken}`));
    const last = await rig.command(mac);
    await device.next('publish', idOf(last));
    const heard = commands(device).map(({ now, trace, ...rest }) => ({
      ...rest,
      now: typeof now,
      trace: typeof trace,
    }));
    expect(heard).toEqual([
      ...ids.map((id) => ({ id, action: 'configUpdate', args, expiresAt, now: 'number', trace: 'string' })),
      { id: last, action: 'reboot', args: {}, expiresAt: expect.any(Number), now: 'number', trace: 'string' },
    ]);
    expect(rig.gateway.stats().dropped).toEqual({ unreadable: 5 });
  });
});
