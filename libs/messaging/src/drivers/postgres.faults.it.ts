import { fork, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { freePort } from '@carillon/devtools/free-port';
import { testDatabase } from '@carillon/testing';
import { eventually, gate, Journal, sequenceOf } from '@carillon/testing/bus-journal';
import { binaries, initdb, startPostgres, stopPostgres, type Binaries } from '@carillon/testing/postgres-binaries';
import { open } from './postgres.conformance.ts';
import { migrateBus, PostgresBus, type PostgresBusOptions } from './postgres.ts';

const topic = 'fault.event.v1';
const out = (key: string, value: string) => ({ topic, key, headers: { id: value }, value });

/** Faults of the server that the log in PostgreSQL must survive besides the suite. */
describe('log in PostgreSQL whose server fails', () => {
  let programs: Binaries;
  let folder: string;
  let port: number;
  let server: ChildProcess;
  let bus: PostgresBus | undefined;
  const url = (): string => `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<void> => {
    server = await startPostgres(programs, join(folder, 'data'), port, { synchronous_commit: 'on', fsync: 'off' });
  };

  beforeAll(async () => {
    programs = await binaries();
    folder = await mkdtemp(join(tmpdir(), 'carillon-fault-'));
    if (programs.user) await chown(folder, programs.user.uid, programs.user.gid);
    port = await freePort();
    await initdb(programs, join(folder, 'data'));
    await start();
    await migrateBus({ connectionString: url() });
  });
  afterEach(async () => {
    await bus?.close();
  });
  afterAll(async () => {
    await stopPostgres(server, 'immediate');
    await rm(folder, { recursive: true, force: true });
  });
  const opened = async (name: string, options: Partial<PostgresBusOptions> = {}): Promise<PostgresBus> => {
    bus = await PostgresBus.open({ connection: { connectionString: url() }, leaseMs: 1_500, ...options });
    await bus.ensureTopics([{ name, partitions: 4, cleanup: 'delete', retentionMs: 3_600_000 }]);
    return bus;
  };

  it.each(['fast', 'immediate'] as const)(
    'loses, duplicates and reorders nothing of 16 writers over a restart (%s)',
    async (how) => {
      const name = `fault.${how}.v1`;
      const running = await opened(name);
      const [journal, feed] = [new Journal(), new Journal()];
      await running.group({ group: 'g', topics: [name], handle: async ({ records }) => journal.add(records) });
      await running.fanout({ topics: [name], from: 'end', handle: ({ records }) => feed.add(records) });
      let writing = true;
      const counts = Array.from({ length: 16 }, async (_, k) => {
        let n = 0;
        for (; writing; n += 1) await running.publish([{ topic: name, key: `k${k}`, headers: {}, value: String(n) }]);
        return n;
      });
      for (let restarts = 0; restarts < 2; restarts += 1) {
        const before = journal.records.length;
        await eventually('under load', () => journal.records.length > before + 500);
        await stopPostgres(server, how);
        await start();
      }
      const before = journal.records.length;
      await eventually('goes on', () => journal.records.length > before + 500, 20_000);
      writing = false;
      const totals = await Promise.all(counts);
      const all = totals.reduce((a, b) => a + b, 0);
      await eventually('all handled', () => journal.distinct() === all && feed.distinct() === all, 20_000);
      // Each append has a number, so that one whose answer was lost is not stored twice.
      for (let k = 0; k < 16; k += 1) expect(feed.valuesOf(`k${k}`)).toEqual(sequenceOf(totals[k]!));
      for (let k = 0; k < 16; k += 1) expect(journal.skips(`k${k}`)).toBe(false);
    },
  );

  it('rejects a publish at its deadline, is unhealthy, and accepts the next when the server is back', async () => {
    const running = await opened('fault.late.v1', { deadlineMs: 400 });
    await stopPostgres(server, 'immediate');
    expect(await running.healthy()).toBe(false);
    const began = performance.now();
    await expect(running.publish([{ topic: 'fault.late.v1', key: 'k', headers: {}, value: '0' }])).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
    await start();
    await running.publish([{ topic: 'fault.late.v1', key: 'k', headers: {}, value: '1' }]);
    expect(await running.healthy()).toBe(true);
  });

  it('rejects more than its queue holds while the server is away, instead of growing', async () => {
    const running = await opened('fault.full.v1', { deadlineMs: 1_000, queueBytes: 100_000 });
    await stopPostgres(server, 'immediate');
    const calls = Array.from({ length: 300 }, () =>
      running.publish([{ topic: 'fault.full.v1', key: 'k', headers: {}, value: 'x'.repeat(1_000) }]),
    );
    await expect(calls.at(-1)).rejects.toThrow(/does not take more/);
    await Promise.allSettled(calls);
    await start();
  });
});

describe('log in PostgreSQL with processes that hang', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const c of children.splice(0)) c.kill('SIGKILL');
  });

  it('another process gets the partitions of a stopped one, which moves nothing when it wakes', async () => {
    const url = await testDatabase('bus');
    await migrateBus({ connectionString: url });
    const bus = await open(url);
    await bus.ensureTopics([{ name: topic, partitions: 2, cleanup: 'delete' }]);
    await bus.publish(Array.from({ length: 100 }, (_, n) => out(`k${n % 4}`, String(Math.floor(n / 4)))));
    const file = join(tmpdir(), `carillon-zombie-${process.pid}`);
    const child = fork(
      new URL('../../../testing/src/bus.child.ts', import.meta.url),
      [
        new URL('./postgres.conformance.ts', import.meta.url).href,
        url,
        JSON.stringify({ mode: 'consume', topic, group: 'g', journal: file, point: 'after' }),
      ],
      { execArgv: ['--conditions=carillon-source'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    children.push(child);
    await new Promise<void>((resolve) => {
      child.on('message', (m) => {
        if (m === 'point') resolve();
      });
    });
    child.kill('SIGSTOP');
    const journal = new Journal();
    const hang = gate();
    await bus.group({
      group: 'g',
      topics: [topic],
      maxBatch: 10,
      handle: async ({ records }) => {
        journal.add(records);
        await hang.opened;
      },
    });
    await eventually('taken over', () => journal.records.length >= 20, 10_000);
    const positions = async (): Promise<string> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select slot, pos, epoch from position order by slot');
      await client.end();
      return JSON.stringify(rows);
    };
    const before = await positions();
    const handled = (): number => readFileSync(file, 'utf8').trim().split('\n').length;
    const woken = handled();
    child.kill('SIGCONT');
    // It wakes, notices that it lost its partitions, and leaves them alone while their new owner lives.
    await eventually('the woken process has joined again', async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select count(*)::int as n from member');
      await client.end();
      return rows[0].n === 2;
    });
    expect(await positions()).toBe(before);
    expect(handled() - woken).toBeLessThanOrEqual(14);
    hang.open();
    await bus.close();
    await rm(file, { force: true });
  });

  it('starts under the name of a killed process without waiting for its lease', async () => {
    const url = await testDatabase('bus');
    await migrateBus({ connectionString: url });
    const first = await PostgresBus.open({ connection: { connectionString: url }, name: 'standalone' });
    await first.ensureTopics([{ name: topic, partitions: 2, cleanup: 'delete' }]);
    await first.group({ group: 'g', topics: [topic], handle: async () => undefined });
    const second = await PostgresBus.open({ connection: { connectionString: url }, name: 'standalone' });
    const journal = new Journal();
    const began = performance.now();
    await second.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    await second.publish([out('k', '0')]);
    await eventually('handled', () => journal.records.length === 1, 3_000);
    expect(performance.now() - began).toBeLessThan(3_000);
    await Promise.all([first.close(), second.close()]);
  });

  it('stores a record once when the answer to its append is lost', async () => {
    const url = new URL(await testDatabase('bus'));
    await migrateBus({ connectionString: url.href });
    const behind = Number(url.port);
    let swallow = false;
    let lost = 0;
    const proxy = createServer((client) => {
      const server = connect(behind, '127.0.0.1');
      client.pipe(server);
      server.on('data', (data) => {
        if (!swallow) {
          client.write(data);
          return;
        }
        swallow = false;
        lost += 1;
        client.destroy();
        server.destroy();
      });
      for (const s of [client, server])
        s.on('error', () => undefined).on('close', () => {
          client.destroy();
          server.destroy();
        });
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    url.port = String((proxy.address() as AddressInfo).port);
    const bus = await open(url.href);
    await bus.ensureTopics([{ name: topic, partitions: 1, cleanup: 'delete' }]);
    for (let n = 0; n < 10; n += 1) {
      swallow = true;
      await bus.publish([out('k', String(n))]);
    }
    const journal = new Journal();
    await bus
      .fanout({ topics: [topic], from: 'start', handle: ({ records }) => journal.add(records) })
      .then((f) => f.caughtUp);
    expect(lost).toBe(10);
    expect(journal.valuesOf('k')).toEqual(sequenceOf(10));
    await bus.close();
    proxy.close();
  });

  it('several processes can migrate it at once', async () => {
    const url = await testDatabase('bus');
    await Promise.all(Array.from({ length: 4 }, () => migrateBus({ connectionString: url })));
    const bus = await open(url);
    expect(await bus.healthy()).toBe(true);
    await bus.close();
  });
});
