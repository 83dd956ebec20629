/**
 * Figures of one gateway process: memory per idle device, CPU per connect, per command and per stored publish, with
 * `devices` connections over loopback, or of a peer on the same traffic.
 * node --experimental-transform-types --conditions=carillon-source measure.ts [devices] [gateway|stock|floor] [V8 flag ...]
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generate } from 'mqtt-packet';

const devices = Number(process.argv[2] ?? 15_000);
const subject = process.argv[3] ?? 'gateway';
const flags = ['--experimental-transform-types', '--conditions=carillon-source', '--disable-warning=ExperimentalWarning', ...process.argv.slice(4)];
const child = spawn(process.execPath, [...flags, fileURLToPath(new URL(`./${subject}.ts`, import.meta.url)), String(devices)], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const answer = async (): Promise<Record<string, number>> => JSON.parse((await lines.next()).value as string) as Record<string, number>;
const ask = (line: string): Promise<Record<string, number>> => (child.stdin.write(`${line}\n`), answer());
const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;

const ready = await answer();
console.log(subject, ready);
const empty = await ask('stats');

/** Packets by type, seen on all sockets; resolves a waiter when the wanted number has come. */
let seen = 0;
let wanted = Infinity;
let reached = (): void => {};
const count = (n: number): Promise<void> => new Promise((resolve) => (seen = 0, wanted = n, reached = resolve));
const sockets: Socket[] = [];
const body = (payload: object): string => JSON.stringify(payload);
const hello = body({ model: 'X6', sn: 'SN1', firmware: '2.4.1', ip: '10.0.0.7', uptime: 12, boot: 'power', capabilities: ['reboot'] });
const puback = Buffer.from([0x40, 2, 0, 0]);

function device(i: number): Promise<void> {
  const mac = macOf(i);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: ready.port!, localAddress: `127.0.0.${1 + (i % 4)}`, noDelay: true });
    sockets[i] = socket;
    let greeted = 0;
    socket.once('connect', () => socket.write(Buffer.concat([
      generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: mac, username: mac, password: Buffer.from(mac), keepalive: 600 } as never),
      generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `d/${mac}/command`, qos: 1 }] } as never),
      generate({ cmd: 'publish', topic: `d/${mac}/hello`, payload: hello, qos: 1, messageId: 2, dup: false, retain: false }),
    ])));
    socket.on('data', (bytes) => {
      for (let at = 0; at < bytes.length;) {
        const type = bytes[at]! >> 4;
        let length = 0, shift = 0, next = at + 1;
        do {
          length |= (bytes[next]! & 127) << shift;
          shift += 7;
        } while (bytes[next++]! > 127);
        if (type === 3) {
          const idAt = next + 2 + bytes.readUInt16BE(next);
          const ack = Buffer.from(puback);
          bytes.copy(ack, 2, idAt, idAt + 2);
          socket.write(ack);
        }
        if (++greeted === 4) resolve();
        else if (greeted > 4 && ++seen === wanted) reached();
        at = next + length;
      }
    });
  });
}

const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const phase = async (name: string, n: number, work: () => Promise<unknown>): Promise<void> => {
  const before = await ask('stats');
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  const after = await ask('stats');
  console.log(name, { n, perSecond: Math.round((n / ms) * 1_000), cpuUsEach: +((after.cpuUs! - before.cpuUs!) / n).toFixed(1) });
};

const connectAll = async (): Promise<void> => {
  let next = 0;
  await Promise.all(Array.from({ length: 100 }, async () => {
    while (next < devices) await device(next++);
  }));
};
// The second round, after all were cut off, is what a storm costs: the first also pays for the engine's warming up.
for (const round of [1, 2, 3]) {
  for (const socket of sockets) socket.resetAndDestroy();
  await settle(500);
  await phase(`connect + subscribe + hello stored + welcome, round ${round}`, devices, connectAll);
}
await settle(3_000);
const idle = await ask('stats');
console.log('idle', { rssKbPerDevice: +((idle.rss! - empty.rss!) / 1024 / devices).toFixed(2), heapKbPerDevice: +((idle.heap! - empty.heap!) / 1024 / devices).toFixed(2), rssMb: Math.round(idle.rss! / 1e6), emptyMb: Math.round(empty.rss! / 1e6) });
for (const round of [1, 2, 3]) await phase(`command to each, round ${round}`, devices, () => {
  const all = count(devices);
  return ask(`command ${devices}`).then(() => all);
});
const stateOf = (i: number, messageId: number): Buffer => generate({ cmd: 'publish', topic: `d/${macOf(i)}/state`, payload: body({ at: 1_790_000_000_000, calls: 0, lines: [{ line: 1, account: '100', server: 'sip.example.org', status: 'registered' }, { line: 2, account: '101', server: 'sip.example.org', status: 'registered' }], ip: '10.0.0.7' }), qos: 1, messageId, dup: false, retain: false });
for (const round of [1, 2]) await phase(`state stored, 1 in flight, round ${round}`, devices, () => {
  const all = count(devices);
  for (let i = 0; i < devices; i++) sockets[i]!.write(stateOf(i, 3));
  return all;
});
const some = Math.min(1_000, devices);
for (const round of [1, 2, 3]) await phase(`state stored, ${some} devices x 4 in flight, round ${round}`, some * 16, async () => {
  for (let r = 0; r < 4; r++) {
    const all = count(some * 4);
    for (let i = 0; i < some; i++) sockets[i]!.write(Buffer.concat([3, 4, 5, 6].map((id) => stateOf(i, id))));
    await all;
  }
});
await phase('ping', devices, () => {
  const all = count(devices);
  for (let i = 0; i < devices; i++) sockets[i]!.write(Buffer.from([0xc0, 0]));
  return all;
});
child.stdin.end();
process.exit();
