import { companySession, currentSql, preparedSql, transaction, type Database } from '@carillon/persistence';

/** DDL of a service's inbox, for its first migration. */
export const inboxDdl = [
  'create table "inbox" ("consumer" text not null, "id" uuid not null, "at" timestamptz not null default now(), primary key ("consumer", "id"))',
  'create index "inbox_at" on "inbox" ("at")',
] as const;

/** Longer than any record is kept or delayed. */
const keepDays = 8;

/** Stores the ids in the running transaction and returns the new ones, so that each effect happens once. */
export async function newIds(consumer: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await preparedSql().query<{ id: string }>(
    'insert into inbox (consumer, id) select $1, x from unnest($2::uuid[]) as x on conflict do nothing returning id',
    [consumer, ids],
  );
  return new Set(rows.map((r) => r.id));
}

const pruneStep = 5_000;

/**
 * Deletes all expired ids in small transactions: a fixed number per run would fall behind on a busy installation.
 * Returns the number.
 */
export async function pruneInbox(database: Database): Promise<number> {
  for (let sum = 0; ;) {
    const { rowCount } = await transaction(database, companySession(null), () =>
      currentSql().query(
        `
          delete from inbox
          where (consumer, id) in (
            select consumer, id
            from inbox
            where at < now() - interval '${keepDays} days'
            limit ${pruneStep}
          )
        `,
      ),
    );
    sum += rowCount;
    if (rowCount < pruneStep) return sum;
  }
}
