import { Migration } from '@mikro-orm/migrations';

/** Whether a device is let in, so that a task aims by it as the list filters by it. */
export class Migration20261124TaskEnabled extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "enabled" boolean not null default true');
  }
}
