import { Migration } from '@mikro-orm/migrations';

/** Copy of the organizations that devices belong to. */
export class Migration20261121DeviceOrganization extends Migration {
  override up(): void {
    this.addSql('create table "organization_copy" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "version" bigint not null, "era" int not null, primary key ("id"))');
    this.addSql('alter table "organization_copy" enable row level security');
    this.addSql('alter table "organization_copy" force row level security');
    this.addSql(`create policy "organization_copy_company_policy" on "organization_copy" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
