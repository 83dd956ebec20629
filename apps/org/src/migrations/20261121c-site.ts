import { Migration } from '@mikro-orm/migrations';

/** Sites, a tree, with their network segments. */
export class Migration20261121cSite extends Migration {
  override up(): void {
    this.addSql(`create table "site" ("id" uuid not null, "company_id" uuid not null, "parent_id" uuid null references "site" ("id"), "name" varchar(64) not null, "description" text not null, "auto_assign" boolean not null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "site_segment" ("id" uuid not null, "company_id" uuid not null, "site_id" uuid not null references "site" ("id") on delete cascade, "segment" cidr not null, primary key ("id"))`);
    // A name is unique beside its neighbours; the same segment twice would leave no longest prefix.
    this.addSql(`create unique index "site_name" on "site" ("company_id", coalesce("parent_id", "company_id"), lower("name"))`);
    this.addSql(`create unique index "site_segment_segment" on "site_segment" ("company_id", "segment")`);
    this.addSql('create index "site_segment_site" on "site_segment" ("site_id")');
    this.addSql('create index "site_parent" on "site" ("parent_id")');
    for (const table of ['site', 'site_segment']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
