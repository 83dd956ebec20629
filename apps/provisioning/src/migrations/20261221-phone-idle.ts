import { Migration } from '@mikro-orm/migrations';

/** Commands for phones over HTTP that wait for the end of a call. */
export class Migration20261221PhoneIdle extends Migration {
  override up(): void {
    this.addSql('alter table "phone_command" add column "when_idle" boolean not null default false');
    this.addSql('drop index "phone_command_due"');
    this.addSql(
      `create index "phone_command_due" on "phone_command" ("created_at") where state in ('new', 'busy', 'telling')`,
    );
  }
}
