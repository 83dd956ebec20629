import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { Rig, hello, macOf, state, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1),
  other = macOf(2);

describe('topics [DEV-09/topics]', () => {
  it.each([
    `d/${other}/state`,
    `d/${mac}/command`,
    `d/${mac}`,
    `d/${mac}/`,
    `d/${mac}/state/x`,
    `d/${mac}/State`,
    `d/${mac}/constructor`,
    `d/${mac}/__proto__`,
    `D/${mac}/state`,
    `/d/${mac}/state`,
    `d/${mac.toUpperCase()}/state`,
    `d/${mac}0/state`,
    `d/${mac}/../${other}/state`,
    '$SYS/broker',
    `$share/g/d/${mac}/state`,
    'x',
    `${'a/'.repeat(100)}b`,
  ])('a publish to %s closes the connection and reaches nobody', async (topic) => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const victim = await rig.device(other);
    const before = rig.bus.sent('link.report.v1').length;
    device.send(up(mac, 'state', state, 9, { topic }));
    await device.ended();
    await rig.bus.until(() => rig.bus.sent('link.session.v1').some((m) => m.type === 'offline'));
    expect(rig.bus.sent('link.report.v1')).toHaveLength(before);
    expect(victim.packets.filter((p) => p.cmd === 'publish')).toHaveLength(1);
    expect(device.packets.some((p) => p.cmd === 'puback' && p.messageId === 9)).toBe(false);
  });

  it('a subscription to anything but the own commands gets 0x80 and no messages', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const filters = [
      '#',
      '+/+/command',
      `d/${other}/command`,
      `d/+/command`,
      `d/${mac}/#`,
      `d/${mac}/+`,
      '$SYS/#',
      `$share/g/d/${mac}/command`,
      `d/${mac}/state`,
      `d/${mac}/command/`,
      `D/${mac}/command`,
    ];
    device.send({
      cmd: 'subscribe',
      messageId: 20,
      subscriptions: [...filters, `d/${mac}/command`].map((topic) => ({ topic, qos: 2 })),
    } as never);
    const answer = await device.next('suback', (p) => p.messageId === 20);
    expect(answer.granted).toEqual([...filters.map(() => 128), 1]);
    await rig.device(other);
    const id = await rig.command(other);
    device.send({ cmd: 'pingreq' });
    await device.next('pingresp');
    expect(device.packets.some((p) => p.cmd === 'publish' && p.payload.toString().includes(id))).toBe(false);
  });

  it('a thousand foreign filters in one SUBSCRIBE are refused one by one', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    device.send({
      cmd: 'subscribe',
      messageId: 21,
      subscriptions: Array.from({ length: 1_000 }, (_, i) => ({ topic: `x/${i}`, qos: 0 })),
    } as never);
    expect((await device.next('suback', (p) => p.messageId === 21)).granted).toEqual(
      Array.from({ length: 1_000 }, () => 128),
    );
  });

  it('stores and acknowledges what a library sends again before the hello, up to 256 messages', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac)).send(up(mac, 'state', state, 2));
    await device.next('puback', (p) => p.messageId === 2);
    expect(rig.bus.sent('link.report.v1')).toHaveLength(1);
    for (let n = 3; n <= 258; n++) device.send(up(mac, 'state', state, n));
    await device.ended();
    expect(rig.gateway.stats().faults).toEqual({ helloFirst: 1 });
    expect(rig.bus.sent('link.report.v1')).toHaveLength(256);
  });

  it('says which rule was broken when a device is refused', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac)).send({ ...up(mac, 'hello', hello, 2), qos: 2 } as never);
    await device.ended();
    await eventually(() =>
      expect(rig.bus.sent('link.session.v1').at(-1)).toMatchObject({ type: 'offline', data: { fault: 'qos2' } }),
    );
  });

  it('a hello that violates the device link closes the connection', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    for (const payload of [
      '',
      '{',
      '[]',
      'null',
      JSON.stringify({ ...hello, boot: 'whim' }),
      JSON.stringify({ ...hello, model: 'x'.repeat(200) }),
    ]) {
      const device = await rig.open();
      device.send(rig.connectPacket(mac)).send(up(mac, 'hello', payload, 2));
      await device.ended();
    }
    expect(rig.gateway.stats().faults).toEqual({ badHello: 6 });
  });

  it('the identity comes from the session; identities in the payload are dropped', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    device.send(up(mac, 'state', { ...state, mac: other, deviceId: 'forged', ownerEpoch: 99, companyId: 'forged' }, 5));
    await device.next('puback', (p) => p.messageId === 5);
    const message = rig.bus.sent('link.report.v1').at(-1)!;
    expect(message.data).toMatchObject({ mac, ownerEpoch: 1, payload: state });
    expect(JSON.stringify(message)).not.toContain('forged');
  });

  it('a retained flag and a will are accepted and ignored', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const device = await rig.open();
    device.send(
      rig.connectPacket(mac, { will: { topic: `d/${other}/state`, payload: Buffer.from('{}'), qos: 1, retain: true } }),
    );
    expect((await rig.connack(device)).returnCode).toBe(0);
    device.send(up(mac, 'hello', hello, 2, { retain: true }));
    await device.next('puback');
    device.destroy();
    await rig.bus.until(() => rig.bus.sent('link.session.v1').length === 2);
    expect(rig.bus.sent('link.report.v1').map((m) => m.data.mac)).toEqual([mac]);
  });
});
