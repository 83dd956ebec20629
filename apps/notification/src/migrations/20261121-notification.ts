import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

/** The operation log, which nobody can change (SYS-04). */
export class Migration20261121Notification extends Migration {
  override up(): void {
    this.addSql(`create table "operation_log" ("id" uuid not null, "company_id" uuid not null, "at" timestamptz(3) not null, "user_id" uuid null, "username" varchar(128) not null, "action" varchar(64) not null, "object_id" text null, "object_name" text null, "address" varchar(64) null, "result" varchar(64) not null, "request_id" varchar(64) null, "detail" jsonb not null, primary key ("id"))`);
    this.addSql(`create index "operation_log_company_at" on "operation_log" ("company_id", "at" desc, "id" desc)`);
    this.addSql(`alter table "operation_log" enable row level security`);
    this.addSql(`alter table "operation_log" force row level security`);
    this.addSql(`create policy "operation_log_company_policy" on "operation_log" using ("company_id" = current_setting('app.company_id')::uuid)`);
    // Default privileges may have given more: an entry is written and read, never changed or deleted.
    this.addSql(`do $$ declare grantee text; begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g where g.table_name = 'operation_log' and g.grantee <> current_user loop
        execute format('revoke update, delete, truncate on operation_log from %I', grantee);
      end loop; end $$`);
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
