import { Migration } from '@mikro-orm/migrations';

/** Windows of tasks in the time zones of sites (decisions of the fleet, 14). */
export class Migration20261219TaskSiteZone extends Migration {
  override up(): void {
    this.addSql('alter table "site_copy" add column "time_zone" varchar(64) null');
    this.addSql(`
      alter table "task"
        add column "in_site_zones" boolean not null default false,
        add column "due_local" varchar(16) null,
        add column "site_windows" jsonb null
    `);
  }
}
