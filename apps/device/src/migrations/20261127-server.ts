import { Migration } from '@mikro-orm/migrations';

/** Which SIP server a device is set up for, and a copy of the servers (DEV-02). Earlier devices have none. */
export class Migration20261127DeviceServer extends Migration {
  override up(): void {
    this.addSql('alter table "device" add column "server_id" uuid null');
    this.addSql('create index "device_company_server" on "device" ("company_id", "server_id") include ("org_id")');
    this.addSql(`create table "server_copy" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "address" varchar(253) not null,
      "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql('alter table "server_copy" enable row level security');
    this.addSql('alter table "server_copy" force row level security');
    this.addSql(`create policy "server_copy_company_policy" on "server_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
