import { Migration } from '@mikro-orm/migrations';

/** Firmware whose stored bytes or signatures are not those that were uploaded, and when to check that of a task. */
export class Migration20261219FirmwareDamaged extends Migration {
  override up(): void {
    for (const table of ['firmware', 'official_firmware'])
      this.addSql(`alter table "${table}" add column "damaged_at" timestamptz(3) null`);
    this.addSql('alter table "task_file_copy" add column "check_due_at" timestamptz(3) null');
    this.addSql(`
      create index "task_file_copy_check" on "task_file_copy" ("check_due_at") where check_due_at is not null
    `);
  }
}
