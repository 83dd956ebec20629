import { Migration } from '@mikro-orm/migrations';

/** The models that companies added, with their series. */
export class Migration20261216ProvisioningModel extends Migration {
  override up(): void {
    this.addSql(`
      create table "model_copy" (
        "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "show_name" varchar(64) not null,
        "internal_name" varchar(64) not null, "series" varchar(64) not null,
        "mutual_auth" boolean not null, "version" bigint not null, "era" int not null, primary key ("id"))
    `);
    this.addSql('alter table "model_copy" enable row level security');
    this.addSql('alter table "model_copy" force row level security');
    this.addSql(`
      create policy "model_copy_company_policy" on "model_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
