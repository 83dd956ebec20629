import { Migration } from '@mikro-orm/migrations';

/** Tasks that have paused by themselves and whose devices are to go back (TASK-08). */
export class Migration20261130TaskRollback extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "rollback_due" boolean not null default false');
    this.addSql('create index "task_rollback" on "task" ("id") where rollback_due');
  }
}
