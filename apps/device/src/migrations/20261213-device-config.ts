import { Migration } from '@mikro-orm/migrations';

/** The version of the configuration that each device is to have. */
export class Migration20261213DeviceConfigCopy extends Migration {
  override up(): void {
    this.addSql(`create table "device_config_copy" (
      "id" uuid not null, "company_id" uuid not null, "wanted" varchar(32) not null, "version" bigint not null,
      "era" int not null, primary key ("id"))`);
    this.addSql('alter table "device_config_copy" enable row level security');
    this.addSql('alter table "device_config_copy" force row level security');
    this.addSql(`create policy "device_config_copy_company_policy" on "device_config_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
