import { Migration } from '@mikro-orm/migrations';

/** For the turns of companies with their notices, and for mails of accounts behind many notices. */
export class Migration20261208MailTurn extends Migration {
  override up(): void {
    this.addSql(
      `create index "mail_notice" on "mail" ("company_id", "next_at") where status = 'waiting' and template = 'alarms'`,
    );
    this.addSql(`create index "mail_account" on "mail" ("next_at") where status = 'waiting' and template <> 'alarms'`);
  }
}
