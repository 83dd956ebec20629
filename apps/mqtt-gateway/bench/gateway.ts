/**
 * The gateway alone, with a bus that stores at once and keeps nothing, for measuring. Prints one line of JSON with its
 * port; then answers each line on standard input with its own memory and CPU, and takes `command <n>` as one command to
 * each of the first n devices.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Bus, BusBatch, FanoutOptions, OutRecord } from '@carillon/messaging';
import { mqttGatewayConfig } from '../src/config.ts';
import { toRecord, uuidv7 } from '../src/envelope.ts';
import { MqttGateway } from '../src/mqtt-gateway.ts';

const devices = Number(process.argv[2] ?? 15_000);
const fanouts: FanoutOptions[] = [];
const batchOf = (records: OutRecord[]): BusBatch => ({
  topic: records[0]!.topic, partition: 0, signal: new AbortController().signal,
  records: records.map((r, i) => ({ ...r, partition: 0, offset: BigInt(i), timestamp: Date.now() })),
});
let published = 0;
const bus: Bus = {
  ensureTopics: async () => {}, healthy: async () => true, lag: async () => [], close: async () => {},
  group: () => Promise.reject(new Error('none')),
  publish: async (records) => void (published += records.length),
  fanout: async (options) => (fanouts.push(options), { caughtUp: Promise.resolve(), confirmedAt: () => Date.now(), close: async () => {} }),
};
const quiet = { info() {}, warn() {}, error: console.error };
export const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;
const idOf = (mac: string): string => `01920000-0000-7000-9000-${mac}`;

const gateway = new MqttGateway({ bus, log: quiet, config: mqttGatewayConfig.parse({ port: Number(process.argv[3] ?? 0), connections: 20_000, connectsPerSecond: 100_000, connectBurst: 100_000, halfOpen: 20_000, halfOpenPerAddress: 20_000 }) });
await gateway.start();
let loadedMs = 0;
for (let i = 0; i < devices; i += 500) {
  const records = Array.from({ length: Math.min(500, devices - i) }, (_, j) => {
    const mac = macOf(i + j);
    const data = { deviceId: idOf(mac), mac, orgId: '01920000-0000-7000-8000-00000000a001', ownerEpoch: 1, secretHash: createHash('sha256').update(mac).digest('base64url'), previousHash: null, enabled: true };
    return toRecord('device.credential.v1', 'credential', data.deviceId, JSON.stringify(data), Date.now(), 1, '01920000-0000-7000-8000-00000000c001');
  });
  const batch = batchOf(records);
  const from = performance.now();
  await fanouts[0]!.handle(batch);
  loadedMs += performance.now() - from;
}
console.log(JSON.stringify({ port: gateway.listeners[0]!.address.port, credentialsPerSecond: Math.round((devices / loadedMs) * 1_000), credentialBytesPerDevice: gateway.stats().credentialBytes / devices }));

/** Commands to devices [from, to), 500 a batch as a bus gives them; their making is part of what is measured. */
function commandFrom(from: number, to: number): void {
  const upTo = Math.min(to, from + 500);
  const records: OutRecord[] = [];
  for (let i = from; i < upTo; i++) {
    const mac = macOf(i);
    records.push(toRecord('link.command.v1', 'command', idOf(mac), JSON.stringify({ deviceId: idOf(mac), mac, ownerEpoch: 1, id: uuidv7(Date.now()), action: 'reboot', args: { whenIdle: true }, expiresAt: Date.now() + 60_000 }), Date.now(), 1, '01920000-0000-7000-8000-00000000c001'));
  }
  void fanouts[1]!.handle(batchOf(records));
  if (upTo < to) setImmediate(() => commandFrom(upTo, to));
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, n] = line.split(' ');
  if (word === 'command') commandFrom(0, Number(n));
  const { user, system } = process.cpuUsage();
  const { devices: online, connections, written, received, storing } = gateway.stats();
  console.log(JSON.stringify({ rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed, cpuUs: user + system, published, online, connections, written, received, storing: storing.messages }));
}).on('close', () => process.exit());
