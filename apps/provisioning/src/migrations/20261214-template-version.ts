import { Migration } from '@mikro-orm/migrations';

/** The versions of configuration templates. */
export class Migration20261214TemplateVersion extends Migration {
  override up(): void {
    this.addSql(`create table "config_template_version" (
      "id" uuid not null, "company_id" uuid not null, "template_id" uuid not null, "version" int not null,
      "values" jsonb not null, "author" varchar(128) not null, "reason" varchar(256) not null, "back_to" int null,
      "made_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_template_version_number"
      on "config_template_version" ("template_id", "version")`);
    this.addSql(`alter table "config_template_version" enable row level security`);
    this.addSql(`alter table "config_template_version" force row level security`);
    this.addSql(`create policy "config_template_version_company_policy" on "config_template_version"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
