/**
 * Runs the gateway alone for measuring, with a bus that stores at once and keeps nothing: gateway.ts [devices]. Prints
 * one line of JSON with its port, then reads lines from standard input: `prepare <n>` makes the records of one command
 * for each of the first n devices, `command` delivers them like a bus.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Bus, BusBatch, FanoutOptions, OutRecord } from '@carillon/messaging';
import { mqttGatewayConfig } from '../src/config.ts';
import { toRecord, uuidv7 } from '../src/uplink/envelope.ts';
import { MqttGateway } from '../src/mqtt-gateway.ts';
import { macOf } from '../src/testing/wire.ts';

const devices = Number(process.argv[2] ?? 15_000);
const fanouts: FanoutOptions[] = [];
const batchOf = (records: OutRecord[]): BusBatch => ({
  topic: records[0]!.topic,
  partition: 0,
  signal: new AbortController().signal,
  records: records.map((r, i) => ({ ...r, partition: 0, offset: BigInt(i), timestamp: Date.now() })),
});
const bus: Bus = {
  ensureTopics: async () => {},
  healthy: async () => true,
  lag: async () => [],
  disks: async () => [],
  close: async () => {},
  group: () => Promise.reject(new Error('none')),
  publish: async () => {},
  fanout: async (options) => (
    fanouts.push(options),
    { caughtUp: Promise.resolve(), confirmedAt: () => Date.now(), close: async () => {} }
  ),
};
const quiet = { info() {}, warn() {}, error: console.error };
const idOf = (mac: string): string => `01920000-0000-7000-9000-${mac}`;

const gateway = new MqttGateway({
  bus,
  log: quiet,
  config: mqttGatewayConfig.parse({
    port: 0,
    connections: 20_000,
    deviceMessagesPerSecond: 0,
    companyMessagesPerSecond: 0,
    connectsPerSecond: 100_000,
    connectBurst: 100_000,
    halfOpen: 20_000,
    halfOpenPerAddress: 20_000,
  }),
});
await gateway.start();
for (let i = 0; i < devices; i += 500) {
  const records = Array.from({ length: Math.min(500, devices - i) }, (_, j) => {
    const mac = macOf(i + j);
    const data = {
      deviceId: idOf(mac),
      mac,
      orgId: '01920000-0000-7000-8000-00000000a001',
      ownerEpoch: 1,
      secretHash: createHash('sha256').update(mac).digest('base64url'),
      previousHash: null,
      enabled: true,
    };
    return toRecord(
      'device.credential.v1',
      'credential',
      data.deviceId,
      JSON.stringify(data),
      Date.now(),
      1,
      '01920000-0000-7000-8000-00000000c001',
    );
  });
  await fanouts[0]!.handle(batchOf(records));
}
console.log(JSON.stringify({ port: gateway.listeners[0]!.address.port }));

/** Batches of 500, like those of a bus. */
let ready: BusBatch[] = [];
function prepare(n: number): void {
  ready = [];
  for (let from = 0; from < n; from += 500)
    ready.push(
      batchOf(
        Array.from({ length: Math.min(500, n - from) }, (_, j) => {
          const mac = macOf(from + j);
          return toRecord(
            'link.command.v1',
            'command',
            idOf(mac),
            JSON.stringify({
              deviceId: idOf(mac),
              mac,
              ownerEpoch: 1,
              id: uuidv7(Date.now()),
              action: 'reboot',
              expiresAt: Date.now() + 60_000,
              args: { whenIdle: true },
            }),
            Date.now(),
            1,
            '01920000-0000-7000-8000-00000000c001',
          );
        }),
      ),
    );
}

function handOver(): void {
  const batch = ready.shift();
  if (batch === undefined) return;
  void fanouts[1]!.handle(batch);
  setImmediate(handOver);
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, n] = line.split(' ');
    if (word === 'prepare') prepare(Number(n));
    if (word === 'command') handOver();
    console.log('{}');
  })
  .on('close', () => process.exit());
