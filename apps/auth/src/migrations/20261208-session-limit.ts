import { Migration } from '@mikro-orm/migrations';

/** A user has a limit of sessions, which ends the one that was idle longest. */
export class Migration20261208SessionLimit extends Migration {
  override up(): void {
    this.addSql('alter table "session" drop constraint "session_end_reason_check"');
    this.addSql(`
      alter table "session" add constraint "session_end_reason_check"
      check ("end_reason" in ('logout', 'idle', 'age', 'reuse', 'user', 'lock', 'ended', 'limit'))
    `);
  }
}
