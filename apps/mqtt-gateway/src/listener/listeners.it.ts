import { copyFileSync } from 'node:fs';
import { connect } from 'mqtt';
import type { IClientOptions } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { linkTopic } from '@carillon/contracts/link';
import { proxyHeader } from '../testing/proxy.ts';
import { hello, macOf, payloadOf, secretOf } from '../testing/rig.ts';
import { TestAuthority } from '../testing/test-authority.ts';
import { mac, startListeners } from './listeners-test.ts';

const { authority, tested, start, ways } = startListeners();
const text = (address: string): Buffer => Buffer.from(`PROXY TCP4 ${address} 127.0.0.1 40000 1883\r\n`);

describe('a stock client', () => {
  it.each([
    ['over TLS [GW-01/tls]', 'tls', 'mqtts', {}],
    ['over WebSocket [GW-01/websocket]', 'ws', 'ws', { path: '/mqtt' }],
    ['over WebSocket with TLS', 'wss', 'wss', { path: '/mqtt' }],
    ['over TLS with the certificate that names it, without a secret [GW-01/mutual]', 'tls', 'mqtts', { own: true }],
  ] as const)(
    'connects over %s, gets a command and answers',
    async (_, kind, protocol, more: { path?: string; own?: boolean }) => {
      await start();
      await tested.rig.know(mac);
      const own = more.own === true ? authority.sign(mac.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')) : null;
      const options: IClientOptions = {
        protocolVersion: 4,
        clientId: mac,
        username: mac,
        reconnectPeriod: 0,
        ca: [authority.ca],
        ...(own === null ? { password: secretOf(mac) } : { cert: own.cert, key: own.key }),
      };
      const client = connect(`${protocol}://127.0.0.1:${tested.rig.portOf(kind)}${more.path ?? ''}`, options);
      await new Promise((resolve, reject) => client.on('connect', resolve).on('error', reject));
      const heard: Record<string, unknown>[] = [];
      client.on('message', (_topic, payload) => heard.push(payloadOf({ payload })));
      await client.subscribeAsync(linkTopic.command(mac), { qos: 1 });
      await client.publishAsync(linkTopic.up(mac, 'hello'), JSON.stringify(hello), { qos: 1 });
      const big = 'x'.repeat(40_000);
      const id = await tested.rig.command(mac, 'reboot', { args: { big } });
      await expect.poll(() => heard.map((m) => m.action)).toEqual(['welcome', 'reboot']);
      expect(heard[1]).toMatchObject({ id, args: { big } });
      await client.publishAsync(linkTopic.up(mac, 'call'), JSON.stringify({ id: 'c1', at: 1, record: { big } }), {
        qos: 1,
      });
      expect(tested.rig.bus.sent('link.report.v1').map((m) => m.type)).toEqual(['hello', 'call']);
      expect(tested.rig.bus.sent('link.session.v1')).toMatchObject([
        { type: 'online', data: { mac, address: '127.0.0.1' } },
      ]);
      await client.endAsync();
      await tested.rig.bus.until(() => tested.rig.bus.sent('link.session.v1').length === 2);
      expect(tested.rig.bus.sent('link.session.v1')[1]).toMatchObject({
        type: 'offline',
        data: { mac, reason: 'closed' },
      });
      expect(tested.rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, defects: 0 });
    },
  );

  it('takes over from itself by another way in', async () => {
    await start();
    const first = await tested.rig.device(mac, {}, ways().tcp);
    const second = await tested.rig.device(mac, {}, ways().wss);
    await first.ended();
    const third = await tested.rig.device(mac, {}, ways().tls);
    await second.ended();
    const id = await tested.rig.command(mac);
    await third.next('publish', (p) => payloadOf(p).id === id);
    expect(tested.rig.gateway.stats()).toMatchObject({ devices: 1, ended: { taken: 2 } });
  });
});

