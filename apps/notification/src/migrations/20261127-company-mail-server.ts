import { Migration } from '@mikro-orm/migrations';

/** Where mails of a company go that has a mail server of its own. */
export class Migration20261127CompanyMailServer extends Migration {
  override up(): void {
    this.addSql(`create table "company_mail_server" (
      "id" uuid not null, "company_id" uuid not null, "enabled" boolean not null, "host" varchar(260) not null,
      "port" int not null, "security" varchar(8) not null, "user_name" varchar(255) null, "sender" varchar(320) not null,
      "sealed" text null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`alter table "company_mail_server" enable row level security`);
    this.addSql(`alter table "company_mail_server" force row level security`);
    this.addSql(`create policy "company_mail_server_company_policy" on "company_mail_server"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
