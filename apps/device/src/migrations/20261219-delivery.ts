import { Migration } from '@mikro-orm/migrations';

/** Delivery lists of makers, from which companies claim their devices, and what a company shows in a dispute. */
export class Migration20261219DeviceDelivery extends Migration {
  override up(): void {
    this.addSql(`create table "delivered_device" ("id" uuid not null, "mac" varchar(12) not null,
      "sn" varchar(64) not null, "code_hash" varchar(64) not null, "claimed_at" timestamptz null, primary key ("id"))`);
    this.addSql('create unique index "delivered_device_mac" on "delivered_device" ("mac")');
    this.addSql(`alter table "mac_dispute" add column "proof" varchar(16) not null default 'order'`);
  }
}
