import { Migration } from '@mikro-orm/migrations';

/** The time zone of a site, when it differs from the company's. */
export class Migration20261211SiteZone extends Migration {
  override up(): void {
    this.addSql('alter table "site" add column "time_zone" varchar(64) null');
  }
}
