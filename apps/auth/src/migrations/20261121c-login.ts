import { Migration } from '@mikro-orm/migrations';

/** The lock of a session, and one-time passwords. */
export class Migration20261121cLogin extends Migration {
  override up(): void {
    this.addSql('alter table "session" add column "lock_hash" text null, add column "lock_failures" int not null default 0');
    this.addSql('alter table "session" drop constraint "session_end_reason_check"');
    this.addSql(`alter table "session" add constraint "session_end_reason_check" check ("end_reason" in ('logout', 'idle', 'age', 'reuse', 'user', 'lock', 'ended'))`);
    this.addSql('alter table "user_account" add column "must_change_password" boolean not null default false');
  }
}
