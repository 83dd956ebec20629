import { Migration } from '@mikro-orm/migrations';

/** How far the pass over a large task's rows is: what lies ahead of it is not left behind, it only waits for the rate (TASK-07). */
export class Migration20261122bTaskWalk extends Migration {
  override up(): void {
    this.addSql('alter table "task_rate" add column "walked" uuid null, add column "walked_at" timestamptz null');
  }
}
