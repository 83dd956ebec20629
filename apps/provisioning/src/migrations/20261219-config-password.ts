import { Migration } from '@mikro-orm/migrations';

/** Passwords of templates, sealed. */
export class Migration20261219ConfigPassword extends Migration {
  override up(): void {
    this.addSql(`create table "config_password" (
      "id" uuid not null, "company_id" uuid not null, "sealed" text not null, "used_at" timestamptz not null,
      primary key ("id"))`);
    this.addSql('create index "config_password_used" on "config_password" ("used_at")');
    this.addSql('alter table "config_password" enable row level security');
    this.addSql('alter table "config_password" force row level security');
    this.addSql(`create policy "config_password_company_policy" on "config_password"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
