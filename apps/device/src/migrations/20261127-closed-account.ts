import { Migration } from '@mikro-orm/migrations';

/** FCS accounts that no line is given any more. */
export class Migration20261127DeviceClosedAccount extends Migration {
  override up(): void {
    this.addSql(`alter table "account_copy" add column "closed" boolean not null default false`);
  }
}
