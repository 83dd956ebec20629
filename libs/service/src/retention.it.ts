import { Migration } from '@mikro-orm/migrations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  companySession,
  currentSql,
  Database,
  migrate,
  platform,
  provision,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import { eventually, testConnection, testPostgres } from '@carillon/testing';
import { deletedDdl, DeletedRetention } from './deleted.ts';
import { Retention } from './retention.ts';

let database: Database;
class Tables extends Migration {
  override up(): void {
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
const insert = (minutes: number, count: number) =>
  transaction(database, companySession(company), () =>
    currentSql().query(
      `
        insert into deleted (id, company_id, kind, user_id, row, deleted_at)
        select gen_random_uuid(), $1, 'x', $1, '{}', now() - make_interval(mins => $2)
        from generate_series(1, $3)
      `,
      [company, minutes, count],
    ),
  );
const left = async (): Promise<number> =>
  (
    await platform(database, 'a test counts', () =>
      currentSql().query<{ n: number }>('select count(*)::int as n from deleted'),
    )
  ).rows[0]!.n;
const company = uuidv7();

beforeAll(async () => {
  const connection = await testConnection('retention');
  await provision(await testPostgres(), connection, 'owner');
  await migrate({ connection, entities: [], migrations: [Tables] }, 'owner');
  database = await Database.open({ connection, entities: [], migrations: [] });
});
afterAll(() => database?.close());

test('a starting service deletes what can no longer be restored, and keeps the rest', async () => {
  await insert(6, 3);
  await insert(4, 2);
  const retention = new DeletedRetention(database);
  retention.onApplicationBootstrap();
  await eventually(async () => expect(await left()).toBe(2));
  await retention.onApplicationShutdown();
  await transaction(database, companySession(company), () => currentSql().query('delete from deleted'));
});

test('deletes rows in parts until none is left, retries after a failure, and stops with the service', async () => {
  let [turns, broken] = [0, true];
  class Parts extends Retention {
    constructor() {
      super(database, {
        reason: 'a test',
        everyMs: 20,
        atOnce: 2,
        forget: async () => {
          turns++;
          if (broken) throw new Error('the database is away');
          return (await currentSql().query('delete from deleted where id in (select id from deleted limit 2)'))
            .rowCount;
        },
      });
    }
  }
  await insert(0, 5);
  const parts = new Parts();
  parts.onApplicationBootstrap();
  await eventually(() => expect(turns).toBeGreaterThan(1));
  expect(await left()).toBe(5);
  broken = false;
  await eventually(async () => expect(await left()).toBe(0));
  await parts.onApplicationShutdown();
  const ended = turns;
  await insert(0, 1);
  await parts.forget();
  expect([await left(), turns]).toEqual([1, ended]);
});
