import { Migration } from '@mikro-orm/migrations';

/** Who and what is in an organization, copied to count it; remarks of a company. */
export class Migration20261121bOrganization extends Migration {
  override up(): void {
    this.addSql(`create table "user_copy" ("id" uuid not null, "company_id" uuid not null, "username" varchar(128) not null, "nickname" varchar(128) not null, "all_orgs" boolean not null, "org_ids" uuid[] not null, "default_org_id" uuid not null, "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create table "device_copy" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create index "device_copy_org" on "device_copy" ("company_id", "org_id")`);
    this.addSql(`create index "user_copy_company" on "user_copy" ("company_id")`);
    this.addSql(`alter table "company" add column "remarks" text not null default ''`);
    for (const table of ['user_copy', 'device_copy']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
