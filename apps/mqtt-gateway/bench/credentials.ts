import { createHash, randomBytes } from 'node:crypto';
import { deviceCredential } from '@carillon/contracts';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { migrateBus, PostgresBus, type OutRecord } from '@carillon/messaging';
import { testDatabase } from '@carillon/testing/postgres';
import { CredentialFeed } from '../src/credential/credential-feed.ts';
import { toRecord, uuidv7 } from '../src/uplink/envelope.ts';

const count = 200_000;
const companies = Array.from({ length: 50 }, () => ({
  id: uuidv7(Date.now()),
  orgs: Array.from({ length: 20 }, () => uuidv7(Date.now())),
}));
const macOf = (i: number): string => `00a859${i.toString(16).padStart(6, '0')}`;

function* credentials(): Iterable<OutRecord[]> {
  for (let from = 0; from < count; from += 2_000) {
    yield Array.from({ length: Math.min(2_000, count - from) }, (_, j) => {
      const i = from + j;
      const { id: companyId, orgs } = companies[i % companies.length]!;
      const data = {
        deviceId: uuidv7(Date.now()),
        mac: macOf(i),
        orgId: orgs[i % orgs.length]!,
        ownerEpoch: 1,
        secretHash: createHash('sha256').update(randomBytes(16)).digest('base64url'),
        previousHash: null,
        enabled: true,
      };
      return toRecord(
        deviceCredential.name,
        'credential',
        data.deviceId,
        JSON.stringify(data),
        Date.now(),
        1,
        companyId,
      );
    });
  }
}

const connectionString = await testDatabase('bus');
const open = (): Promise<PostgresBus> =>
  PostgresBus.open({ connection: { connectionString }, name: `bench-${randomBytes(4).toString('hex')}` });
const quiet = { info() {}, warn() {}, error: console.error };

/** Returns the seconds and CPU seconds that a new reader needs for all of them. */
async function read(start: (bus: PostgresBus) => Promise<() => Promise<void>>): Promise<{ wall: number; cpu: number }> {
  const bus = await open();
  await bus.ensureTopics([deviceCredential]);
  const cpu = process.cpuUsage();
  const from = performance.now();
  const stop = await start(bus);
  const wall = (performance.now() - from) / 1_000;
  const used = process.cpuUsage(cpu);
  await stop();
  await bus.close();
  return { wall, cpu: (used.user + used.system) / 1e6 };
}

await bench('credentials of all devices, through the bus', async () => {
  await migrateBus({ connectionString });
  const writer = await open();
  await writer.ensureTopics([deviceCredential]);
  const from = performance.now();
  for (const records of credentials()) await writer.publish(records);
  await writer.close();
  process.stdout.write(`${count} credentials in the log after ${((performance.now() - from) / 1_000).toFixed(1)} s\n`);

  const feeds: number[] = [],
    bare: number[] = [],
    cpus: number[] = [],
    bareCpus: number[] = [];
  let bytes = 0;
  for (let i = 0; i < runs(); i++) {
    const feed = await read(async (bus) => {
      const feed = new CredentialFeed(bus, quiet, () => {});
      await feed.start();
      if (feed.table.size !== count) throw new Error(`${feed.table.size} of ${count} were read`);
      bytes = feed.table.bytes / count;
      return () => feed.stop();
    });
    const nothing = await read(async (bus) => {
      let seen = 0;
      const consumer = await bus.fanout({
        topics: [deviceCredential.name],
        from: 'start',
        handle: ({ records }) => void (seen += records.length),
      });
      await consumer.caughtUp;
      if (seen !== count) throw new Error(`${seen} of ${count} were read`);
      return () => consumer.close();
    });
    feeds.push(count / feed.wall);
    cpus.push((feed.cpu / count) * 1e6);
    bare.push(count / nothing.wall);
    bareCpus.push((nothing.cpu / count) * 1e6);
  }
  report(
    {
      name: 'credentials loaded',
      unit: 'a second',
      value: spread(feeds).median,
      atLeast: 200_000,
      beside: { name: 'the same records read and dropped', value: spread(bare).median },
    },
    spread(feeds),
  );
  report(
    {
      name: 'CPU of the gateway',
      unit: 'µs a credential',
      value: spread(cpus).median,
      beside: { name: 'read and dropped', value: spread(bareCpus).median },
    },
    spread(cpus),
  );
  report({ name: 'memory', unit: 'bytes a device', value: bytes, atMost: 120 });
});
process.exit();
