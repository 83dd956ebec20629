import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { Rig, deviceIdOf, hello, macOf, org, secretOf, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

describe('a CONNECT [DEV-09/secret]', () => {
  const refusals: [string, Record<string, unknown>, number][] = [
    ['with a wrong secret', { password: Buffer.from('guessed') }, 4],
    ['with an empty secret', { password: Buffer.alloc(0) }, 4],
    ['without a password', { password: undefined }, 4],
    ['without user name and password', { username: undefined, password: undefined }, 4],
    ['with another user name than its client id', { username: macOf(2) }, 4],
    ['with the secret of another device', { password: Buffer.from(secretOf(macOf(2))) }, 4],
    ['as another device with its own secret', { clientId: macOf(2), username: macOf(2) }, 4],
    ['of a MAC nobody added', { clientId: macOf(3), username: macOf(3) }, 4],
    ['with a MAC in capitals', { clientId: mac.toUpperCase(), username: mac.toUpperCase() }, 4],
    ['with a MAC with colons', { clientId: '00:a8:59:00:00:01', username: '00:a8:59:00:00:01' }, 4],
    ['with a client id that is no MAC', { clientId: 'x', username: 'x' }, 4],
    ['with an empty client id', { clientId: '' }, 2],
    ['with MQTT 5', { protocolVersion: 5 }, 1],
    ['with MQTT 3.1', { protocolVersion: 3, protocolId: 'MQIsdp' }, 1],
  ];
  it.each(refusals)('%s is refused', async (_, more, code) => {
    rig = await Rig.start();
    await rig.know(mac);
    await rig.know(macOf(2));
    const device = await rig.open();
    device.send(rig.connectPacket(mac, more));
    expect((await rig.connack(device)).returnCode).toBe(code);
    await device.ended();
    expect(rig.gateway.stats()).toMatchObject({ connections: 0, devices: 0, halfOpen: 0, accepted: 0 });
    expect(rig.bus.sent('link.session.v1')).toEqual([]);
  });

  it('is accepted with the secret, and during a renewal also with the previous one', async () => {
    rig = await Rig.start();
    await rig.know(mac, { secretHash: sha256('new'), previousHash: sha256(secretOf(mac)) });
    for (const password of ['new', secretOf(mac)]) {
      const device = await rig.open();
      device.send(rig.connectPacket(mac, { password: Buffer.from(password) }));
      expect(await rig.connack(device)).toMatchObject({ returnCode: 0, sessionPresent: false });
    }
    await rig.know(mac, { secretHash: sha256('new'), previousHash: null });
    const device = await rig.open();
    device.send(rig.connectPacket(mac, { password: Buffer.from('new') }));
    await rig.connack(device);
    // Only a device that used the new secret while the old one works is reported, because the old one must end now.
    const online = () => rig.bus.sent('link.session.v1').filter((m) => m.type === 'online');
    await rig.bus.until(() => online().length === 3);
    expect(online().map((m) => m.data.secretHash)).toEqual([sha256('new'), undefined, undefined]);
  });

  it('gets code 5 for a disabled device, but only with the right secret', async () => {
    rig = await Rig.start();
    await rig.know(mac, { enabled: false });
    const right = await rig.open();
    right.send(rig.connectPacket(mac));
    expect((await rig.connack(right)).returnCode).toBe(5);
    const wrong = await rig.open();
    wrong.send(rig.connectPacket(mac, { password: Buffer.from('guessed') }));
    expect((await rig.connack(wrong)).returnCode).toBe(4);
  });

  it.each([
    ['a device that is added a moment later', {}],
    ['a secret that is stored a moment later', { secretHash: sha256('older') }],
  ])('with %s is accepted', async (_, before) => {
    rig = await Rig.start({ credentialWaitMs: 60_000 });
    if (Object.keys(before).length > 0) await rig.know(mac, before);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    await expect.poll(() => rig.gateway.stats()).toMatchObject({ connections: 1, halfOpen: 0, devices: 0 });
    await rig.know(mac);
    expect((await rig.connack(device)).returnCode).toBe(0);
  });

  it('of an unknown device waits as long for a credential as one with a wrong secret', async () => {
    rig = await Rig.start({ credentialWaitMs: 60_000 });
    await rig.know(mac);
    for (const id of [mac, macOf(3)]) {
      const device = await rig.open();
      device.send(rig.connectPacket(id, { password: Buffer.from('guessed') }));
    }
    await expect.poll(() => rig.gateway.stats()).toMatchObject({ connections: 2, halfOpen: 0, refused: {} });
  });

  it('with clean=0 gets a clean session, whatever there was before', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    for (let i = 0; i < 2; i++) {
      const device = await rig.open();
      device.send(rig.connectPacket(mac, { clean: false }));
      expect(await rig.connack(device)).toMatchObject({ returnCode: 0, sessionPresent: false });
      device.send({ cmd: 'disconnect' });
      await device.ended();
    }
  });

  it('above the rate must come back later, and may do so a second later', async () => {
    rig = await Rig.start({ connectsPerSecond: 1, connectBurst: 1 });
    await rig.know(mac);
    await rig.know(macOf(2));
    const codes: number[] = [];
    for (const m of [mac, macOf(2)]) {
      const device = await rig.open();
      device.send(rig.connectPacket(m));
      codes.push((await rig.connack(device)).returnCode ?? -1);
    }
    expect(codes).toEqual([0, 3]);
    expect(rig.gateway.stats().refused).toEqual({ rate: 1 });
    await expect
      .poll(
        async () => {
          const device = await rig.open();
          device.send(rig.connectPacket(macOf(2)));
          return (await rig.connack(device)).returnCode;
        },
        { timeout: 5_000, interval: 200 },
      )
      .toBe(0);
  });

  it('must come back later while the copy of the credentials is outdated', async () => {
    rig = await Rig.start({ credentialStaleSeconds: 60 });
    await rig.know(mac);
    rig.bus.confirmed = () => Date.now() - 61_000;
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    expect((await rig.connack(device)).returnCode).toBe(3);
  });

  it('may arrive together with the packets after it, in any cut of the bytes', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const { generate } = await import('mqtt-packet');
    const bytes = Buffer.concat([
      generate(rig.connectPacket(mac)),
      generate({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: `d/${mac}/command`, qos: 1 }] } as never),
      generate(up(mac, 'hello', hello, 5)),
      generate({ cmd: 'pingreq' }),
    ]);
    for (const cut of [1, 2, 3, 7, 64, bytes.length]) {
      const device = await rig.open();
      for (let at = 0; at < bytes.length; at += cut) {
        device.send(bytes.subarray(at, at + cut));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await device.next('puback', (p) => p.messageId === 5);
      await device.next('pingresp');
      expect(device.packets.map((p) => p.cmd).slice(0, 2)).toEqual(['connack', 'suback']);
    }
  });
});

