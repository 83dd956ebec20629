import { Migration } from '@mikro-orm/migrations';

/** What tasks bring to devices beside firmware. */
export class Migration20261129TaskFileCopy extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_copy" (
        "id" uuid not null, "company_id" uuid not null, "noun" varchar(32) not null, "file" jsonb not null,
        "version" bigint not null, "era" int not null, primary key ("id")
      )
    `);
    this.addSql('alter table "file_copy" enable row level security');
    this.addSql('alter table "file_copy" force row level security');
    this.addSql(`
      create policy "file_copy_company_policy" on "file_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
