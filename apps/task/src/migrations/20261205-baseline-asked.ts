import { Migration } from '@mikro-orm/migrations';

/** For which devices a baseline asked for approval (STORE-07): devices that join later were not refused with them. */
export class Migration20261205TaskBaselineAsked extends Migration {
  override up(): void {
    this.addSql(`
      create table "baseline_asked" (
        "baseline_id" uuid not null, "device_id" uuid not null, "company_id" uuid not null,
        primary key ("baseline_id", "device_id")
      )
    `);
    this.addSql('alter table "baseline_asked" enable row level security');
    this.addSql('alter table "baseline_asked" force row level security');
    this.addSql(`
      create policy "baseline_asked_company_policy" on "baseline_asked"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
