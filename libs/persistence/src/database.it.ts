import pg from 'pg';
import { expect, it } from 'vitest';
import { testConnection, testPostgres } from '@carillon/testing';
import { Database } from './database.ts';
import { provision } from './migrate.ts';
import { companySession, currentSql, transaction } from './transaction.ts';

const company = '019a0000-0000-7000-8000-000000000001';

it('regains all connections after as many transactions lost theirs', async () => {
  const connection = await testConnection('lost', 2);
  await provision(await testPostgres(), connection, 'owner');
  const database = await Database.open({ connection, entities: [], migrations: [] });
  const lose = (): Promise<unknown> =>
    transaction(database, companySession(null), () =>
      currentSql().query('select pg_terminate_backend(pg_backend_pid())'),
    );
  for (let i = 0; i < 4; i++) await expect(lose()).rejects.toThrow();
  const [one, two] = await Promise.all(
    [1, 2].map((n) =>
      transaction(
        database,
        companySession(null),
        async () => (await currentSql().query<{ n: number }>('select $1::int as n', [n])).rows[0]!.n,
      ),
    ),
  );
  expect([one, two]).toEqual([1, 2]);
  await database.close();
});

it('a condition on JSON uses its index under a policy', async () => {
  const connection = await testConnection('policy', 1);
  await provision(await testPostgres(), connection, 'owner');
  const owner = new pg.Client({ ...connection, user: `${connection.database}_owner`, password: 'owner' });
  await owner.connect();
  await owner.query(`
    create table thing (company_id uuid not null, part jsonb not null);
    create index thing_part on thing using gin (part jsonb_path_ops);
    alter table thing enable row level security;
    create policy thing_policy on thing using (company_id = current_setting('app.company_id')::uuid);
    insert into thing select '${company}', jsonb_build_array(n) from generate_series(1, 5000) n;
    analyze thing;
  `);
  await owner.end();
  const database = await Database.open({ connection, entities: [], migrations: [] });
  const plan = await transaction(database, companySession(company), async () => {
    const { rows } = await currentSql().query<{ 'QUERY PLAN': string }>(
      `explain select from thing where part @> '[7]'::jsonb`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('thing_part');
  await database.close();
});
