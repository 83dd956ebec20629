import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { FlushMode, type EntityManager } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import { createLogger } from '@carillon/observability';
import { runAs, systemContext, type Context } from '@carillon/tenancy';
import type { Columns } from './columns.ts';
import type { Database } from './database.ts';

/** What PostgreSQL's policies read. A company of null sees no tenant's row at all. */
export interface Session {
  companyId: string | null;
  /** Organizations that may be seen; `*` is all. */
  orgIds: readonly string[] | '*';
  /** Who acts: sees also what he made himself, where a table says so. */
  userId?: string | null;
  /** `platform` sees every company: only through {@link platform}. */
  role?: string;
}

export function sessionOf(context: Context): Session {
  // Who sees all organizations also sees what belongs to none of them yet.
  return { companyId: context.companyId, orgIds: context.allOrgs ? '*' : context.orgIds, userId: context.userId };
}

/** All of one company: consumers, timers. */
export const companySession = (companyId: string | null): Session => ({ companyId, orgIds: '*' });

interface Running {
  database: Database;
  companyId: string;
  /** What it began with: `companyId` follows {@link enterCompany}, these do not change. */
  session: Session;
  readOnly: boolean;
  /** Role that was taken, undefined for the application's own. */
  role: string | undefined;
  /** Its connection, on which it has begun; a lazy one has none before its first statement. */
  client: pg.PoolClient | undefined;
  open: () => Promise<pg.PoolClient>;
  sql: Sql;
  em: EntityManager | undefined;
  ended: boolean;
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
  /**
   * PostgreSQL's own `$1` placeholders; arrays and objects as the driver takes them. What was changed through
   * {@link currentEntities} before is written first, so that the statement sees it.
   */
  query<R = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }>;
  /** The rows of a statement that has the list in its text: they are of the entity's types without a cast. */
  rows<R>(list: Columns<R>, text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** SQL inside the running transaction. */
export function currentSql(): Sql {
  return running().sql;
}

/** A handler that was not waited for would write into the next one's transaction. */
function checkRuns(current: Running): void {
  if (current.ended) throw new Error('the transaction has ended');
}

function sqlOf(current: Running): Sql {
  const sql: Sql = {
    async query<R>(text: string, values: readonly unknown[] = []) {
      checkRuns(current);
      if (!current.client) {
        await current.open();
        checkRuns(current);
      }
      if (current.em) {
        await current.em.flush();
        checkRuns(current);
      }
      const { rows, rowCount } = await current.client!.query(text, [...values]);
      return { rows: rows as R[], rowCount: rowCount ?? rows.length };
    },
    async rows<R>(list: Columns<R>, text: string, values?: readonly unknown[]) {
      if (!text.includes(`${list}`))
        throw new Error(`the statement does not have the columns that it is read by: ${text}`);
      return (await sql.query(text, values)).rows.map((row) => list.read(row));
    },
  };
  return sql;
}

/**
 * Runs `fn` of the running transaction as another role and comes back, also when `fn` failed and the transaction goes
 * on.
 */
export async function asRole<T>(role: string, fn: () => Promise<T>): Promise<T> {
  const current = running();
  const before = current.role;
  const sql = currentSql();
  const take = async (name: string | undefined): Promise<void> => {
    // What one role has read is not there for the other: an entity that is known is given without asking PostgreSQL.
    await forgetEntities(current);
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

/**
 * The entities of the running transaction, for plain reading and writing of a noun: the policies of its session apply.
 * What was changed is written before the next statement, of SQL too, and before the commit; `flush()` writes it
 * at once, where an error of the database is to be told to a person. What SQL changed is not noticed by an entity that
 * was read before: within a transaction a row is written by the one or by the other.
 */
export function currentEntities(): EntityManager {
  const current = running();
  if (current.em) return current.em;
  const connect = async () => {
    checkRuns(current);
    const client = await current.open();
    const query: typeof client.query = (...statement: unknown[]) => {
      checkRuns(current);
      return (client.query as (...values: unknown[]) => never)(...statement);
    };
    return { query, release: () => undefined } as never;
  };
  const bound = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: {} } }),
  });
  const em = current.database.em.fork({ clear: true, flushMode: FlushMode.ALWAYS });
  em.setTransactionContext(bound as never);
  current.em = em;
  return em;
}

async function forgetEntities({ em }: Running): Promise<void> {
  await em?.flush();
  em?.clear();
}

export function currentDatabase(): Database {
  return running().database;
}

export function inTransaction(): boolean {
  return storage.getStore() !== undefined;
}

/**
 * What a transaction inside of this one would be given although it asked for less, in words; undefined when nothing.
 * The inner one is the outer one, so that what it renounced would be there all the same.
 */
