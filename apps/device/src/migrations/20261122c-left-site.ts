import { Migration } from '@mikro-orm/migrations';

/** Where a device was when its site was deleted: it returns there with the site. */
export class Migration20261122cDeviceLeftSite extends Migration {
  override up(): void {
    this.addSql('alter table "device" add column "left_site_id" uuid null');
    this.addSql('create index "device_left_site" on "device" ("left_site_id") where "left_site_id" is not null');
  }
}
