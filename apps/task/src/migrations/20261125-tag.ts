import { Migration } from '@mikro-orm/migrations';

/** The tags of a device, so that a task aims by them as the list filters by them. */
export class Migration20261125TaskTag extends Migration {
  override up(): void {
    this.addSql(`alter table "device_copy" add column "tags" jsonb not null default '{}'`);
  }
}
