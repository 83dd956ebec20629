import { Migration } from '@mikro-orm/migrations';

/** Time zones of sites, for configurations that follow them. */
export class Migration20261220SiteZone extends Migration {
  override up(): void {
    this.addSql('alter table "site_copy" add column "time_zone" varchar(64) null');
  }
}