describe('a client certificate', () => {
  const tried = async (
    commonName: string,
    connectPacket: Record<string, unknown>,
    by = authority,
  ): Promise<number | string> => {
    const { cert, key } = by.sign(commonName);
    const device = await tested.rig.open({ kind: 'tls', tls: { ca: authority.ca, cert, key } });
    device.send(tested.rig.connectPacket(mac, connectPacket));
    return tested.rig.connack(device).then(
      (p) => p.returnCode ?? -1,
      () => 'closed',
    );
  };
  it('is valid only for the device that it names, and does not make up for a wrong secret', async () => {
    await start();
    await tested.rig.know(mac);
    await tested.rig.know(macOf(2));
    const other = macOf(2);
    expect(await tried(mac, { password: undefined })).toBe(0);
    expect(await tried(mac, { password: undefined, username: undefined })).toBe(0);
    expect(await tried(mac, {})).toBe(0);
    expect(await tried(mac, { password: Buffer.from('guessed') })).toBe(4);
    expect(await tried(other, {})).toBe(5);
    expect(await tried(mac, { clientId: other, username: other, password: Buffer.from(secretOf(other)) })).toBe(5);
    // A certificate that names no device changes nothing.
    expect(await tried('A vendor', {})).toBe(0);
    expect(await tried('A vendor', { password: undefined })).toBe(4);
    await tested.rig.know(mac, { enabled: false });
    expect(await tried(mac, { password: undefined })).toBe(5);
    await tested.rig.forget(mac);
    expect(await tried(mac, { password: undefined })).toBe(4);
  });

  it('is refused when a foreign authority signed it, or when it is missing but required', async () => {
    await start();
    await tested.rig.know(mac);
    const stranger = new TestAuthority('Stranger');
    expect(await tried(mac, {}, stranger)).toBe('closed');
    expect(await tried(mac, { password: undefined }, stranger)).toBe('closed');
    await tested.rig.stop();
    await start({ tlsClient: 'required' });
    await tested.rig.know(mac);
    const without = await tested.rig.open(ways().tls);
    without.send(tested.rig.connectPacket(mac));
    await without.ended();
    expect(without.packets).toEqual([]);
    expect(await tried(mac, { password: undefined })).toBe(0);
    expect(await tried(mac, {}, stranger)).toBe('closed');
    stranger.remove();
  });

  it('is demanded from a device of a model with mutual authentication, at once [CFG-06/mutual]', async () => {
    await start();
    await tested.rig.know(mac);
    const before = await tested.rig.open(ways().tls);
    before.send(tested.rig.connectPacket(mac));
    expect((await tested.rig.connack(before)).returnCode).toBe(0);
    await tested.rig.know(mac, { certificateRequired: true });
    await before.ended();
    const without = async (kind: 'tcp' | 'tls', secret = secretOf(mac)) => {
      const device = await tested.rig.open(ways()[kind]);
      device.send(tested.rig.connectPacket(mac, { password: Buffer.from(secret) }));
      return (await tested.rig.connack(device)).returnCode;
    };
    expect([await without('tcp'), await without('tls')]).toEqual([5, 5]);
    // Only the right secret tells that a certificate is missing.
    expect(await without('tls', 'guessed')).toBe(4);
    expect([await tried(mac, {}), await tried(mac, { password: undefined })]).toEqual([0, 0]);
    await tested.rig.know(mac);
    expect(await without('tcp')).toBe(0);
  });

  it('ends with its device: when that is disabled, its connection is closed', async () => {
    await start();
    await tested.rig.know(mac);
    const { cert, key } = authority.sign(mac);
    const device = await tested.rig.open({ kind: 'tls', tls: { ca: authority.ca, cert, key } });
    device.send(tested.rig.connectPacket(mac, { password: undefined }));
    await tested.rig.connack(device);
    await tested.rig.know(mac, { enabled: false });
    await device.ended();
  });

  it('of the gateway is reloaded on a change or SIGHUP; a broken one leaves the old one in use', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => authority.sign(name));
    const live = authority.sign('live');
    const put = (from: { certFile: string; keyFile: string }): void => {
      copyFileSync(from.keyFile, live.keyFile);
      copyFileSync(from.certFile, live.certFile);
    };
    put(first!);
    await start({ tlsCertificate: live.certFile, tlsKey: live.keyFile });
    const shown = async (): Promise<string> => {
      let name = '';
      const device = await tested.rig.open({
        kind: 'tls',
        tls: {
          ca: authority.ca,
          checkServerIdentity: (_host, certificate) => void (name = String(certificate.subject.CN)),
        },
      });
      device.destroy();
      return name;
    };
    const old = await tested.rig.device(mac, {}, ways().tls);
    expect(await shown()).toBe('first');
    put(second!);
    await expect.poll(shown, { timeout: 15_000 }).toBe('second');
    copyFileSync(third!.certFile, live.certFile);
    process.emit('SIGHUP', 'SIGHUP');
    expect(tested.rig.log.some((l) => l.level === 'error' && l.message.includes('certificates'))).toBe(true);
    expect(await shown()).toBe('second');
    put(third!);
    process.emit('SIGHUP', 'SIGHUP');
    expect(await shown()).toBe('third');
    expect(old.closed).toBe(false);
  });
});

