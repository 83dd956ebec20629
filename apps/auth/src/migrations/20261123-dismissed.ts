import { Migration } from '@mikro-orm/migrations';

/** Hints of the console that a user put away. */
export class Migration20261123Dismissed extends Migration {
  override up(): void {
    this.addSql(`alter table "user_account" add column "dismissed" text[] not null default '{}'`);
  }
}