describe('a connection whose credential changes', () => {
  it.each([
    ['removed', () => rig.forget(mac)],
    ['disabled', () => rig.know(mac, { enabled: false })],
    ['given another secret', () => rig.know(mac, { secretHash: sha256('other') })],
    ['moved to another owner', () => rig.know(mac, { ownerEpoch: 2 })],
    ['moved to another MAC', () => rig.know(mac, { mac: macOf(9) })],
    ['told to close by the platform', () => rig.say(mac, 'close')],
  ])('is closed when its device is %s', async (_, change) => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const other = await rig.device(macOf(2));
    await change();
    await device.ended();
    await rig.bus.until(() => rig.bus.sent('link.session.v1').some((m) => m.type === 'offline'));
    expect(rig.bus.sent('link.session.v1').at(-1)).toMatchObject({
      type: 'offline',
      key: deviceIdOf(mac),
      data: { reason: 'refused' },
    });
    expect(other.closed).toBe(false);
  });

  it('stays open while its secret is the previous one', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    await rig.know(mac, { secretHash: sha256('new'), previousHash: sha256(secretOf(mac)), orgId: org });
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(device.closed).toBe(false);
    await rig.know(mac, { secretHash: sha256('new'), previousHash: null });
    await device.ended();
  });
});

describe('the gateway process', () => {
  it('publishes its start before it accepts connections, and is ready once all credentials are read', async () => {
    rig = new Rig();
    await rig.know(mac);
    let open!: () => void;
    const read = new Promise<void>((resolve) => (open = resolve));
    const fanout = rig.bus.fanout.bind(rig.bus);
    rig.bus.fanout = async (options) => ({
      ...(await fanout(options)),
      caughtUp: options.from === 'start' ? read : Promise.resolve(),
    });
    const started = rig.gateway.start();
    await rig.bus.until(() => rig.bus.sent('link.gateway.v1').length === 1);
    expect(rig.gateway.stats().ready).toBe(false);
    expect(() => rig.port).toThrow();
    open();
    await started;
    expect(rig.gateway.stats()).toMatchObject({ ready: true, credentials: 1 });
    expect(rig.bus.sent('link.gateway.v1')).toMatchObject([
      { type: 'started', key: 'mqtt-gateway', data: { name: 'mqtt-gateway', gateway: rig.gateway.id } },
    ]);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    expect((await rig.connack(device)).returnCode).toBe(0);
  });

  it('continues when a credential message is invalid, and logs that without its content', async () => {
    rig = await Rig.start();
    await rig.bus.publish([
      { topic: 'device.credential.v1', key: 'x', headers: { companyId: 'c' }, value: '{"secretHash":"very secret"' },
    ]);
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    expect((await rig.connack(device)).returnCode).toBe(0);
    expect(rig.log.filter((l) => l.level === 'error')).toHaveLength(1);
    expect(JSON.stringify(rig.log)).not.toContain('very secret');
  });
});
