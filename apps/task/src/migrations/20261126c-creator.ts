import { Migration } from '@mikro-orm/migrations';

/** What those who order tasks may do: a task that runs later asks whether they still may. */
export class Migration20261126cTaskCreator extends Migration {
  override up(): void {
    this.addSql(`
      create table "creator_copy" (
        "id" uuid not null, "company_id" uuid not null, "active" boolean not null, "permissions" jsonb not null,
        "all_orgs" boolean not null, "org_ids" uuid[] not null, "version" bigint not null, "era" int not null,
        primary key ("id")
      )
    `);
    this.addSql('alter table "creator_copy" enable row level security');
    this.addSql('alter table "creator_copy" force row level security');
    this.addSql(`
      create policy "creator_copy_company_policy" on "creator_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
