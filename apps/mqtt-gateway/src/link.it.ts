import { linkReport, linkResult, linkSession } from '@carillon/contracts';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { Rig, company, deviceIdOf, hello, macOf, org, secretOf, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);

describe('a device and the gateway', () => {
  it('exchange hello, a command and its answer, with a stock MQTT library', async () => {
    rig = await Rig.start();
    await rig.know(mac);
    const client = await connectAsync({
      host: '127.0.0.1',
      port: rig.port,
      clientId: mac,
      username: mac,
      password: secretOf(mac),
      protocolVersion: 4,
      keepalive: 60,
      reconnectPeriod: 0,
    });
    const commands: Record<string, unknown>[] = [];
    const second = new Promise<void>((resolve) =>
      client.on('message', (_, payload) => {
        commands.push(JSON.parse(payload.toString()) as Record<string, unknown>);
        if (commands.length === 2) resolve();
      }),
    );
    await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
    await client.publishAsync(`d/${mac}/hello`, JSON.stringify(hello), { qos: 1 });
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const id = await rig.command(mac, 'reboot', { args: { whenIdle: true } }, { traceparent: trace });
    await second;
    expect(commands[0]).toMatchObject({ action: 'welcome', args: {} });
    expect(commands[1]).toMatchObject({ id, action: 'reboot', args: { whenIdle: true }, trace });
    expect(Math.abs(Number(commands[1]!.now) - Date.now())).toBeLessThan(5_000);
    await client.publishAsync(`d/${mac}/result`, JSON.stringify({ id, status: 'accepted', at: 1, trace }), { qos: 1 });
    await client.endAsync();
    await rig.bus.until(() => rig.bus.sent(linkSession.name).length === 2);

    const identity = { deviceId: deviceIdOf(mac), mac, ownerEpoch: 1 };
    const [online, offline] = rig.bus.sent(linkSession.name);
    expect(online).toMatchObject({
      type: 'online',
      key: deviceIdOf(mac),
      data: { ...identity, gateway: rig.gateway.id, address: '127.0.0.1' },
    });
    expect(online!.headers).toMatchObject({ companyId: company, orgId: org, era: '1' });
    expect(offline).toMatchObject({
      type: 'offline',
      data: { ...identity, epoch: online!.data.epoch, reason: 'closed' },
    });
    expect(rig.bus.sent(linkReport.name)).toMatchObject([
      { type: 'hello', data: { ...identity, epoch: online!.data.epoch, payload: hello, address: '127.0.0.1' } },
    ]);
    const [back, result] = rig.bus.sent(linkResult.name);
    expect(result).toMatchObject({
      type: 'result',
      headers: { traceparent: trace },
      data: { ...identity, payload: { id, status: 'accepted' } },
    });
    for (const [topic, message] of [
      [linkSession, online],
      [linkSession, offline],
      [linkReport, rig.bus.sent(linkReport.name)[0]],
      [linkResult, back],
      [linkResult, result],
    ] as const) {
      expect(
        (topic.events as Record<string, { safeParse(v: unknown): { error?: unknown } }>)[message!.type]!.safeParse(
          message!.data,
        ).error,
      ).toBeUndefined();
    }
  });

  it('a restart is stored before everything after its hello, and before the hello is acknowledged', async () => {
    rig = await Rig.start({ uplinkBatch: 1 });
    await rig.know(mac);
    const device = await rig.open();
    device.send(rig.connectPacket(mac));
    await rig.connack(device);
    const upgraded = { ...hello, boot: 'upgrade', firmware: '2.4.10' };
    const result = { id: deviceIdOf(mac), status: 'success', at: 1 };
    rig.bus.hold = true;
    device
      .send(up(mac, 'hello', upgraded, 1))
      .send(up(mac, 'result', result, 2))
      .send({ cmd: 'pingreq' });
    await device.next('pingresp');
    const order = () =>
      rig.bus.stored.map(({ headers }) => headers.type).filter((type) => /back|hello|result/.test(type!));
    const acknowledged = () => device.packets.flatMap((p) => (p.cmd === 'puback' ? [p.messageId] : []));
    // One record per batch: after each one the next is held.
    for (const stored of [['back'], ['back', 'hello'], ['back', 'hello', 'result']]) {
      expect(acknowledged()).not.toContain(stored.length - 1);
      await rig.bus.until(() => rig.bus.held > 0);
      while (order().length < stored.length) {
        await rig.bus.until(() => rig.bus.held > 0);
        rig.bus.storeNow();
      }
      expect(order()).toEqual(stored);
    }
    await device.next('puback', (p) => p.messageId === 2);
    expect(acknowledged()).toEqual([1, 2]);
    const [back] = rig.bus.sent(linkResult.name);
    const session = rig.bus.sent(linkReport.name)[0]!.data;
    expect(back).toMatchObject({
      type: 'back',
      key: deviceIdOf(mac),
      data: {
        deviceId: deviceIdOf(mac),
        mac,
        ownerEpoch: 1,
        epoch: session.epoch,
        boot: 'upgrade',
        firmware: '2.4.10',
      },
    });
    expect(back!.headers).toMatchObject({ companyId: company, orgId: org });
  });

  it('a device is reported back once per start, not for a new connection or a repeated hello', async () => {
    rig = await Rig.start();
    const backs = () =>
      rig.bus
        .sent(linkResult.name)
        .filter(({ type }) => type === 'back')
        .map(({ data }) => data.boot);
    const said = async (boot: string, times: number) => {
      const device = await rig.open();
      device.send(rig.connectPacket(mac));
      await rig.connack(device);
      for (let n = 1; n <= times; n++) device.send(up(mac, 'hello', { ...hello, boot }, n));
      await device.next('puback', (p) => p.messageId === times);
      device.destroy();
    };
    await rig.know(mac);
    await said('power', 2);
    await said('reconnect', 2);
    expect(backs()).toEqual(['power']);
    await said('reboot', 1);
    await said('reset', 1);
    await said('upgrade', 1);
    expect(backs()).toEqual(['power', 'reboot', 'reset', 'upgrade']);
    expect(rig.bus.sent(linkReport.name).filter(({ type }) => type === 'hello')).toHaveLength(7);
  });

  it('a message is acknowledged once it is stored, not earlier [GW-02/acknowledgement]', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    rig.bus.hold = true;
    device.send(up(mac, 'state', { at: 1, calls: 1 }, 7)).send({ cmd: 'pingreq' });
    await rig.bus.until(() => rig.bus.held === 1);
    await device.next('pingresp');
    expect(device.packets.some((p) => p.cmd === 'puback' && p.messageId === 7)).toBe(false);
    rig.bus.storeNow();
    await device.next('puback', (p) => p.messageId === 7);
    expect(rig.bus.sent(linkReport.name).at(-1)).toMatchObject({ type: 'state', data: { payload: { calls: 1 } } });
  });
});
