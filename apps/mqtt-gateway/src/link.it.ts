import { linkReport, linkResult, linkSession } from '@carillon/contracts';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { Rig, company, deviceIdOf, hello, macOf, org, secretOf, up } from './testing/rig.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);

describe('a device and the gateway', () => {
  it('says hello, gets a command and answers it, with a stock MQTT library', async () => {
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
    await rig.bus.until(() => rig.bus.of(linkSession.name).length === 2);

    const identity = { deviceId: deviceIdOf(mac), mac, ownerEpoch: 1 };
    const [online, offline] = rig.bus.of(linkSession.name);
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
    expect(rig.bus.of(linkReport.name)).toMatchObject([
      { type: 'hello', data: { ...identity, epoch: online!.data.epoch, payload: hello, address: '127.0.0.1' } },
    ]);
    const [result] = rig.bus.of(linkResult.name);
    expect(result).toMatchObject({
      type: 'result',
      headers: { traceparent: trace },
      data: { ...identity, payload: { id, status: 'accepted' } },
    });
    for (const [topic, message] of [
      [linkSession, online],
      [linkSession, offline],
      [linkReport, rig.bus.of(linkReport.name)[0]],
      [linkResult, result],
    ] as const) {
      expect(
        (topic.events as Record<string, { safeParse(v: unknown): { error?: unknown } }>)[message!.type]!.safeParse(
          message!.data,
        ).error,
      ).toBeUndefined();
    }
  });

  it('is acknowledged once its message is stored and not before [GW-02/acknowledgement]', async () => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    rig.bus.hold = true;
    device.send(up(mac, 'state', { at: 1, calls: 1 }, 7)).send({ cmd: 'pingreq' });
    await rig.bus.until(() => rig.bus.held === 1);
    await device.next('pingresp');
    expect(device.packets.some((p) => p.cmd === 'puback' && p.messageId === 7)).toBe(false);
    rig.bus.storeNow();
    await device.next('puback', (p) => p.messageId === 7);
    expect(rig.bus.of(linkReport.name).at(-1)).toMatchObject({ type: 'state', data: { payload: { calls: 1 } } });
  });
});
