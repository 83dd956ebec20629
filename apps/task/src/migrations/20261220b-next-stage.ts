import { Migration } from '@mikro-orm/migrations';

/** When the next stage of a rollout may begin (TASK-08). */
export class Migration20261220bTaskNextStage extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "next_stage_at" timestamptz null');
  }
}
