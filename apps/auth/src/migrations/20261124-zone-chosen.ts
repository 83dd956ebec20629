import { Migration } from '@mikro-orm/migrations';

/** Whether a user chose a time zone: whoever did not sees times as the browser tells them. */
export class Migration20261124ZoneChosen extends Migration {
  override up(): void {
    this.addSql('alter table "user_account" add column "zone_chosen" boolean not null default false');
    // Another zone than the first was somebody's choice.
    this.addSql('update "user_account" set "zone_chosen" = true where "timezone_id" <> 1');
  }
}
