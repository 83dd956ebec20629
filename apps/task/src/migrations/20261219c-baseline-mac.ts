import { Migration } from '@mikro-orm/migrations';

/** Baselines for one device (STORE-07). */
export class Migration20261219cTaskBaselineMac extends Migration {
  override up(): void {
    this.addSql('alter table "baseline" add column "mac" varchar(12) null');
  }
}
