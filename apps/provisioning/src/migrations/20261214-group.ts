import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** The names of device groups. */
export class Migration20261214ProvisioningGroup extends Migration {
  override up(): void {
    this.addSql(`
      create table "group_copy" (
        "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "name" varchar(64) not null,
        "version" bigint not null, "era" int not null, primary key ("id"))
    `);
    this.addSql('alter table "group_copy" enable row level security');
    this.addSql('alter table "group_copy" force row level security');
    this.addSql(`create policy "organization" on "group_copy" as restrictive using (${policy}) with check (${policy})`);
    this.addSql(`
      create policy "group_copy_company_policy" on "group_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
