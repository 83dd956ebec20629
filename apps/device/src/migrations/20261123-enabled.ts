import { Migration } from '@mikro-orm/migrations';

/** A device that is disabled is not let in. */
export class Migration20261123DeviceEnabled extends Migration {
  override up(): void {
    this.addSql('alter table "device" add column "enabled" boolean not null default true');
  }
}
