import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { FlushMode, type EntityManager } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import { NIL as nilUuid } from 'uuid';
import { createLogger } from '@carillon/observability';
import { runAs, systemContext, type Context } from '@carillon/tenancy';
import type { Columns } from './columns.ts';
import type { Database } from './database.ts';

/** Input of PostgreSQL's policies. With a null company no tenant row is visible. */
export interface Session {
  companyId: string | null;
  /** Visible organizations; `*` is all. */
  orgIds: readonly string[] | '*';
  /** Acting user, who also sees rows that they created, for tables that say so. */
  userId?: string | null;
  /** Their name, for tables that note who changed a row. */
  username?: string | null;
  /** `platform` sees every company: only through {@link platform}. */
  role?: string;
}

export function sessionOf(context: Context): Session {
  // A user who sees all organizations also sees rows that belong to none yet.
  const { companyId, userId, username, allOrgs, orgIds } = context;
  return { companyId, orgIds: allOrgs ? '*' : orgIds, userId, username: userId === null ? null : username };
}

/** Returns the session of a whole company: for consumers and timers. */
export const companySession = (companyId: string | null): Session => ({ companyId, orgIds: '*' });

interface Running {
  database: Database;
  companyId: string;
  /** The initial session: {@link enterCompany} changes `companyId`, but not these. */
  session: Session;
  readOnly: boolean;
  /** The current role; undefined for the application's own. */
  role: string | undefined;
  /** Its connection; a lazy transaction has none before its first statement. */
  client: pg.PoolClient | undefined;
  open: () => Promise<pg.PoolClient>;
  sql: Sql;
  prepared: Sql;
  em: EntityManager | undefined;
  ended: boolean;
  /** Set when its connection refused an outdated prepared statement, also when the caller has caught the error. */
  outdated: Error | undefined;
  before: (() => Promise<void>)[];
  after: (() => void)[];
}

const log = createLogger('persistence');
const storage = new AsyncLocalStorage<Running>();

function running(): Running {
  const current = storage.getStore();
  if (!current) throw new Error('no transaction: run this inside transaction()');
  return current;
}

export interface Sql {
  /**
   * Runs a statement with PostgreSQL's `$1` placeholders; arrays and objects as the driver takes them. Earlier changes
   * through {@link currentEntities} are written first, so that the statement sees them.
   */
  query<R = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }>;
  /** Returns the rows of a statement whose text contains the list, with the entity's types and without a cast. */
  rows<R>(list: Columns<R>, text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** Returns SQL inside the running transaction. */
export function currentSql(): Sql {
  return running().sql;
}

/**
 * Returns SQL inside the running transaction whose statements each connection parses once and plans for any values
 * (docs/adr/0049-prepared-statements.md). For statements that run for each device or message, find rows by keys, and
 * are the same text each time: a connection keeps every text that it has seen.
 */
export function preparedSql(): Sql {
  return running().prepared;
}

const statementNames = new Map<string, string>();
/** A statement of another release has another name: a connection that a pooler shares may know both. */
function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  statementNames.set(text, name);
  return name;
}

/** A handler that was not awaited would write into the next transaction. */
function checkRuns(current: Running): void {
  if (current.ended) throw new Error('the transaction has ended');
}

