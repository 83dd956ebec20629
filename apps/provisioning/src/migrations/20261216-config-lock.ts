import { Migration } from '@mikro-orm/migrations';

/** Settings that companies lock for themselves and for those below them, and where each company is in the tree. */
export class Migration20261216ConfigLock extends Migration {
  override up(): void {
    for (const table of ['config_template', 'config_template_version'])
      this.addSql(`alter table "${table}" add column "locked" text[] not null default '{}'`);
    this.addSql(`
      alter table "company_copy"
        add column "name" varchar(128) not null default '',
        add column "path" text not null default ''
    `);
    this.addSql(`create table "config_lock" (
      "id" uuid not null, "company_id" uuid not null, "key" varchar(64) not null, "value" jsonb not null,
      "company" varchar(128) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_lock_key" on "config_lock" ("company_id", "key")`);
    this.addSql(`alter table "config_lock" enable row level security`);
    this.addSql(`alter table "config_lock" force row level security`);
    this.addSql(`create policy "config_lock_company_policy" on "config_lock"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
