import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

const own = `((select current_setting('app.org_ids')) = '*' or id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;

/** Companies and organizations. */
export class Migration20261121Org extends Migration {
  override up(): void {
    this.addSql(`create table "company" ("id" uuid not null, "company_id" uuid not null, "name" varchar(128) not null, "path" text not null, "type" varchar(32) not null, "status" varchar(32) not null, "version" int not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"), check ("id" = "company_id"))`);
    this.addSql(`create table "organization" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "description" text not null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    // An organization's name is unique in its company, a company's in the installation (ORG-01).
    this.addSql(`create unique index "company_name" on "company" (lower("name"))`);
    this.addSql(`create unique index "organization_name" on "organization" ("company_id", lower("name"))`);
    for (const table of ['company', 'organization']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    this.addSql(`create policy "organization" on "organization" as restrictive using (${own}) with check (${own})`);
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
