import { expect, it } from 'vitest';
import { testConnection, testPostgres } from '@carillon/testing';
import { Database } from './database.ts';
import { provision } from './migrate.ts';
import { companySession, currentSql, transaction } from './transaction.ts';

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
