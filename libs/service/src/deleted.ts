import { Injectable } from '@nestjs/common';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { restoreMinutes } from '@carillon/contracts';
import { currentSql, Database, instant, tenant, tenantProperties } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, type AuditNote } from './audit.ts';
import { fail } from './failure.ts';
import { Retention } from './retention.ts';

/** SQL: deletions that can still be undone. */
export const freshSql = `deleted_at > now() - interval '${restoreMinutes} minutes'`;

/** SQL: those rows of one kind that a user deleted, with the values of `ownValues`. */
const ownSql = `id = any($1::uuid[]) and kind = $2 and user_id = $3 and ${freshSql}`;
const ownValues = (kind: string, ids: readonly string[]) => [[...ids], kind, context().userId];

/** Statements for the migration of a service whose deletions can be undone. */
export const deletedDdl = [
  'create table "deleted" ("id" uuid not null, "company_id" uuid not null, "kind" varchar(32) not null, "user_id" uuid not null, "row" jsonb not null, "deleted_at" timestamptz not null, primary key ("id"))',
  'create index "deleted_at" on "deleted" ("deleted_at")',
  'alter table "deleted" enable row level security',
  'alter table "deleted" force row level security',
  `create policy "deleted_company_policy" on "deleted" using ("company_id" = current_setting('app.company_id')::uuid)`,
] as const;

/** Deleted rows in their last state, kept until the deletion can no longer be undone. */
export const deletedEntity = () =>
  defineEntity({
    name: 'Deleted',
    tableName: 'deleted',
    indexes: [{ name: 'deleted_at', expression: 'create index deleted_at on deleted (deleted_at)' }],
    ...tenant(),
    properties: {
      ...tenantProperties,
      kind: p.string().length(32),
      userId: p.uuid(),
      row: p.json(),
      deletedAt: instant(),
    },
  });

/** Stores a row before its deletion, for the user who deletes it. */
export async function keepDeleted(kind: string, id: string, row: object): Promise<void> {
  const { companyId, userId } = context();
  await currentSql().query(
    'insert into deleted (id, company_id, kind, user_id, row, deleted_at) values ($1, $2, $3, $4, $5, now())',
    [id, companyId, kind, userId, JSON.stringify(row)],
  );
}

/**
 * Returns the rows that the acting user deleted within the time, newest first. Without any it fails, unless all of them
 * exist in `table` again: a request from a second tab or after a lost response succeeds too.
 */
export async function deletedRows<T>(kind: string, table: string, ids: readonly string[]): Promise<T[]> {
  const { rows } = await currentSql().query<{ row: T }>(
    `
      select row
      from deleted
      where ${ownSql}
      order by deleted_at desc, id
      for update
    `,
    ownValues(kind, ids),
  );
  if (rows.length === 0 && !(await areBack(table, ids))) fail('common.restoreOver');
  return rows.map((r) => r.row);
}

export async function areBack(table: string, ids: readonly string[]): Promise<boolean> {
  return (
    (await currentSql().query(`select id from ${table} where id = any($1::uuid[])`, [[...ids]])).rowCount ===
    new Set(ids).size
  );
}

/** Removes restored rows from the store. */
export async function cameBack(ids: readonly string[]): Promise<void> {
  await currentSql().query('delete from deleted where id = any($1::uuid[])', [[...ids]]);
}

/** Returns the rows and removes them from the store, for callers that restore all of them or none. */
export async function takeBack<T>(kind: string, table: string, ids: readonly string[]): Promise<T[]> {
  const rows = await deletedRows<T>(kind, table, ids);
  await currentSql().query(`delete from deleted where ${ownSql}`, ownValues(kind, ids));
  return rows;
}

/** Records which objects a restoration brought back; `more` is recorded with them. */
export function noteRestored(restored: readonly { id: string; name: string }[], more: AuditNote = {}): void {
  const names = restored.map(({ name }) => name);
  auditNote({
    ...(restored.length === 1 ? { objectId: restored[0]!.id } : {}),
    objectName: names.join(', ').slice(0, 256),
    detail: { before: null, after: names.slice(0, 100) },
    ...more,
  });
}

/** Drops rows once they can no longer be restored: they may hold data that only their own table should. */
@Injectable()
export class DeletedRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'forget what cannot come back',
      everyMs: 30_000,
      forget: async () => (await currentSql().query(`delete from deleted where not (${freshSql})`)).rowCount,
    });
  }
}
