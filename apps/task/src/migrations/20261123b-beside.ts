import { Migration } from '@mikro-orm/migrations';

/**
 * What changes no device passes what does: only commands that change it are one at a time. Told apart by its task, it
 * has a place of its own in the same index, by which all of a device's commands in flight are found. The default is for
 * processes of the earlier version that still run.
 */
export class Migration20261123bTaskBeside extends Migration {
  override up(): void {
    this.addSql('alter table "task_device" add column "changes_device" boolean not null default true');
    this.addSql('drop index "task_device_in_flight"');
    this.addSql(`
      create unique index "task_device_in_flight"
      on "task_device" ("device_id", (case when changes_device then device_id else task_id end))
      where status in ('process', 'downloadSuccess')
    `);
  }
}
