import { Migration } from '@mikro-orm/migrations';

/** A run may go in stages, and be held (TASK-08). */
export class Migration20261125eTaskRollout extends Migration {
  override up(): void {
    this.addSql(
      `alter table "task" add column "rollout" jsonb null, add column "stage" int not null default 1, add column "stage_cuts" jsonb null, add column "stage_base" jsonb null, add column "planned" int null, add column "paused_at" timestamptz null, add column "paused_for" varchar(16) null`,
    );
    this.addSql('create index "task_rollout" on "task" ("company_id") where rollout is not null and ended_at is null');
  }
}
