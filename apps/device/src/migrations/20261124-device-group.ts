import { Migration } from '@mikro-orm/migrations';
import { deletedDdl } from '@carillon/service';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** Groups of devices (DEV-12), and what was deleted of them, for as long as that can be taken back. */
export class Migration20261124DeviceGroup extends Migration {
  override up(): void {
    this.addSql(`
      create table "device_group" (
        "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "name" varchar(64) not null,
        "description" text not null, "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(
      'create unique index "device_group_name" on "device_group" ("company_id", "org_id", lower(("name")::text))',
    );
    this.addSql('alter table "device_group" enable row level security');
    this.addSql('alter table "device_group" force row level security');
    this.addSql(
      `create policy "organization" on "device_group" as restrictive using (${policy}) with check (${policy})`,
    );
    this.addSql(`
      create policy "device_group_company_policy" on "device_group"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql(`alter table "device" add column "group_ids" uuid[] not null default '{}'`);
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
