import type { EventData, EventType, TopicDefinition } from '@carillon/contracts';
import { createLogger, currentTraceparent } from '@carillon/observability';
import {
  afterCommit,
  beforeCommit,
  companySession,
  currentDatabase,
  currentSql,
  preparedSql,
  transaction,
  type Database,
} from '@carillon/persistence';
import { maybeContext } from '@carillon/tenancy';
import { isTooLarge, maxRecordBytes, type Bus, type OutRecord } from './bus.ts';
import { envelope, toRecord } from './record.ts';

/** DDL of a service's outbox, for its first migration. It has no tenant: its rows are on their way to the bus. */
export const outboxDdl = [
  'create table "outbox" ("id" bigint generated always as identity primary key, "topic" text not null, "key" text not null, "headers" jsonb not null, "value" text null)',
  // Rows live for milliseconds: without early vacuum every query would read the dead ones.
  'alter table "outbox" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)',
] as const;

interface EmitOptions {
  /** Id of the message; a new one when absent. */
  id?: string;
  version?: number;
  companyId?: string | null;
  orgId?: string | null;
  reason?: string;
}
interface EmitRow<T extends TopicDefinition, K extends EventType<T>> extends EmitOptions {
  key: string;
  data: EventData<T, K> | null;
}

const pending = new WeakMap<object, OutRecord[]>();
const relays = new WeakMap<Database, Relay>();

/** Publishes an event when the running transaction commits. Events of one transaction keep their order. */
export async function emit<T extends TopicDefinition, K extends EventType<T>>(
  topic: T,
  type: K,
  key: string,
  data: EventData<T, K> | null,
  options: EmitOptions = {},
): Promise<void> {
  await emitMany(topic, type, [{ key, data, ...options }]);
}

/** Publishes many events at once. They are written as one statement just before the commit, when every lock is held. */
export async function emitMany<T extends TopicDefinition, K extends EventType<T>>(
  topic: T,
  type: K,
  rows: readonly EmitRow<T, K>[],
): Promise<void> {
  if (rows.length === 0) return;
  const sql = currentSql();
  const who = maybeContext();
  const traceparent = currentTraceparent();
  const database = currentDatabase();
  const records = rows.map(({ id, key, data, version, companyId, orgId, reason }) =>
    toRecord(
      topic,
      key,
      data,
      envelope(type, {
        ...(id ? { id } : {}),
        companyId: companyId !== undefined ? companyId : (who?.companyId ?? null),
        ...(orgId !== undefined ? { orgId } : {}),
        actor: who?.userId ?? 'system',
        ...(version !== undefined ? { version } : {}),
        ...(reason ? { reason } : {}),
        ...(traceparent ? { traceparent } : {}),
      }),
    ),
  );
  // The bus would refuse it forever and block everything behind it.
  if (records.some(isTooLarge)) throw new Error(`an event of ${topic.name} is larger than ${maxRecordBytes} bytes`);
  const list = pending.get(sql);
  if (list) {
    list.push(...records);
    return;
  }
  const mine = records;
  pending.set(sql, mine);
  beforeCommit(async () => {
    pending.delete(sql); // events emitted by a later last statement form a new list
    await preparedSql().query(
      `
        insert into outbox (topic, key, headers, value)
        select x.topic, x.key, x.headers, x.value
        from rows
        from (
          jsonb_to_recordset($1::jsonb) as (topic text, key text, headers jsonb, value text)
        ) with ordinality as x(topic, key, headers, value, n)
        order by n
      `,
      [JSON.stringify(mine)],
    );
    afterCommit(() => relays.get(database)?.wake());
  });
}

export interface Relay {
  /** Signals that there are rows to publish. */
  wake(): void;
  /** Number of waiting rows: a count that does not fall means that the bus is unavailable. */
  waiting(): Promise<number>;
  /** Number of waiting rows, and age of the oldest. */
  backlog(): Promise<{ waiting: number; ageSeconds: number }>;
  close(): Promise<void>;
}

const log = createLogger('outbox');
/** An arbitrary number that all relays of one database share. */
const lock = 7_261_001;
const batch = 500;

/**
 * Moves a service's outbox to the bus, in order. Several processes may run one: the lock lets one work at a time. A row
 * is deleted in the transaction that published it, so that a crash publishes it again rather than losing it.
 */
export function startOutbox({ database, bus }: { database: Database; bus: Bus; service: string }): Relay {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;

  const move = async (): Promise<number> =>
    transaction(
      database,
      companySession(null),
      async () => {
        // Planned each time: a plan made while the table was empty would compare each row with all of the batch.
        const sql = currentSql();
        await sql.query(`select pg_advisory_xact_lock(${lock})`);
        // Passed as an array: PostgreSQL expects the table to be empty, as it mostly is, and would scan a list for each
        // row.
        const { rows } = await sql.query<OutRecord & { id: string }>(
          `
            delete from outbox
            where id = any(array(select id from outbox order by id limit ${batch}))
            returning id, topic, key, headers, value
          `,
        );
        if (rows.length === 0) return 0;
        rows.sort((a, b) => Number(a.id) - Number(b.id));
        await bus.publish(rows.map(({ topic, key, headers, value }) => ({ topic, key, headers, value })));
        return rows.length;
        // Rows that a crash brings back are published again, and recognized by their ids.
      },
      { repeatable: true },
    );

  const run = async (): Promise<void> => {
    let pause = 50;
    do {
      again = false;
      try {
        while ((await move()) === batch && !closed) {
          /* there may be more */
        }
        pause = 50;
      } catch (err) {
        if (closed) return;
        log.warn({ err }, 'the outbox could not be moved; it stays and is tried again');
        await new Promise((r) => {
          setTimeout(r, pause).unref();
        });
        pause = Math.min(pause * 2, 5_000);
        again = true;
      }
    } while (again && !closed);
  };

  const relay: Relay = {
    wake() {
      if (closed) return;
      if (running) {
        again = true;
        return;
      }
      running = run().finally(() => {
        running = undefined;
        if (again && !closed) relay.wake();
      });
    },
    async waiting() {
      return transaction(
        database,
        companySession(null),
        async () => (await currentSql().query<{ n: number }>('select count(*)::int as n from outbox')).rows[0]!.n,
        { readOnly: true },
      );
    },
    async backlog() {
      return transaction(
        database,
        companySession(null),
        async () => {
          const { rows } = await currentSql().query<{ n: number; at: string | null }>(
            `select count(*)::int as n, min((headers->>'at')::bigint) as at from outbox`,
          );
          const { n, at } = rows[0]!;
          return { waiting: n, ageSeconds: at === null ? 0 : Math.max(0, (Date.now() - Number(at)) / 1000) };
        },
        { readOnly: true },
      );
    },
    async close() {
      closed = true;
      clearInterval(timer);
      relays.delete(database);
      await running;
    },
  };
  let looking = false;
  /** Wakes the relay when rows wait. One statement instead of a transaction with a lock: a tick mostly finds none. */
  const look = async (): Promise<void> => {
    if (looking || running) return;
    looking = true;
    try {
      const { rows } = await database.pool.query<{ waits: boolean }>('select exists (select from outbox) as waits');
      if (rows[0]!.waits) relay.wake();
    } catch {
      relay.wake(); // tries again and logs why it fails
    } finally {
      looking = false;
    }
  };
  // Finds rows that a crash left, here or in another process.
  const timer = setInterval(() => void look(), 1_000);
  timer.unref();
  relays.set(database, relay);
  relay.wake();
  return relay;
}
