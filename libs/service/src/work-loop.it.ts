import { Migration } from '@mikro-orm/migrations';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { companySession, currentSql, Database, migrate, provision, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, testConnection, testPostgres } from '@carillon/testing';
import { deletedDdl } from './deleted.ts';
import { WorkLoop } from './work-loop.ts';

let database: Database;
/** Any table will do: its rows are the work, and a claim deletes them. */
class Tables extends Migration {
  override up(): void {
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
const company = uuidv7();
const addWork = (count: number) =>
  transaction(database, companySession(company), () =>
    currentSql().query(
      `
        insert into deleted (id, company_id, kind, user_id, row, deleted_at)
        select gen_random_uuid(), $1, 'x', $1, '{}', now()
        from generate_series(1, $2)
      `,
      [company, count],
    ),
  );

const neverMs = 3_600_000;
class Loop extends WorkLoop<string> {
  readonly performed: string[] = [];
  failing = false;
  constructor(tickMs: number) {
    super(database, { reason: 'a test looks for work', tickMs, atOnce: 2 });
    loops.push(this);
  }
  protected override async claim(): Promise<string[]> {
    if (this.failing) throw new Error('the database is away');
    const { rows } = await currentSql().query<{ id: string }>(`
      delete from deleted
      where id in (select id from deleted limit 2 for update skip locked)
      returning id
    `);
    return rows.map((row) => row.id);
  }
  protected override async perform(id: string): Promise<void> {
    this.performed.push(id);
  }
}
const loops: Loop[] = [];

beforeAll(async () => {
  const connection = await testConnection('work-loop');
  await provision(await testPostgres(), connection, 'owner');
  await migrate({ connection, entities: [], migrations: [Tables] }, 'owner');
  database = await Database.open({ connection, entities: [], migrations: [] });
});
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.onApplicationShutdown())));
afterAll(() => database?.close());

test('works at the start and when a commit wakes it, and each item runs in one of two processes', async () => {
  await addWork(3);
  const [one, other] = [new Loop(neverMs), new Loop(neverMs)];
  for (const loop of [one, other]) loop.onApplicationBootstrap();
  const done = (): string[] => [...one.performed, ...other.performed];
  await eventually(() => expect(done()).toHaveLength(3));
  await addWork(7);
  for (const loop of [one, other]) loop.wake();
  await eventually(() => expect(done()).toHaveLength(10));
  expect(new Set(done()).size).toBe(10);
});

test('the tick finds work without a wake-up, also after a failure, and a stopped loop takes nothing', async () => {
  const loop = new Loop(20);
  loop.failing = true;
  loop.onApplicationBootstrap();
  await addWork(5);
  loop.failing = false;
  await eventually(() => expect(loop.performed).toHaveLength(5));
  await loop.onApplicationShutdown();
  await addWork(1);
  loop.wake();
  await loop.onApplicationShutdown();
  expect(loop.performed).toHaveLength(5);
});
