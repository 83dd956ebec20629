import { Migration } from '@mikro-orm/migrations';

/** The site of a device, so that a task aims by it as the list filters by it. */
export class Migration20261121bTaskSite extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "site_id" uuid null');
  }
}