function excess(outer: Running, session: Session, { readOnly = false }: TransactionOptions): string | undefined {
  if (outer.role !== session.role && outer.role !== undefined) return `the role ${outer.role}`;
  if (readOnly && !outer.readOnly) return 'writing';
  if (session.orgIds === '*') return undefined;
  const { orgIds } = outer.session;
  if (orgIds === '*') return 'all organizations';
  const asked = new Set(session.orgIds);
  if (orgIds.some((id) => !asked.has(id))) return 'other organizations';
  return (outer.session.userId ?? null) === (session.userId ?? null) ? undefined : "another user's own rows";
}

/** Runs inside the transaction as its last statements, in the order given. */
export function beforeCommit(fn: () => Promise<void>): void {
  running().before.push(fn);
}

/** Runs after the commit, never after a rollback, and outside of the transaction. */
export function afterCommit(fn: () => void): void {
  running().after.push(fn);
}

export interface TransactionOptions {
  readOnly?: boolean;
  /** All of its statements see one moment. */
  snapshot?: boolean;
  /** Does not wait for the disk: a crash of the server may undo it. For work that is done again when it is missing. */
  repeatable?: boolean;
  /** Begins with the first statement: a call that reads nothing takes no connection. */
  lazy?: boolean;
  /** Nobody waits for it: a batch of a consumer. */
  background?: boolean;
}

/** As the platform itself in one company, with all that it has: what timers and consumers do. */
export function inCompany<T>(database: Database, companyId: string, fn: () => Promise<T>): Promise<T> {
  return runAs(systemContext(companyId), () => transaction(database, companySession(companyId), fn));
}

/**
 * Runs `fn` in one transaction under the given session. Settings are local to the transaction, so that a pooler in
 * transaction mode works. A transaction inside another of the same database and company is the same one; it is refused
 * when it asks for less than that one has, because it would not get less.
 */
export async function transaction<T>(
  database: Database,
  session: Session,
  fn: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const companyId = session.companyId ?? nobody;
  const outer = storage.getStore();
  if (outer?.database === database) {
    if (outer.companyId !== companyId) throw new Error('a transaction of another company is running: end it first');
    const given = excess(outer, session, options);
    if (given !== undefined) throw new Error(`the running transaction has more than is asked for here: ${given}`);
    return fn();
  }
  let client: pg.PoolClient | undefined;
  let opening: Promise<pg.PoolClient> | undefined;
  const leave = options.background ? await database.background() : undefined;
  const open = (): Promise<pg.PoolClient> =>
    (opening ??= (async () => {
      client = await database.pool.connect();
      // Without a listener a connection that is lost between two statements would end the process.
      client.on('error', ignore);
      // One round trip: what a transaction begins with is paid by every call and every batch.
      await client.query(beginSql(companyId, session, options));
      return (current.client = client);
    })());
  const current: Running = {
    database,
    companyId,
    session,
    readOnly: options.readOnly ?? false,
    role: session.role,
    client: undefined,
    open,
    sql: undefined as never,
    em: undefined,
    ended: false,
    before: [],
    after: [],
  };
  current.sql = sqlOf(current);
  let broken: Error | undefined;
  let result: T;
  try {
    if (!options.lazy) await open();
    result = await storage.run(current, async () => {
      const value = await fn();
      for (const then of current.before) await then();
      await current.em?.flush();
      return value;
    });
    current.ended = true;
    // PostgreSQL answers a COMMIT of a transaction that has failed by rolling it back, without an error.
    if (opening && (await (await opening).query('commit')).command !== 'COMMIT')
      throw new Error('the transaction had failed and was rolled back');
  } catch (error) {
    current.ended = true;
    // A statement that nobody waited for may be opening it now.
    await opening?.catch(() => undefined);
    await client?.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client?.removeListener('error', ignore);
    // A connection that could not be rolled back is not used again.
    client?.release(broken);
    leave?.();
  }
  for (const then of current.after) {
    try {
      storage.exit(then);
    } catch (err) {
      log.error({ err }, 'what follows a commit failed; the commit stands');
    }
  }
  return result;
}

const ignore = (): void => undefined;

function beginSql(companyId: string, session: Session, options: TransactionOptions): string {
  const orgIds = session.orgIds === '*' ? '*' : session.orgIds.join(',');
  const settings = { company_id: companyId, org_ids: orgIds, user_id: session.userId ?? '' };
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config('app.${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  const begin = options.snapshot ? 'begin isolation level repeatable read' : 'begin';
  return [
    options.readOnly ? `${begin} read only` : begin,
    `select ${set.join(', ')}`,
    ...(options.repeatable ? ['set local synchronous_commit = off'] : []),
    ...(session.role ? [`set local role ${pg.escapeIdentifier(session.role)}`] : []),
  ].join('; ');
}

/** Turns the running transaction to another company: how one batch serves several, each under its own setting. */
export async function enterCompany(companyId: string | null): Promise<void> {
  const current = running();
  await forgetEntities(current);
  await currentSql().query(`select set_config('app.company_id', $1, true)`, [companyId ?? nobody]);
  current.companyId = companyId ?? nobody;
}
