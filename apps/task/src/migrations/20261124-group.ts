import { Migration } from '@mikro-orm/migrations';

/** The groups of a device, so that a task aims by them as the list filters by them. */
export class Migration20261124TaskGroup extends Migration {
  override up(): void {
    this.addSql(`alter table "device_copy" add column "group_ids" uuid[] not null default '{}'`);
  }
}
