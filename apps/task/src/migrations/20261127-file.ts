import { Migration } from '@mikro-orm/migrations';

/** Tasks that bring a file, and devices that are done when they are back. */
export class Migration20261127TaskFile extends Migration {
  override up(): void {
    this.addSql(`
      create table "firmware_copy" (
        "id" uuid not null, "company_id" uuid not null, "file" jsonb not null, "version" bigint not null,
        "era" int not null, primary key ("id")
      )
    `);
    this.addSql('alter table "firmware_copy" enable row level security');
    this.addSql('alter table "firmware_copy" force row level security');
    this.addSql(`
      create policy "firmware_copy_company_policy" on "firmware_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql(`
      create table "official_firmware_copy" (
        "id" uuid not null, "file" jsonb not null, "version" bigint not null, "era" int not null, primary key ("id")
      )
    `);
    this.addSql('alter table "task" add column "file" jsonb null');
    this.addSql(`
      alter table "task_device" add column "told_epoch" bigint null, add column "back" varchar(64) null,
        add column "version_before" varchar(128) null, add column "goes_down" boolean not null default false
    `);
  }
}
