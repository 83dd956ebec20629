import { Migration } from '@mikro-orm/migrations';

const tables = ['company_login', 'passkey', 'recovery_code', 'totp'];

/** Second steps of a login: a company's wish for them, and what users have. */
export class Migration20261121dTwoStep extends Migration {
  override up(): void {
    this.addSql(`create table "company_login" ("id" uuid not null, "company_id" uuid not null, "two_step" boolean not null default false, "api_open" boolean not null default false, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "totp" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "secret" text not null, "confirmed_at" timestamptz(3) null, "last_step" int not null default 0, primary key ("id"), unique ("user_id"), foreign key ("user_id") references "user_account" ("id") on delete cascade)`);
    this.addSql(`create table "recovery_code" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "hash" bytea not null, "used_at" timestamptz(3) null, primary key ("id"), unique ("user_id", "hash"), foreign key ("user_id") references "user_account" ("id") on delete cascade)`);
    this.addSql(`create table "passkey" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "credential_id" text not null, "public_key" bytea not null, "counter" bigint not null, "transports" text[] not null, "name" varchar(64) not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"), unique ("credential_id"), foreign key ("user_id") references "user_account" ("id") on delete cascade)`);
    this.addSql('create index "passkey_user" on "passkey" ("user_id")');
    for (const table of tables) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
