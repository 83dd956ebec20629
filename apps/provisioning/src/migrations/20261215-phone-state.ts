import { Migration } from '@mikro-orm/migrations';

/** The lines of phones that tell of them by action URLs. */
export class Migration20261215PhoneState extends Migration {
  override up(): void {
    this.addSql(`create table "phone_state" (
      "id" uuid not null, "company_id" uuid not null, "owner_epoch" int not null, "lines" jsonb not null,
      primary key ("id"))`);
    this.addSql(`alter table "phone_state" enable row level security`);
    this.addSql(`alter table "phone_state" force row level security`);
    this.addSql(`create policy "phone_state_company_policy" on "phone_state"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
