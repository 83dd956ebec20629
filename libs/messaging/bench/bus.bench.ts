/**
 * Compares the bus with a floor. In PostgreSQL: the same rows by a bare INSERT and a SELECT of newer rows, over one
 * connection. Over Kafka: the same records by the client's own producer and consumer. Medians of alternating runs. Run:
 * `./carillon bench bus`
 */
import pg from 'pg';
import { report, runs as asked, spread } from '@carillon/devtools/bench';
import { withMachine } from '@carillon/devtools/lock';
import type { OutRecord } from '../src/bus.ts';
import { migrateBus, PostgresBus } from '../src/drivers/postgres.ts';
import { testKafka } from '@carillon/testing/kafka';
import { testDatabase } from '@carillon/testing/postgres';
import { bareClient, ourBus, type KafkaFigures } from './kafka.ts';

const [rows, perCall, singles, runs] = [30_000, 500, 300, asked()];
const value = JSON.stringify({ deviceId: '0199aaaa-0000-7000-8000-000000000000', payload: 'y'.repeat(400) });
const headers = {
  id: '0199aaaa-0000-7000-8000-000000000000',
  type: 'state',
  at: '1763740000000',
  era: '1',
  companyId: '0199aaaa-0000-7000-8000-000000000001',
};
const record = (n: number): OutRecord => ({ topic: 'bench.report.v1', key: `device-${n % 5_000}`, headers, value });

interface Result {
  p50: number;
  p99: number;
  perSecond: number;
  cpuMicros: number;
}
const at = (sorted: number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;

/**
 * `one` publishes a record and waits until it is handled; `many` does so with all records. Each returns the number of
 * handled records.
 */
async function measure(one: (n: number) => Promise<number>, many: () => Promise<number>): Promise<Result> {
  const times: number[] = [];
  for (let n = 0; n < singles; n += 1) {
    const began = performance.now();
    if ((await one(n)) !== 1) throw new Error('a record was not handled');
    times.push(performance.now() - began);
  }
  const cpu = process.cpuUsage();
  const began = performance.now();
  if ((await many()) !== rows) throw new Error('records were not handled');
  const took = performance.now() - began;
  const used = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  return {
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    perSecond: (rows / took) * 1_000,
    cpuMicros: (used.user + used.system) / rows,
  };
}

async function floor(): Promise<Result> {
  const client = new pg.Client({ connectionString: await testDatabase('floor') });
  await client.connect();
  await client.query(
    'create table record (id bigint generated always as identity primary key, key text, headers text, value text)',
  );
  let last = '0';
  const insert = (records: OutRecord[]): Promise<unknown> =>
    client.query('insert into record (key, headers, value) select * from unnest($1::text[], $2::text[], $3::text[])', [
      records.map((r) => r.key),
      records.map((r) => JSON.stringify(r.headers)),
      records.map((r) => r.value),
    ]);
  const read = async (): Promise<number> => {
    const { rows: found } = await client.query<{ id: string; headers: string }>(
      'select id, key, headers, value from record where id > $1 order by id limit 500',
      [last],
    );
    for (const r of found) JSON.parse(r.headers);
    last = found.at(-1)?.id ?? last;
    return found.length;
  };
  const result = await measure(
    async (n) => {
      await insert([record(n)]);
      return read();
    },
    async () => {
      let handled = 0;
      for (let n = 0; n < rows; n += perCall) {
        await insert(Array.from({ length: perCall }, (_, i) => record(n + i)));
        handled += await read();
      }
      return handled;
    },
  );
  await client.end();
  return result;
}

async function bus(): Promise<Result> {
  const connection = { connectionString: await testDatabase('bench') };
  await migrateBus(connection);
  const log = await PostgresBus.open({ connection });
  await log.ensureTopics([{ name: 'bench.report.v1', partitions: 24, cleanup: 'delete' }]);
  let handled = 0;
  let want = 0;
  let reached = (): void => undefined;
  const consumer = await log.group({
    group: 'bench',
    topics: ['bench.report.v1'],
    async handle({ records }) {
      handled += records.length;
      if (handled >= want) reached();
    },
  });
  const handledAfter = async (count: number, publish: () => Promise<unknown>): Promise<number> => {
    const before = handled;
    want = before + count;
    const done = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await publish();
    if (handled < want) await done;
    return handled - before;
  };
  const result = await measure(
    (n) => handledAfter(1, () => log.publish([record(n)])),
    () =>
      handledAfter(rows, async () => {
        for (let n = 0; n < rows; n += perCall)
          await log.publish(Array.from({ length: perCall }, (_, i) => record(n + i)));
      }),
  );
  await consumer.close();
  await log.close();
  return result;
}

await withMachine('bench bus', async () => {
  const results: { floor: Result[]; bus: Result[] } = { floor: [], bus: [] };
  for (let run = 0; run < runs; run += 1) {
    results.floor.push(await floor());
    results.bus.push(await bus());
  }
  const median = (results: Result[], what: keyof Result): number =>
    results.map((r) => r[what]).sort((a, b) => a - b)[runs >> 1]!;
  for (const [what, unit] of [
    ['p50', 'ms publish to handled'],
    ['p99', 'ms publish to handled'],
    ['perSecond', 'records a second, 500 a call'],
    ['cpuMicros', 'µs of Node CPU a record'],
  ] as const) {
    const [f, b] = [median(results.floor, what), median(results.bus, what)];
    console.log(
      `${what.padEnd(10)} bus ${b.toFixed(2).padStart(9)}  floor ${f.toFixed(2).padStart(9)}  ratio ${(b / f).toFixed(2)}  (${unit})`,
    );
  }

  const kafka = await testKafka();
  const figures: { bus: KafkaFigures[]; bare: KafkaFigures[] } = { bus: [], bare: [] };
  for (let run = 0; run < runs; run += 1) {
    figures.bare.push(await bareClient(kafka.bootstrap, `bench.bare${run}.v1`, 200_000, singles));
    figures.bus.push(await ourBus(kafka.bootstrap, `bench.bus${run}.v1`, 200_000, singles));
  }
  await kafka.stop();
  console.log('\nover Kafka, beside the bare client');
  for (const [what, name, unit] of [
    ['producedPerSecond', 'produced', 'records a second, 500 a call'],
    ['produceMicros', 'produced', 'µs of Node CPU a record'],
    ['consumedPerSecond', 'consumed', 'records a second'],
    ['consumeMicros', 'consumed', 'µs of Node CPU a record'],
    ['p50', 'publish to handled, p50', 'ms'],
    ['p99', 'publish to handled, p99', 'ms'],
  ] as const) {
    const mine = spread(figures.bus.map((f) => f[what]));
    report(
      {
        name,
        unit,
        value: mine.median,
        beside: { name: 'bare client', value: spread(figures.bare.map((f) => f[what])).median },
      },
      mine,
    );
  }
});
