import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** How devices were, over time (HOME-01). */
export class Migration20261123bDeviceSample extends Migration {
  override up(): void {
    this.addSql(`
      create table "device_sample" (
        "id" uuid not null default gen_random_uuid(), "company_id" uuid not null, "org_id" uuid not null,
        "site_id" uuid not null, "at" timestamptz(3) not null, "online" int not null, "offline" int not null,
        "abnormal" int not null, "not_configured" int not null, "registered" int not null, "failed" int not null,
        primary key ("id")
      )
    `);
    this.addSql('alter table "device_sample" enable row level security');
    this.addSql('alter table "device_sample" force row level security');
    this.addSql(
      `create policy "organization" on "device_sample" as restrictive using (${policy}) with check (${policy})`,
    );
    this.addSql(`
      create policy "device_sample_company_policy" on "device_sample"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql('create unique index "device_sample_once" on "device_sample" ("org_id", "site_id", "at")');
    this.addSql('create index "device_sample_company_at" on "device_sample" ("company_id", "at")');
    this.addSql('create index "device_sample_at" on "device_sample" using brin ("at")');
  }
}
