import { Migration } from '@mikro-orm/migrations';

/** Baselines for one device find it by its MAC. */
export class Migration20261219dTaskDeviceMac extends Migration {
  override up(): void {
    this.addSql('create index "device_copy_mac" on "device_copy" ("mac")');
  }
}
