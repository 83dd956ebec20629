import { defineEntity, p } from '@mikro-orm/postgresql';
import { columns, currentSql, instant, nilUuid, tenant, tenantProperties, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';

const waitingIndex = 'create index key_renewal_waiting on key_renewal (lease_until) where (ended_at is null)';

/** Statements for the migration of a service that keeps secrets of companies. */
export const keyRenewalDdl: readonly string[] = [
  `create table "key_renewal" (
    "id" uuid not null, "company_id" uuid not null, "version" int null, "place" int not null, "after" uuid not null,
    "total" int not null, "done" int not null, "failed" int not null, "emptied_at" timestamptz null,
    "runner" uuid null, "lease_until" timestamptz not null, "started_at" timestamptz(3) not null,
    "ended_at" timestamptz(3) null, primary key ("id"))`,
  'create unique index "key_renewal_company" on "key_renewal" ("company_id")',
  waitingIndex,
  'alter table "key_renewal" enable row level security',
  'alter table "key_renewal" force row level security',
  `create policy "key_renewal_company_policy" on "key_renewal"
    using ("company_id" = current_setting('app.company_id')::uuid)`,
];

/** A company's key change: the last one, or the running one. */
export const KeyRenewal = defineEntity({
  name: 'KeyRenewal',
  tableName: 'key_renewal',
  indexes: [
    { name: 'key_renewal_company', expression: 'create unique index key_renewal_company on key_renewal (company_id)' },
    { name: 'key_renewal_waiting', expression: waitingIndex },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Version of the new key; null until it is created. */
    version: p.integer().strictNullable(),
    /** Position: index of the table, and id of the last processed row. */
    place: p.integer(),
    after: p.uuid(),
    total: p.integer(),
    done: p.integer(),
    /** Texts that could not be decrypted in this pass through the tables. */
    failed: p.integer(),
    /** When no text used the old key any more. */
    emptiedAt: instant().strictNullable(),
    /** The process that works on it: one that was blocked for longer than its lease has lost it. */
    runner: p.uuid().strictNullable(),
    leaseUntil: instant(),
    startedAt: instant(3),
    endedAt: instant(3).strictNullable(),
  },
});

const ordered = columns(KeyRenewal, 'r', ['id']);

/** Orders a new key for the running context's company. Returns false when one is already ordered. */
export async function orderRenewal(): Promise<boolean> {
  const rows = await currentSql().rows(
    ordered,
    `
      insert into key_renewal as r (id, company_id, place, after, total, done, failed, lease_until, started_at)
      values ($1, $2, 0, '${nilUuid}', 0, 0, 0, now(), now())
      on conflict (company_id) do update set
        id = excluded.id, version = null, place = 0, after = excluded.after, total = 0, done = 0, failed = 0,
        emptied_at = null, runner = null, lease_until = now(), started_at = now(), ended_at = null
      where r.ended_at is not null
      returning ${ordered}
    `,
    [uuidv7(), context().companyId],
  );
  return rows.length > 0;
}
