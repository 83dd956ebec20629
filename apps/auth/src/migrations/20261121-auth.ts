import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

const tenantTables = ['company_copy', 'refresh_token', 'role', 'session', 'user_account', 'user_role'];

/** Users, roles, sessions and failed logins. */
export class Migration20261121Auth extends Migration {
  override up(): void {
    this.addSql(`create table "company_copy" ("id" uuid not null, "company_id" uuid not null, "name" varchar(128) not null, "status" varchar(32) not null, "version" int not null, primary key ("id"))`);
    this.addSql(`create table "login_failure" ("name_hash" bytea not null, "failed_at" timestamptz[] not null, "locked_until" timestamptz(3) null, primary key ("name_hash"))`);
    this.addSql(`create table "refresh_token" ("id" uuid not null, "company_id" uuid not null, "session_id" uuid not null, "hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`create table "role" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "description" text not null, "permissions" text[] not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "session" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "created_at" timestamptz(3) not null, "last_active_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "end_reason" text null, "address" varchar(64) null, "browser" varchar(256) null, primary key ("id"))`);
    this.addSql(`alter table "session" add constraint "session_end_reason_check" check ("end_reason" in ('logout', 'idle', 'age', 'reuse', 'user'))`);
    this.addSql(`create table "user_account" ("id" uuid not null, "company_id" uuid not null, "username" varchar(128) not null, "nickname" varchar(128) not null, "email" varchar(254) null, "account_type" text not null, "status" text not null, "password_hash" text not null, "org_ids" uuid[] not null, "default_org_id" uuid not null, "language" text null, "timezone_id" int not null, "country_id" int not null, "avatar" text null, "last_login_at" timestamptz(3) null, "tokens_valid_after" timestamptz(3) not null, "version" int not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`alter table "user_account" add constraint "user_account_account_type_check" check ("account_type" in ('super', 'channel', 'ordinary'))`);
    this.addSql(`alter table "user_account" add constraint "user_account_status_check" check ("status" in ('normal', 'inactive', 'disabled', 'locked'))`);
    this.addSql(`alter table "user_account" add constraint "user_account_language_check" check ("language" in ('en_US', 'zh_CN', 'ko', 'pt_BR'))`);
    this.addSql(`create table "user_role" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "role_id" uuid not null, primary key ("id"))`);
    this.addSql(`alter table "user_role" add constraint "user_role_user_id_role_id_unique" unique ("user_id", "role_id")`);
    // A login does not say its company, so a name is one account in the whole installation, in any spelling of its case.
    this.addSql(`create unique index "user_account_username" on "user_account" (lower("username"))`);
    this.addSql(`create unique index "user_account_email" on "user_account" (lower("email"))`);
    this.addSql(`create unique index "refresh_token_hash" on "refresh_token" ("hash")`);
    this.addSql(`create index "refresh_token_session" on "refresh_token" ("session_id")`);
    this.addSql(`create index "refresh_token_expires" on "refresh_token" ("expires_at")`);
    this.addSql(`create index "session_user" on "session" ("user_id") where ended_at is null`);
    this.addSql(`create index "user_role_role" on "user_role" ("role_id")`);
    this.addSql(`alter table "refresh_token" add foreign key ("session_id") references "session" ("id") on delete cascade`);
    this.addSql(`alter table "user_role" add foreign key ("user_id") references "user_account" ("id") on delete cascade`);
    this.addSql(`alter table "user_role" add foreign key ("role_id") references "role" ("id")`);
    for (const table of tenantTables) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
