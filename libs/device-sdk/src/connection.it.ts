import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { pingreq, puback, publish } from './codec.ts';
import { Bench, mac } from './test-device.ts';

let bench: Bench;
const servers: net.Server[] = [];
afterEach(async () => {
  await bench.clear();
  for (const server of servers.splice(0)) server.close();
});

const event = (id: string) => ({ id, at: 1, kind: 'tamper' as const });
const kinds = (from = 0) =>
  bench.platform.received.slice(from).map(({ kind, payload }) => (kind === 'event' ? payload.id : kind));

/** Starts a server whose bytes the test controls; `speak` is called for each connection. */
async function server(speak: (socket: net.Socket) => void): Promise<string> {
  const listening = net.createServer((socket) => {
    socket.on('error', () => undefined);
    speak(socket);
  });
  servers.push(listening);
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return `mqtt://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

describe('a connection (device-link, Connecting and Up)', () => {
  it('uses a clean session, keep-alive of 120 s, the MAC as client id and user, and the secret as password', async () => {
    bench = await Bench.set();
    const bytes = Promise.withResolvers<Buffer>();
    const url = await server((socket) => socket.once('data', bytes.resolve));
    await (await bench.device({ url })).start();
    const name = [0, 12, ...Buffer.from(mac)];
    expect([...(await bytes.promise)]).toEqual([
      0x10,
      10 + 14 + 14 + 15,
      0,
      4,
      ...Buffer.from('MQTT'),
      4,
      0b1100_0010,
      0,
      120,
      ...name,
      ...name,
      0,
      13,
      ...Buffer.from('correct horse'),
    ]);
  });

  it('has no password when the certificate names the MAC', async () => {
    bench = await Bench.set();
    const bytes = Promise.withResolvers<Buffer>();
    const url = await server((socket) => socket.once('data', bytes.resolve));
    await (await bench.device({ url, secret: undefined })).start();
    expect([(await bytes.promise)[9], (await bytes.promise).length]).toEqual([0b1000_0010, 2 + 10 + 28]);
  });

  it('begins with a hello, whatever is queued', async () => {
    bench = await Bench.set();
    const device = await bench.device();
    const early = device.publish('event', event('early'));
    await device.start();
    await early;
    const from = bench.platform.received.length;
    bench.platform.cut();
    await device.publish('event', event('between'));
    expect([kinds().slice(0, from), kinds(from)]).toEqual([
      ['hello', 'early'],
      ['hello', 'between'],
    ]);
  });

  it('resends unacknowledged messages after a reconnect, in order and with the same id', async () => {
    let open = false;
    const gate = Promise.withResolvers<void>();
    bench = await Bench.set({
      store: ({ kind }) =>
        kind === 'hello' || open
          ? undefined
          : gate.promise.then(() => {
              throw new Error('the connection is gone');
            }),
    });
    const device = await bench.online();
    const settled: string[] = [];
    const all = Array.from({ length: 40 }, (_, index) =>
      device.publish('event', event(`e${index}`)).then(() => settled.push(`e${index}`)),
    );
    bench.platform.cut();
    await bench.platform.hello(mac, 1);
    expect(settled).toEqual([]);
    open = true;
    bench.platform.cut();
    await Promise.all(all);
    const expected = Array.from({ length: 40 }, (_, index) => `e${index}`);
    expect(settled).toEqual(expected);
    expect(kinds().filter((kind) => kind !== 'hello')).toEqual(expected);
    gate.resolve();
  });

  it('is retried after a random pause that grows from 1 s to 60 s', async () => {
    bench = await Bench.set();
    let closed = Promise.withResolvers<void>();
    const url = await server((socket) => socket.resetAndDestroy().on('close', () => closed.resolve()));
    const device = await bench.device({ url, random: () => 0.5 });
    const pauses: number[] = [];
    const { after } = bench.clock;
    bench.clock.after = (ms, call) => {
      // The pause starts when the connection ends; every other timer of the device is a timeout.
      if (ms !== 20_000) {
        pauses.push(ms);
        closed.resolve();
      }
      return after.call(bench.clock, ms, call);
    };
    await device.start();
    while (pauses.length < 9) {
      await closed.promise;
      closed = Promise.withResolvers();
      const last = pauses.at(-1);
      if (last !== undefined) bench.clock.advance(last);
    }
    expect(pauses.slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('reports a refused login without the secret, and retries', async () => {
    let allowed = false;
    bench = await Bench.set({ allows: (_mac, secret) => allowed && secret === 'correct horse' });
    const answer = Promise.withResolvers<Error>();
    const device = await bench.device({ onTrouble: answer.resolve });
    await device.start();
    const { message } = await answer.promise;
    expect(message).toContain('refused (CONNACK 4)');
    expect(message).not.toContain('correct horse');
    allowed = true;
    await device.ready();
  });

  it('is replaced when the platform does not answer a PINGREQ', async () => {
    bench = await Bench.set();
    let connections = 0;
    const again = Promise.withResolvers<void>();
    const pinged = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<void>();
    const url = await server((socket) => {
      if (++connections === 2) again.resolve();
      socket.on('data', (bytes) => {
        if (bytes[0] === 0x10) socket.write(Buffer.from([0x20, 2, 0, 0]));
        else if (bytes[0] === 0x82) {
          socket.write(Buffer.from([0x40, 2, 0, 2]));
          ready.resolve();
        } else if (bytes[0] === 0xc0) pinged.resolve();
      });
    });
    const offline = Promise.withResolvers<string>();
    const device = await bench.device({ url, onOffline: offline.resolve });
    await device.start();
    await ready.promise;
    await device.ready();
    bench.clock.advance(90_000);
    await pinged.promise;
    bench.clock.advance(15_000);
    expect(await offline.promise).toBe('the platform is silent');
    await again.promise;
  });

  it('is closed when the peer violates MQTT, and the device survives', async () => {
    bench = await Bench.set();
    for (const bytes of [
      [0xff, 0xff, 0xff, 0xff, 0xff],
      [0x10, 0],
      [0x30, 0xff, 0xff, 0x7f],
      [0x32, 3, 0, 9, 1],
      [0x20, 0],
      [0x40, 1, 1],
    ]) {
      const closed = Promise.withResolvers<void>();
      const url = await server((socket) => {
        socket.write(Buffer.from(bytes));
        socket.resume().on('close', closed.resolve);
      });
      const device = await bench.device({ url, random: () => 1 });
      await device.start();
      await closed.promise;
      await device.stop();
    }
  });

  it('acknowledges a command after it is stored', async () => {
    bench = await Bench.set();
    const log = await bench.openLog();
    const gate = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    const store = {
      ...log.forDevice(mac),
      write: () => {
        writing.resolve();
        return gate.promise;
      },
    };
    const command = publish(
      `d/${mac}/command`,
      JSON.stringify({ id: 'c', action: 'note', args: {}, expiresAt: 2, now: 1 }),
      7,
    );
    const said: string[] = [];
    const pinged = Promise.withResolvers<void>();
    const acknowledged = Promise.withResolvers<void>();
    const url = await server((socket) => {
      socket.on('data', (bytes) => {
        if (bytes[0] === 0x10) socket.write(Buffer.concat([Buffer.from([0x20, 2, 0, 0]), command]));
        if (bytes.includes(puback(7))) {
          said.push('acknowledged');
          acknowledged.resolve();
        }
        if (bytes.includes(pingreq)) {
          said.push('ping');
          pinged.resolve();
        }
      });
    });
    await (await bench.device({ url, store })).start();
    await writing.promise;
    // Earlier messages of the device have arrived when its ping has.
    bench.clock.advance(90_000);
    await pinged.promise;
    gate.resolve();
    await acknowledged.promise;
    expect(said).toEqual(['ping', 'acknowledged']);
  });

  it('says goodbye on stop, and reports queued messages as not delivered', async () => {
    bench = await Bench.set({ store: ({ kind }) => (kind === 'event' ? new Promise(() => undefined) : undefined) });
    const device = await bench.online();
    const lost = device.publish('event', event('e')).catch((error: Error) => error.message);
    await device.stop();
    expect(await lost).toContain('went down');
    expect(device.online).toBe(false);
  });

  it('refuses a message of more than 64 KiB', async () => {
    bench = await Bench.set();
    const device = await bench.online();
    await expect(device.publish('event', { ...event('e'), detail: 'x'.repeat(65_536) })).rejects.toThrow('64 KiB');
  });
});