describe('a proxy in front', () => {
  it.each(['tcp', 'tls', 'ws', 'wss'])(
    "by %s passes a device's address, in versions 1 and 2 and any cut [GW-01/proxy]",
    async (kind) => {
      await start({ proxyFrom: '127.0.0.5' });
      for (const [i, header] of [
        text('203.0.113.1'),
        proxyHeader('203.0.113.2'),
        proxyHeader('2001:db8::3', { commonName: mac }),
      ].entries()) {
        await tested.rig.device(macOf(10 + i), {}, { ...ways()[kind]!, localAddress: '127.0.0.5', header });
      }
      await tested.rig.device(macOf(20), {}, ways()[kind]!);
      const online = tested.rig.bus
        .sent('link.session.v1')
        .filter((m) => m.type === 'online')
        .map((m) => m.data.address);
      expect(online).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8::3', '127.0.0.1']);
    },
  );

  it('is trusted only at its own address, and must send a header there', async () => {
    await start({ proxyFrom: '127.0.0.5' });
    await tested.rig.know(mac);
    for (const way of Object.values(ways())) {
      for (const wrong of [
        { header: text('203.0.113.1') },
        { header: proxyHeader('203.0.113.1') },
        { localAddress: '127.0.0.5' },
        { localAddress: '127.0.0.5', header: Buffer.from('PROXY TCP4 nowhere') },
      ]) {
        const device = await tested.rig.open({ ...way, ...wrong });
        device.send(tested.rig.connectPacket(mac)).send(Buffer.alloc(200));
        await device.ended();
        expect(device.packets).toEqual([]);
      }
    }
    await expect.poll(() => tested.rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, accepted: 0 });
  });

  it('may vouch for a certificate where it is trusted to, and nowhere else', async () => {
    const code = async (): Promise<number> => {
      const device = await tested.rig.open({
        kind: 'tcp',
        localAddress: '127.0.0.5',
        header: proxyHeader('203.0.113.1', { commonName: mac }),
      });
      device.send(tested.rig.connectPacket(mac, { password: undefined }));
      return (await tested.rig.connack(device)).returnCode ?? -1;
    };
    await start({ proxyFrom: '127.0.0.5' });
    await tested.rig.know(mac);
    expect(await code()).toBe(4);
    await tested.rig.stop();
    await start({ proxyFrom: '127.0.0.5', proxyCertificates: 'trust' });
    await tested.rig.know(mac);
    expect(await code()).toBe(0);
  });

  it('lets limits of half-open sockets count the devices behind it separately', async () => {
    await start({ proxyFrom: '127.0.0.5', halfOpenPerAddress: 2, connectSeconds: 60 });
    const crowd = await Promise.all(
      Array.from({ length: 6 }, () =>
        tested.rig.open({ kind: 'tcp', localAddress: '127.0.0.5', header: text('203.0.113.1') }),
      ),
    );
    const others = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        tested.rig.open({ kind: 'tcp', localAddress: '127.0.0.5', header: text(`203.0.113.${10 + i}`) }),
      ),
    );
    await expect.poll(() => crowd.filter((d) => d.closed).length, { timeout: 8_000 }).toBe(4);
    expect(others.filter((d) => d.closed)).toEqual([]);
  });

  it('and of IPv6 one /64 as one address, however it is written; what is IPv4 behind it stays apart', async () => {
    await start({ proxyFrom: '127.0.0.5', halfOpenPerAddress: 2, connectSeconds: 60 });
    const from = (address: string) =>
      tested.rig.open({
        kind: 'tcp',
        localAddress: '127.0.0.5',
        header: Buffer.from(`PROXY TCP6 ${address} ::1 40000 1883\r\n`),
      });
    const one = [1, 2, 3, 4, 5, 6].map((host) => `2001:db8:1:2:${host}::${host}`);
    const crowd = await Promise.all([...one, '2001:DB8:0001:0002::7', '::ffff:203.0.113.1'].map(from));
    const others = await Promise.all(
      ['2001:db8:1:3::1', '2001:db8:1:4::1', '::ffff:203.0.113.2', '::ffff:cb00:7103'].map(from),
    );
    await expect.poll(() => crowd.filter((d) => d.closed).length, { timeout: 8_000 }).toBe(5);
    expect(crowd.at(-1)!.closed).toBe(false);
    expect(others.filter((d) => d.closed)).toEqual([]);
  });
});
