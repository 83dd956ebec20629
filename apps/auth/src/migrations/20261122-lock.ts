import { Migration } from '@mikro-orm/migrations';

/** Until when failed logins locked an account, beside the count of failures, which does not know whose they are. */
export class Migration20261122Lock extends Migration {
  override up(): void {
    this.addSql('alter table "user_account" add column "locked_until" timestamptz(3) null');
  }
}
