import { Migration } from '@mikro-orm/migrations';

/** The doors of a device, as each last reported itself (EGS-06). */
export class Migration20261129DeviceDoor extends Migration {
  override up(): void {
    this.addSql(`alter table "device" add column "doors" jsonb not null default '[]'`);
  }
}
