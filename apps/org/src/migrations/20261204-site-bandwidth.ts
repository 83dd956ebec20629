import { Migration } from '@mikro-orm/migrations';

/** How much of a site's line downloads may take. */
export class Migration20261204SiteBandwidth extends Migration {
  override up(): void {
    this.addSql('alter table "site" add column "download_mbit" int null');
  }
}
