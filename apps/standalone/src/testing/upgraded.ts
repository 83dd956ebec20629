import { expect } from 'vitest';
import { orgService } from '@carillon/org/module';
import { companySession, currentSql, Database, migrate, provision, transaction } from '@carillon/persistence';
import { testConnection, testPostgres } from '@carillon/testing';

/** Creates a service's database before the migration `to`, adds rows, and then migrates it completely. */
export async function upgraded(
  { name, database }: Pick<typeof orgService, 'name' | 'database'>,
  to: string,
  fill: (sql: (companyId: string, text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<void>,
  look: (sql: (companyId: string, text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const connection = await testConnection(name);
  await provision(await testPostgres(), connection, 'owner');
  const { migrations } = database!;
  const at = migrations.findIndex((m) => m.name.startsWith(to));
  expect(at).toBeGreaterThan(0);
  const open = await Database.open({ connection, ...database! });
  const sql = (companyId: string, text: string, values: unknown[] = []) =>
    transaction(open, companySession(companyId), async () => (await currentSql().query(text, values)).rows);
  try {
    await migrate({ connection, ...database!, migrations: migrations.slice(0, at) }, 'owner');
    await fill(sql);
    await migrate({ connection, ...database! }, 'owner');
    await look(sql);
  } finally {
    await open.close();
  }
}
