import { Migration } from '@mikro-orm/migrations';

const tables = {
  phone_session: `"mac" varchar(12) not null, "owner_epoch" int not null, "epoch" bigint not null,
    "online" boolean not null, "seen_at" timestamptz not null, "maker" varchar(32) not null,
    "firmware" varchar(128) null, "address" varchar(45) not null, "own_address" varchar(45) null`,
  phone_command: `"device_id" uuid not null, "mac" varchar(12) not null, "owner_epoch" int not null,
    "epoch" bigint not null, "action" varchar(64) not null, "state" varchar(16) not null, "code" varchar(64) null,
    "expires_at" timestamptz(3) not null, "claimed_until" timestamptz null, "created_at" timestamptz(3) not null`,
};

/** Sessions of phones over HTTP, and the commands for them. */
export class Migration20261217PhoneSession extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(tables)) {
      this.addSql(`create table "${table}" ("id" uuid not null, "company_id" uuid not null, ${columns},
        primary key ("id"))`);
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    this.addSql(`create index phone_session_seen on phone_session (seen_at) where online`);
    this.addSql(`create index phone_command_due on phone_command (created_at) where state in ('new', 'telling')`);
    this.addSql(`create index phone_command_open on phone_command (device_id) where state <> 'done'`);
    this.addSql(`create index phone_command_end on phone_command (expires_at)`);
  }
}
