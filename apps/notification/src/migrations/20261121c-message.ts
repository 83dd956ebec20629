import { Migration } from '@mikro-orm/migrations';

const own = `("org_id" is null or ((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[])))`;

/** Messages with who read them, the error logs of browsers, and the operation log's chain. */
export class Migration20261121cMessage extends Migration {
  override up(): void {
    this.addSql(`create table "message" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid null, "type" int not null, "level" varchar(8) not null, "object_id" varchar(128) null, "object_name" varchar(256) null, "expires_at" timestamptz(3) null, "values" jsonb not null, "created_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "message_company_at" on "message" ("company_id", "created_at" desc, "id" desc)`);
    this.addSql(`create table "message_read" ("id" uuid not null default gen_random_uuid(), "company_id" uuid not null, "user_id" uuid not null, "message_id" uuid not null references "message" ("id") on delete cascade, primary key ("id"))`);
    this.addSql(`create unique index "message_read_once" on "message_read" ("user_id", "message_id")`);
    this.addSql(`create index "message_read_message" on "message_read" ("message_id")`);
    this.addSql(`create table "error_log" ("id" uuid not null default gen_random_uuid(), "company_id" uuid not null, "user_id" uuid null, "username" varchar(128) not null, "at" timestamptz(3) not null default now(), "url" varchar(1024) not null, "time" timestamptz(3) not null, "type" varchar(64) not null, "message" varchar(2048) not null, "stack" varchar(8192) not null, "info" varchar(2048) not null, primary key ("id"))`);
    this.addSql(`create index "error_log_company_at" on "error_log" ("company_id", "at" desc, "id" desc)`);
    this.addSql(`create index "error_log_user_at" on "error_log" ("user_id", "at")`);
    this.addSql(`create table "operation_log_head" ("id" uuid not null default gen_random_uuid(), "company_id" uuid not null unique, "seq" bigint not null, "hash" varchar(64) not null, primary key ("id"))`);
    this.addSql(`alter table "operation_log" add column "seq" bigint not null default 0, add column "hash" varchar(64) null`);
    this.addSql(`create unique index "operation_log_seq" on "operation_log" ("company_id", "seq") where seq > 0`);
    this.addSql(`create index "operation_log_request" on "operation_log" ("request_id")`);
    for (const table of ['message', 'message_read', 'error_log', 'operation_log_head']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    this.addSql(`create policy "organization" on "message" as restrictive using (${own}) with check (${own})`);
  }
}
