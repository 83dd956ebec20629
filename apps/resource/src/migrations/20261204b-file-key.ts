import { Migration } from '@mikro-orm/migrations';
import { dataKeyDdl } from '@carillon/service';

/** Keys of files that are sealed, and those of companies, which seal them. */
export class Migration20261204bFileKey extends Migration {
  override up(): void {
    for (const sql of dataKeyDdl) this.addSql(sql);
    this.addSql(`create table "file_key" (
      "id" uuid not null, "company_id" uuid not null, "object_id" uuid not null, "sealed" text not null,
      "made_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "file_key_object" on "file_key" ("object_id")`);
    this.addSql(`create index "file_key_company" on "file_key" ("company_id")`);
    this.addSql(`alter table "file_key" enable row level security`);
    this.addSql(`alter table "file_key" force row level security`);
    this.addSql(`create policy "file_key_company_policy" on "file_key"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
