import { Migration } from '@mikro-orm/migrations';

/** The account that a device reports for a line; null in events of the release before. */
export class Migration20261210ReportedAccount extends Migration {
  override up(): void {
    this.addSql(`alter table "account_line" add column "reported" varchar(128) null`);
  }
}
