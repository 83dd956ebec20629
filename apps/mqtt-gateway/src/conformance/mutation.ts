import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { linkTopic } from '@carillon/contracts/link';
import { generate } from 'mqtt-packet';
import { RawDevice } from '../testing/raw-device.ts';
import { Rig, hello, macOf, payloadOf, state, up } from '../testing/rig.ts';

/** Returns a generator of random numbers below n, the same for the same seed. */
function randomOf(seed: number): (n: number) => number {
  let a = seed >>> 0;
  return (n) => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Mutations, each of which changes one thing in a session's bytes. */
const changes: ((b: Buffer, random: (n: number) => number) => Buffer)[] = [
  (b, r) => ((b[r(b.length)]! ^= 1 << r(8)), b),
  (b, r) => ((b[r(b.length)] = r(256)), b),
  (b, r) => ((b[r(b.length)] = [0, 0x7f, 0x80, 0xff][r(4)]!), b),
  (b, r) => b.subarray(0, r(b.length)),
  (b, r) => {
    const at = r(b.length);
    return Buffer.concat([b.subarray(0, at), b.subarray(Math.min(b.length, at + 1 + r(16)))]);
  },
  (b, r) => {
    const at = r(b.length);
    return Buffer.concat([
      b.subarray(0, at),
      Buffer.from(Array.from({ length: 1 + r(16) }, () => r(256))),
      b.subarray(at),
    ]);
  },
  (b, r) => {
    const from = r(b.length),
      to = from + r(b.length - from),
      at = r(b.length);
    return Buffer.concat([b.subarray(0, at), b.subarray(from, to), b.subarray(at)]);
  },
  (b, r) => {
    const at = r(b.length);
    return Buffer.concat([b.subarray(0, at), Buffer.from([0xff, 0xff, 0xff, 0x7f]), b.subarray(at)]);
  },
  (b, r) => Buffer.concat(Array.from({ length: 2 + r(20) }, () => b)),
];

const session = (rig: Rig, mac: string): Buffer[] =>
  [
    rig.connectPacket(mac),
    rig.connectPacket(mac, { will: { topic: 'w', payload: Buffer.from('m'), qos: 1, retain: true } }),
    {
      cmd: 'subscribe',
      messageId: 2,
      subscriptions: [
        { topic: linkTopic.command(mac), qos: 1 },
        { topic: 'a/+/#', qos: 2 },
      ],
    },
    up(mac, 'hello', hello, 3),
    up(mac, 'state', state, 4),
    up(mac, 'event', { id: 'e', at: 1, kind: 'reboot' }, 5),
    up(mac, 'unlock', { log: 'l', seq: 1, at: 1, door: 1, method: 'card', outcome: 'granted' }, 6),
    { cmd: 'puback', messageId: 1 },
    { cmd: 'pingreq' },
    { cmd: 'unsubscribe', messageId: 7, unsubscriptions: ['a'] },
    { cmd: 'disconnect' },
  ].map((p) => generate(p as never));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
/** Returns the least of several collections, because a closed socket frees its memory some turns later. */
async function heldAtRest(): Promise<number> {
  let least = held();
  for (let n = 0; n < 20; n++) {
    await new Promise((done) => {
      setTimeout(done, 25);
    });
    least = Math.min(least, held());
  }
  return least;
}

export interface MutationResult {
  sessions: number;
  /** Highest RSS minus the RSS after the first tenth, in bytes. */
  growth: number;
  /** Memory after a full collection at the end minus that at the start, in bytes, without V8's slack. */
  held: number;
  /** The longest time that the healthy device waited for a ping's answer, in milliseconds. */
  longestPing: number;
  stats: ReturnType<Rig['gateway']['stats']>;
}

/**
 * Sends mutated sessions for `seconds`, several at a time and in random cuts, while a healthy device pings and gets
 * commands. Rejects when the healthy device is closed or does not get its command.
 */
export async function mutate(seed: number, seconds: number): Promise<MutationResult> {
  const random = randomOf(seed);
  const rig = await Rig.start({ connectBurst: 1_000_000, connectsPerSecond: 1_000_000 });
  const healthyMac = macOf(1);
  const healthy = await rig.device(healthyMac);
  const macs = Array.from({ length: 50 }, (_, n) => macOf(100 + n));
  for (const mac of macs) await rig.know(mac);
  const heldAtFirst = held();
  const until = performance.now() + seconds * 1_000;
  const started = performance.now();
  let sessions = 0,
    base = 0,
    peak = 0,
    longestPing = 0;

  const attack = async (): Promise<void> => {
    while (performance.now() < until) {
      const packets = session(rig, macs[random(macs.length)]!);
      const [plain, willed, ...rest] = packets;
      let bytes: Buffer = Buffer.concat([random(2) === 0 ? plain! : willed!, ...rest.filter(() => random(3) > 0)]);
      for (let n = 1 + random(4); n > 0 && bytes.length > 1; n--)
        bytes = Buffer.from(changes[random(changes.length)]!(bytes, random));
      const device = await RawDevice.open(rig.port);
      for (let at = 0; at < bytes.length && !device.closed;) {
        const cut = 1 + random(random(2) === 0 ? 8 : 2_000);
        device.send(bytes.subarray(at, at + cut));
        at += cut;
        if (random(4) === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      device.socket.end();
      await device.ended();
      sessions++;
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < until) {
      healthy.packets.length = 0;
      rig.bus.stored.length = 0;
      const from = performance.now();
      healthy.send({ cmd: 'pingreq' });
      await healthy.next('pingresp');
      longestPing = Math.max(longestPing, performance.now() - from);
      const id = await rig.command(healthyMac);
      const command = await healthy.next('publish', (p) => payloadOf(p).id === id);
      healthy.send({ cmd: 'puback', messageId: command.messageId! });
      const rss = process.memoryUsage().rss;
      peak = Math.max(peak, rss);
      if (performance.now() - started < seconds * 100) base = rss;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  try {
    await Promise.all([...Array.from({ length: 16 }, attack), watch()]);
    // Its acknowledgement means that everything before it is stored, including the offline of each session.
    healthy.send(up(healthyMac, 'state', state, 9));
    await healthy.next('puback', (p) => p.messageId === 9);
    healthy.packets.length = 0;
    rig.bus.stored.length = 0;
    const heldAtLast = await heldAtRest();
    return { sessions, growth: peak - base, held: heldAtLast - heldAtFirst, longestPing, stats: rig.gateway.stats() };
  } finally {
    await rig.stop();
  }
}
