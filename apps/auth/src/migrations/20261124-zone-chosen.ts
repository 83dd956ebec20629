import { Migration } from '@mikro-orm/migrations';

/** Whether a user chose a time zone: other users see times in the zone of their browser. */
export class Migration20261124ZoneChosen extends Migration {
  override up(): void {
    this.addSql('alter table "user_account" add column "zone_chosen" boolean not null default false');
    // Another zone than the first was someone's choice. The policies bind the owner too, but not for this moment.
    this.addSql('alter table "user_account" no force row level security');
    this.addSql('update "user_account" set "zone_chosen" = true where "timezone_id" <> 1');
    this.addSql('alter table "user_account" force row level security');
  }
}
