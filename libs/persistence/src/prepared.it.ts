import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Migration } from '@mikro-orm/migrations';
import { testConnection, testPostgres } from '@carillon/testing';
import { companySession, Database, migrate, platform, preparedSql, provision, transaction, uuidv7 } from './index.ts';

const [a, b] = [uuidv7(), uuidv7()];
let database: Database;
let owner: pg.Client;

class First extends Migration {
  override up(): void {
    this.addSql('create table phone (company_id uuid not null, name varchar(20) not null)');
    this.addSql('alter table phone enable row level security');
    this.addSql('alter table phone force row level security');
    this.addSql(`create policy company on phone using (company_id = current_setting('app.company_id')::uuid)`);
  }
}

beforeAll(async () => {
  const admin = await testPostgres();
  // One connection, so that every transaction finds the statements of the one before.
  const connection = { ...(await testConnection('prepared')), poolMax: 1 };
  await provision(admin, connection, 'owner');
  await migrate({ connection, entities: [], migrations: [First] }, 'owner');
  database = await Database.open({ connection, entities: [], migrations: [First] });
  const name = connection.database;
  owner = new pg.Client({ ...admin, database: name });
  await owner.connect();
  await owner.query(`insert into phone values ('${a}', 'a1'), ('${a}', 'a2'), ('${b}', 'b1')`);
});
afterAll(async () => {
  await owner?.end();
  await database?.close();
});

const text = 'select name from phone order by name';
const names = async () => (await preparedSql().query<{ name: string }>(text)).rows.map(({ name }) => name);
const namesOf = (company: string) => transaction(database, companySession(company), names);
const statements = () =>
  transaction(database, companySession(a), async () => {
    const { rows } = await preparedSql().query<{ plans: string }>(
      'select generic_plans + custom_plans as plans from pg_prepared_statements where statement = $1',
      [text],
    );
    return rows.map(({ plans }) => Number(plans));
  });

test('a prepared statement is parsed once for all companies and roles, and each sees only its own rows', async () => {
  for (let time = 0; time < 10; time++) expect(await namesOf(a)).toEqual(['a1', 'a2']);
  expect(await namesOf(b)).toEqual(['b1']);
  expect(await platform(database, 'a test', names)).toEqual(['a1', 'a2', 'b1']);
  expect(await namesOf(b)).toEqual(['b1']);
  expect(await namesOf(a)).toEqual(['a1', 'a2']);
  expect(await statements()).toEqual([14]);
});

test('a statement whose columns a migration changed fails once, and works on a new connection', async () => {
  await namesOf(a);
  await owner.query('alter table phone alter column name type text');
  await expect(namesOf(a)).rejects.toThrow('cached plan must not change result type');
  expect(await namesOf(a)).toEqual(['a1', 'a2']);
  expect(await statements()).toEqual([1]);

  // The work that caught the error has no other.
  await owner.query('alter table phone alter column name type varchar(30)');
  const caught = transaction(database, companySession(a), () => names().catch(() => []));
  await expect(caught).rejects.toThrow('rolled back');
  expect(await namesOf(a)).toEqual(['a1', 'a2']);
});
