import { Migration } from '@mikro-orm/migrations';

/** What devices asked for over HTTP. */
export class Migration20261214ConfigRequest extends Migration {
  override up(): void {
    this.addSql(`create table "config_request" (
      "id" uuid not null, "company_id" uuid not null, "device_id" uuid not null, "file" varchar(64) not null,
      "outcome" varchar(16) not null, "user_agent" varchar(256) not null, "address" varchar(45) not null,
      "times" int not null, "first_at" timestamptz(3) not null, "last_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_request_file" on "config_request" ("device_id", "file", "outcome")`);
    this.addSql(`create index "config_request_last" on "config_request" ("last_at")`);
    this.addSql(`alter table "config_request" enable row level security`);
    this.addSql(`alter table "config_request" force row level security`);
    this.addSql(`create policy "config_request_company_policy" on "config_request"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
