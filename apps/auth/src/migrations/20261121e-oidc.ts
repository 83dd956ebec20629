import { Migration } from '@mikro-orm/migrations';

/** Whom a provider's user is here, and tokens of developers. */
export class Migration20261121eOidc extends Migration {
  override up(): void {
    this.addSql(`create table "oidc_link" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "issuer" text not null, "subject" text not null, "created_at" timestamptz(3) not null, primary key ("id"), unique ("issuer", "subject"), foreign key ("user_id") references "user_account" ("id") on delete cascade)`);
    this.addSql(`create table "api_token" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "name" varchar(64) not null, "scopes" text[] not null, "hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, primary key ("id"), unique ("hash"), foreign key ("user_id") references "user_account" ("id") on delete cascade)`);
    for (const table of ['oidc_link', 'api_token']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
