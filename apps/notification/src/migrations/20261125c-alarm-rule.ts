import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const organization = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** What a company says of kinds of alarms, and what is silenced for a while. */
export class Migration20261125cAlarmRule extends Migration {
  override up(): void {
    this.addSql(`create table "alarm_rule" (
      "company_id" uuid not null,
      "kind" int not null,
      "level" varchar(8) not null,
      "enabled" boolean not null,
      primary key ("company_id", "kind")
    )`);
    this.addSql(`create table "alarm_silence" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid null,
      "kind" int null,
      "site_id" uuid null,
      "device_id" uuid null,
      "until" timestamptz(3) not null,
      "created_by" varchar(128) not null,
      primary key ("id")
    )`);
    this.addSql('create index "alarm_silence_until" on "alarm_silence" ("until")');
    for (const table of ['alarm_rule', 'alarm_silence']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(
        `create policy "${table}_company_policy" on "${table}"
          using ("company_id" = current_setting('app.company_id')::uuid)`,
      );
    }
    this.addSql(
      `create policy "organization" on "alarm_silence" as restrictive
        using (${organization}) with check (${organization})`,
    );
  }
}
