import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

/** Tasks with their devices, and the copies that they are expanded from. */
export class Migration20261121Task extends Migration {
  override up(): void {
    this.addSql('create table "device_copy" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "mac" varchar(12) not null, "name" varchar(64) not null, "model" varchar(128) not null, "sn" varchar(128) not null, "firmware" varchar(128) null, "internal_ip" varchar(64) null, "capabilities" jsonb not null, "configured" boolean not null, "config_failed" boolean not null, "failed_lines" int not null, "owner_epoch" int not null, "version" bigint not null, "era" int not null, primary key ("id"))');
    this.addSql('create table "link_session" ("device_id" uuid not null, "company_id" uuid not null, "epoch" bigint not null, "online" boolean not null, "gateway" varchar(128) not null, "at" timestamptz not null, primary key ("device_id"))');
    this.addSql('create table "task" ("id" uuid not null, "company_id" uuid not null, "number" int not null, "name" varchar(64) not null, "action" varchar(64) not null, "type" varchar(16) not null, "status" varchar(16) not null, "params" jsonb not null, "target" jsonb not null, "access" jsonb not null, "expanded_to" uuid null, "expanded" boolean not null, "total" int not null, "success" int not null, "fail" int not null, "timeout" int not null, "cancel" int not null, "process" int not null, "wait" int not null, "creator_id" uuid not null, "creator_name" varchar(128) not null, "traceparent" varchar(64) null, "created_at" timestamptz not null, "started_at" timestamptz null, "ended_at" timestamptz null, primary key ("id"))');
    this.addSql('alter table "task" add constraint "task_company_id_number_unique" unique ("company_id", "number")');
    this.addSql('create table "task_device" ("task_id" uuid not null, "device_id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "mac" varchar(12) not null, "name" varchar(64) not null, "model" varchar(128) not null, "owner_epoch" int not null, "status" varchar(16) not null, "command_id" uuid not null, "progress" int null, "code" varchar(64) null, "message" varchar(512) null, "sent_at" timestamptz null, "sent_epoch" bigint null, "accepted_at" timestamptz null, "deadline_at" timestamptz null, "expires_at" timestamptz not null, "ended_at" timestamptz null, "updated_at" timestamptz not null, primary key ("task_id", "device_id"))');
    this.addSql('alter table "task_device" add constraint "task_device_command_id_unique" unique ("command_id")');
    this.addSql('create table "task_number" ("company_id" uuid not null, "last" int not null, primary key ("company_id"))');
    this.addSql('alter table "device_copy" enable row level security');
    this.addSql('alter table "device_copy" force row level security');
    this.addSql(`create policy "organization" on "device_copy" as restrictive using (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))) with check (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[])))`);
    this.addSql(`create policy "device_copy_company_policy" on "device_copy" using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql('alter table "link_session" enable row level security');
    this.addSql('alter table "link_session" force row level security');
    this.addSql(`create policy "link_session_company_policy" on "link_session" using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql('alter table "task" enable row level security');
    this.addSql('alter table "task" force row level security');
    this.addSql(`create policy "task_company_policy" on "task" using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql('alter table "task_device" enable row level security');
    this.addSql('alter table "task_device" force row level security');
    this.addSql(`create policy "organization" on "task_device" as restrictive using (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))) with check (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[])))`);
    this.addSql(`create policy "task_device_company_policy" on "task_device" using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql('alter table "task_number" enable row level security');
    this.addSql('alter table "task_number" force row level security');
    this.addSql(`create policy "task_number_company_policy" on "task_number" using ("company_id" = current_setting('app.company_id')::uuid)`);
    // One changing command in flight for a device, whatever runs beside it (decisions, 7).
    this.addSql(`create unique index "task_device_in_flight" on "task_device" ("device_id") where status in ('process', 'downloadSuccess')`);
    this.addSql(`create index "task_device_waiting" on "task_device" ("device_id", "task_id") where status = 'wait'`);
    this.addSql(`create index "task_device_to_send" on "task_device" ("task_id", "device_id") where status = 'wait'`);
    this.addSql('create index "task_device_status" on "task_device" ("task_id", "status")');
    this.addSql('create index "task_device_history" on "task_device" ("device_id", "task_id" desc)');
    this.addSql(`create index "task_device_expiry" on "task_device" ("expires_at") where status in ('wait', 'process', 'downloadSuccess')`);
    this.addSql(`create index "task_device_deadline" on "task_device" ("deadline_at") where status in ('process', 'downloadSuccess')`);
    this.addSql('create index "task_unexpanded" on "task" ("created_at") where not expanded');
    this.addSql('create index "device_copy_company_name" on "device_copy" ("company_id", "name", "id")');
    this.addSql('create index "link_session_gateway" on "link_session" ("gateway") where online');
    this.addSql('alter table "task" set (fillfactor = 50)');
    this.addSql('alter table "task_device" set (fillfactor = 80)');
    this.addSql('alter table "link_session" set (fillfactor = 80)');
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
