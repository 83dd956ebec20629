import { Migration } from '@mikro-orm/migrations';

/** The gate on the health of changed devices between two stages (TASK-08). */
export class Migration20261202TaskHealth extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "health" jsonb null');
    this.addSql(`
      create table "device_restart" (
        "device_id" uuid not null, "company_id" uuid not null, "started_at" timestamptz not null,
        primary key ("device_id")
      )
    `);
    this.addSql('alter table "device_restart" enable row level security');
    this.addSql('alter table "device_restart" force row level security');
    this.addSql(`
      create policy "device_restart_company_policy" on "device_restart"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
