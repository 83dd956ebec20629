import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { createLogger } from '@carillon/observability';
import type { Context } from '@carillon/tenancy';
import type { Database } from './database.ts';

/** What PostgreSQL's policies read. A company of null sees no tenant's row at all. */
export interface Session {
  companyId: string | null;
  /** Organizations that may be seen; `*` is all. */
  orgIds: readonly string[] | '*';
  /** `platform` sees every company: only through {@link platform}. */
  role?: string;
}

export function sessionOf(context: Context): Session {
  return { companyId: context.companyId, orgIds: context.orgIds };
}

/** All of one company: consumers, timers. */
export const companySession = (companyId: string | null): Session => ({ companyId, orgIds: '*' });

interface Running {
  database: Database;
  companyId: string;
  /** Role that was taken, undefined for the application's own. */
  role: string | undefined;
  em: EntityManager;
  sql: Sql | undefined;
  before: (() => Promise<void>)[];
  after: (() => void)[];
}

const log = createLogger('persistence');
const storage = new AsyncLocalStorage<Running>();
const nobody = '00000000-0000-0000-0000-000000000000';

function running(): Running {
  const current = storage.getStore();
  if (!current) throw new Error('no transaction: run this inside transaction()');
  return current;
}

export interface Sql {
  /** PostgreSQL's own `$1` placeholders; arrays and objects as the driver takes them. */
  query<R = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<{ rows: R[]; rowCount: number }>;
}

/** SQL inside the running transaction. */
export function currentSql(): Sql {
  const current = running();
  if (current.sql) return current.sql;
  const trx = current.em.getTransactionContext() as unknown as Kysely<unknown> | undefined;
  if (!trx) throw new Error('the transaction has ended');
  current.sql = {
    async query<R>(text: string, values: readonly unknown[] = []) {
      const result = await trx.executeQuery<R>(CompiledQuery.raw(text, [...values]));
      return { rows: result.rows, rowCount: Number(result.numAffectedRows ?? result.rows.length) };
    },
  };
  return current.sql;
}

/** Runs `fn` of the running transaction as another role and comes back, also when `fn` failed and the transaction goes on. */
export async function asRole<T>(role: string, fn: () => Promise<T>): Promise<T> {
  const current = running();
  const before = current.role;
  const sql = currentSql();
  const take = async (name: string | undefined): Promise<void> => {
    await sql.query(`set local role ${name === undefined ? 'none' : pg.escapeIdentifier(name)}`);
    current.role = name;
  };
  await take(role);
  let result: T;
  try {
    result = await fn();
  } catch (error) {
    // PostgreSQL's own error has ended the transaction, and its role with it.
    await take(before).catch(() => undefined);
    throw error;
  }
  await take(before);
  return result;
}

/** Entity manager of the running transaction: the policies of its session apply. */
export function currentEm(): EntityManager {
  return running().em;
}

export function currentDatabase(): Database {
  return running().database;
}

export function inTransaction(): boolean {
  return storage.getStore() !== undefined;
}

/** Runs inside the transaction as its last statements, in the order given. */
export function beforeCommit(fn: () => Promise<void>): void {
  running().before.push(fn);
}

/** Runs after the commit, never after a rollback, and outside of the transaction. */
export function afterCommit(fn: () => void): void {
  running().after.push(fn);
}

/**
 * Runs `fn` in one transaction under the given session. Settings are local to the transaction, so that a pooler in
 * transaction mode works. A transaction inside another of the same database and company is the same one.
 */
export async function transaction<T>(database: Database, session: Session, fn: () => Promise<T>, options: { readOnly?: boolean } = {}): Promise<T> {
  const companyId = session.companyId ?? nobody;
  const outer = storage.getStore();
  if (outer?.database === database) {
    if (outer.companyId !== companyId) throw new Error('a transaction of another company is running: end it first');
    return fn();
  }
  const em = database.em.fork({
    clear: true,
    session: { variables: { 'app.company_id': companyId, 'app.org_ids': session.orgIds === '*' ? '*' : session.orgIds.join(',') }, ...(session.role ? { role: session.role } : {}) },
  });
  const before: (() => Promise<void>)[] = [];
  const after: (() => void)[] = [];
  const result = await em.transactional(
    (tx) => storage.run({ database, companyId, role: session.role, em: tx as EntityManager, sql: undefined, before, after }, async () => {
      const value = await fn();
      for (const then of before) await then();
      return value;
    }),
    options.readOnly ? { readOnly: true } : {},
  );
  for (const then of after) {
    try { storage.exit(then); } catch (err) { log.error({ err }, 'what follows a commit failed; the commit stands'); }
  }
  return result;
}

/** Turns the running transaction to another company: how one batch serves several, each under its own setting. */
export async function enterCompany(companyId: string | null): Promise<void> {
  const current = running();
  await current.em.flush();
  current.em.clear();
  await currentSql().query(`select set_config('app.company_id', $1, true)`, [companyId ?? nobody]);
  current.companyId = companyId ?? nobody;
}
