import { Migration } from '@mikro-orm/migrations';

/** Models that a company adds (CFG-03). */
export class Migration20261124bDeviceModel extends Migration {
  override up(): void {
    this.addSql(`
      create table "device_model" (
        "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "show_name" varchar(64) not null,
        "internal_name" varchar(64) not null, "series" varchar(64) not null, "type" varchar(16) not null,
        "sip_count" int not null, "door_count" int not null, "soft_dss_keys" int not null,
        "dss_keys_per_page" int not null, "dss_key_pages" int not null, "side_keys_per_page" int not null,
        "side_key_pages" int not null, "hidden_items" text[] not null, "second_screen" boolean not null,
        "mutual_auth" boolean not null, "picture" bytea null, "version" int not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('create unique index "device_model_name" on "device_model" ("company_id", lower(("name")::text))');
    this.addSql('alter table "device_model" enable row level security');
    this.addSql('alter table "device_model" force row level security');
    this.addSql(`
      create policy "device_model_company_policy" on "device_model"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
