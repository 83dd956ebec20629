import { Migration } from '@mikro-orm/migrations';

/** The SIP servers that were chosen for devices: one of these cannot be deleted. */
export class Migration20261221DeviceServer extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "server_id" uuid null');
    this.addSql('create index "device_copy_server" on "device_copy" ("server_id")');
  }
}
