import { Migration } from '@mikro-orm/migrations';

/** FCS: what the installation offers, what each company may have and has, and its servers among a company's own. */
export class Migration20261127Fcs extends Migration {
  override up(): void {
    this.addSql(`create table "fcs_setting" (
      "key" varchar(32) not null, "setting" jsonb not null, "version" bigint not null, primary key ("key"))`);
    this.addSql(`create table "company_copy" (
      "id" uuid not null, "company_id" uuid not null, "fcs_enabled" boolean not null, "fcs_limit" int not null,
      "fcs_used" int not null, "fcs_url" varchar(256) not null, "fcs_domain" varchar(253) not null,
      "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`alter table "company_copy" enable row level security`);
    this.addSql(`alter table "company_copy" force row level security`);
    this.addSql(`create policy "company_copy_company_policy" on "company_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql(`alter table "sip_server" add column "fcs" boolean not null default false,
      add column "closed" boolean not null default false`);
    this.addSql('drop index "sip_server_name"');
    this.addSql(`create unique index "sip_server_name" on "sip_server" ("company_id", lower("name"), "fcs")`);
  }
}
