import { Migration } from '@mikro-orm/migrations';

/** Differential packages that the platform makes. */
export class Migration20261201DeltaOrder extends Migration {
  override up(): void {
    this.addSql(`create table "delta_order" (
      "id" uuid not null, "company_id" uuid not null, "path" varchar(16) not null, "firmware_id" uuid not null,
      "from_id" uuid not null, "version" varchar(32) not null, "state" varchar(16) not null, "progress" int not null,
      "tries" int not null, "error" varchar(64) null, "values" jsonb not null,
      "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "delta_order_due" on "delta_order" ("created_at") where "state" <> 'failed'`);
    this.addSql(`create unique index "delta_order_from" on "delta_order" ("firmware_id", lower(("version")::text))`);
    this.addSql(`create index "delta_order_source" on "delta_order" ("from_id")`);
    this.addSql(`alter table "delta_order" enable row level security`);
    this.addSql(`alter table "delta_order" force row level security`);
    this.addSql(`create policy "delta_order_company_policy" on "delta_order"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
