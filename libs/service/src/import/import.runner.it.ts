import { Migration } from '@mikro-orm/migrations';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { currentSql, Database, migrate, platform, provision, uuidv7 } from '@carillon/persistence';
import { eventually, testConnection, testPostgres } from '@carillon/testing';
import { importDdl, importSheetDdl } from './import.entity.ts';
import { ImportRunner } from './import.runner.ts';

class Tables extends Migration {
  override up(): void {
    for (const sql of [...importDdl, ...importSheetDdl]) this.addSql(sql);
  }
}
class Claiming extends ImportRunner {
  async next(): Promise<string[]> {
    const jobs = await platform(database, 'the next imports of a test', () => this.claim());
    return jobs.map((job) => names.get(job.id)!).toSorted();
  }
}
let database: Database;
const names = new Map<string, string>();

beforeAll(async () => {
  const connection = await testConnection('import-runner');
  await provision(await testPostgres(), connection, 'owner');
  await migrate({ connection, entities: [], migrations: [Tables] }, 'owner');
  database = await Database.open({ connection, entities: [], migrations: [] });
});
afterAll(() => database?.close());

async function stage(companyId: string, name: string): Promise<void> {
  const id = uuidv7();
  names.set(id, name);
  await platform(database, 'an import of a test', () =>
    currentSql().query(
      `
        insert into import (
          id, company_id, noun, user_id, access, name, status, ignored, counts, lease_until, created_at
        )
        values ($1, $2, 'device', $2, '{}', $3, 'checking', '[]', '{}', now(), clock_timestamp())
      `,
      [id, companyId, name],
    ),
  );
}
const end = (name: string) =>
  platform(database, 'an import of a test', () =>
    currentSql().query(`update import set status = 'done' where name = $1`, [name]),
  );

test('companies take turns: each has one import in progress, and its further ones wait', async () => {
  const runner = new Claiming(database, []);
  const [many, few] = [uuidv7(), uuidv7()];
  for (const name of ['a1', 'a2', 'a3']) await stage(many, name);
  await stage(few, 'b1');
  expect(await runner.next()).toEqual(['a1', 'b1']);
  await stage(few, 'b2');
  expect(await runner.next()).toEqual([]);
  await end('a1');
  expect(await runner.next()).toEqual(['a2']);
  await end('b1');
  expect(await runner.next()).toEqual(['b2']);
});

test('the next import of a company begins when the one before it ends, without waiting for a tick', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const performed: string[] = [];
  class Performing extends ImportRunner {
    protected override async step(job: { id: string }): Promise<undefined> {
      performed.push(names.get(job.id)!);
      await end(names.get(job.id)!);
    }
  }
  const company = uuidv7();
  for (const name of ['c1', 'c2', 'c3']) await stage(company, name);
  const runner = new Performing(database, []);
  try {
    runner.onApplicationBootstrap();
    await eventually(() => expect(performed).toEqual(['c1', 'c2', 'c3']));
  } finally {
    await runner.onApplicationShutdown();
    vi.useRealTimers();
  }
});
