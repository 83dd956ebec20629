import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** Tags (DEV-14), rules of device groups (DEV-12), and which groups' devices are still looked through by a new one. */
export class Migration20261126DeviceTag extends Migration {
  override up(): void {
    this.addSql(`alter table "device" add column "tags" jsonb not null default '{}'`);
    this.addSql(`create index "device_tags" on "device" using gin ("tags") where ("tags" <> '{}'::jsonb)`);
    this.addSql(`alter table "device_group" add column "rule" jsonb`);
    this.addSql(`
      create table "device_group_pass" (
        "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "after" uuid,
        "lease_until" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('alter table "device_group_pass" enable row level security');
    this.addSql('alter table "device_group_pass" force row level security');
    this.addSql(
      `create policy "organization" on "device_group_pass" as restrictive using (${policy}) with check (${policy})`,
    );
    this.addSql(`
      create policy "device_group_pass_company_policy" on "device_group_pass"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
