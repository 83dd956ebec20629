import { Migration } from '@mikro-orm/migrations';

/** What others are told of firmware: its least version, differential packages, and who signed it; storage of companies. */
export class Migration20261128FirmwareTold extends Migration {
  override up(): void {
    for (const table of ['firmware', 'official_firmware']) {
      this.addSql(`alter table "${table}" add column "least" varchar(100) null,
        add column "deltas" jsonb not null default '[]', add column "revision" int not null default 1,
        add column "signer" varchar(100) null`);
      this.addSql(`alter table "${table}" alter column "deltas" drop default, alter column "revision" drop default`);
      this.addSql(`create index "${table}_deltas" on "${table}" using gin ("deltas" jsonb_path_ops)`);
    }
    this.addSql(`create table "storage" (
      "id" uuid not null, "company_id" uuid not null, "low" boolean not null, "full_below" bigint null,
      primary key ("id"))`);
    this.addSql(`alter table "storage" enable row level security`);
    this.addSql(`alter table "storage" force row level security`);
    this.addSql(`create policy "storage_company_policy" on "storage"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