function sqlOf(current: Running, isPrepared: boolean): Sql {
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
      const name = isPrepared ? { name: statementName(text) } : {};
      try {
        const { rows, rowCount } = await current.client!.query({ ...name, text, values: [...values] });
        return { rows: rows as R[], rowCount: rowCount ?? rows.length };
      } catch (error) {
        if (isOutdated(error)) current.outdated = error;
        throw error;
      }
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
 * Runs `fn` of the running transaction as another role and switches back, also when `fn` fails and the transaction
 * continues.
 */
export async function asRole<T>(role: string, fn: () => Promise<T>): Promise<T> {
  const current = running();
  const before = current.role;
  const sql = currentSql();
  const take = async (name: string | undefined): Promise<void> => {
    // Drops entities that the other role has read: a known entity is returned without asking PostgreSQL.
    await forgetEntities(current);
    await sql.query(`set local role ${name === undefined ? 'none' : pg.escapeIdentifier(name)}`);
    current.role = name;
  };
  await take(role);
  let result: T;
  try {
    result = await fn();
  } catch (error) {
    // An error of PostgreSQL itself has aborted the transaction, including its role.
    await take(before).catch(() => undefined);
    throw error;
  }
  await take(before);
  return result;
}

/**
 * Returns the entities of the running transaction, for plain reads and writes of a noun, under the policies of its
 * session. Changes are written before the next statement (also of SQL) and before the commit; `flush()` writes them at
 * once, so that a database error can be reported to the user. An entity does not notice changes by SQL after it was
 * read: within a transaction write a row either through entities or through SQL.
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
 * Returns, in words, what a nested transaction would get beyond its request; undefined when nothing. The nested
 * transaction is the outer one, so that it cannot get less.
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

/** Runs `fn` inside the transaction as its last statements, in the order of the calls. */
export function beforeCommit(fn: () => Promise<void>): void {
  running().before.push(fn);
}

/** Runs `fn` after the commit, never after a rollback, and outside of the transaction. */
export function afterCommit(fn: () => void): void {
  running().after.push(fn);
}

export interface TransactionOptions {
  readOnly?: boolean;
  /** A call that only reads, apart from its entry in the log. */
  reads?: boolean;
  /** All of its statements use one snapshot. */
  snapshot?: boolean;
  /** Does not wait for the disk: a crash of the server may undo it. For work that is repeated when it is missing. */
  repeatable?: boolean;
  /** Begins with the first statement: a call that reads nothing takes no connection. */
  lazy?: boolean;
  /** Background work, for example a batch of a consumer. */
  background?: boolean;
  /** Long work that a user ordered and that has a limit of its own: an import, the snapshot of an export. */
  job?: boolean;
}

/** Runs `fn` as the system in one company with full access, for timers and consumers. */
export function inCompany<T>(
  database: Database,
  companyId: string,
  fn: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return runAs(systemContext(companyId), () => transaction(database, companySession(companyId), fn, options));
}

/**
 * Runs `fn` in one transaction under the given session. Settings are local to the transaction, so that a pooler in
 * transaction mode works. A nested transaction of the same database and company is the outer one; it is refused when it
 * asks for less than the outer one has, because it would not get less.
 */
export async function transaction<T>(
  database: Database,
  session: Session,
  fn: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const companyId = session.companyId ?? nilUuid;
  const outer = storage.getStore();
  if (outer?.database === database) {
    if (outer.companyId !== companyId) throw new Error('a transaction of another company is running: end it first');
    const given = excess(outer, session, options);
    if (given !== undefined) throw new Error(`the running transaction has more than is asked for here: ${given}`);
    return fn();
  }
  let client: pg.PoolClient | undefined;
  let opening: Promise<pg.PoolClient> | undefined;
  let leave = options.background ? await database.background() : undefined;
  const open = (): Promise<pg.PoolClient> =>
    (opening ??= (async () => {
      if (isCall(options)) leave = await database.turns.take(companyId);
      client = await database.pool.connect();
      // Without a listener a connection that is lost between two statements would end the process.
      client.on('error', ignore);
      // One round trip, because every call and every batch pays for it.
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
    prepared: undefined as never,
    em: undefined,
    ended: false,
    outdated: undefined,
    before: [],
    after: [],
  };
  current.sql = sqlOf(current, false);
  current.prepared = sqlOf(current, true);
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
    // PostgreSQL answers a COMMIT of a failed transaction with a rollback instead of an error.
    if (opening && (await (await opening).query('commit')).command !== 'COMMIT')
      throw new Error('the transaction had failed and was rolled back');
  } catch (error) {
    current.ended = true;
    // A statement that was not awaited may be opening it now.
    await opening?.catch(() => undefined);
    await client?.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client?.removeListener('error', ignore);
    // A connection whose rollback failed is not reused.
    client?.release(broken ?? current.outdated);
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
/** Whether a prepared statement has other columns since a migration: its connection would refuse it for ever. */
const isOutdated = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '0A000';
const isCall = ({ background, job }: TransactionOptions): boolean => !background && !job;
/** How long a statement of a call that only reads may take. */
const readWithinMs = 15_000;

function beginSql(companyId: string, session: Session, options: TransactionOptions): string {
  const orgIds = session.orgIds === '*' ? '*' : session.orgIds.join(',');
  const settings = {
    'app.company_id': companyId,
    'app.org_ids': orgIds,
    'app.user_id': session.userId ?? '',
    'app.username': session.username ?? '',
    ...((options.readOnly || options.reads) && isCall(options) ? { statement_timeout: `${readWithinMs}` } : {}),
  };
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`,
  );
  const begin = options.snapshot ? 'begin isolation level repeatable read' : 'begin';
  return [
    options.readOnly ? `${begin} read only` : begin,
    `select ${set.join(', ')}`,
    ...(options.repeatable ? ['set local synchronous_commit = off'] : []),
    ...(session.role ? [`set local role ${pg.escapeIdentifier(session.role)}`] : []),
  ].join('; ');
}

/**
 * Switches the running transaction to another company, so that one batch serves several, each under its own session.
 */
export async function enterCompany(companyId: string | null): Promise<void> {
  const current = running();
  await forgetEntities(current);
  await currentSql().query(`select set_config('app.company_id', $1, true)`, [companyId ?? nilUuid]);
  current.companyId = companyId ?? nilUuid;
}
