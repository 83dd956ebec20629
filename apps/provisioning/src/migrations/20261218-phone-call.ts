import { Migration } from '@mikro-orm/migrations';

/** When calls that a phone told of count as ended. */
export class Migration20261218PhoneCall extends Migration {
  override up(): void {
    this.addSql(`alter table "phone_state" add column "calls_until" timestamptz null`);
    this.addSql(`create index phone_state_calls on phone_state (calls_until) where calls_until is not null`);
  }
}
