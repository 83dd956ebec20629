import { Migration } from '@mikro-orm/migrations';

/** Stages of rollouts by tags (TASK-08). */
export class Migration20261219bTaskStageDevice extends Migration {
  override up(): void {
    this.addSql(`
      create table "task_stage_device" (
        "task_id" uuid not null, "run" int not null, "device_id" uuid not null, "company_id" uuid not null,
        "stage" int not null,
        primary key ("task_id", "run", "device_id")
      )
    `);
    this.addSql('alter table "task_stage_device" enable row level security');
    this.addSql('alter table "task_stage_device" force row level security');
    this.addSql(`
      create policy "task_stage_device_company_policy" on "task_stage_device"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
