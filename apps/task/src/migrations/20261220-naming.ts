import { Migration } from '@mikro-orm/migrations';

/** What the names of tasks that no user typed are built from. Earlier tasks keep their names. */
export class Migration20261220TaskNaming extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "naming" jsonb null');
  }
}
