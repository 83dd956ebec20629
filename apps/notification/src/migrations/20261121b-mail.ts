import { Migration } from '@mikro-orm/migrations';

/** Mails on their way. */
export class Migration20261121bMail extends Migration {
  override up(): void {
    this.addSql(`create table "mail" ("id" uuid not null, "company_id" uuid not null, "template" varchar(32) not null, "language" text not null, "sealed" text not null, "status" text not null, "tries" int not null, "next_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "error" varchar(64) null, primary key ("id"))`);
    this.addSql(`alter table "mail" add constraint "mail_language_check" check ("language" in ('en_US', 'zh_CN', 'ko', 'pt_BR'))`);
    this.addSql(`alter table "mail" add constraint "mail_status_check" check ("status" in ('waiting', 'sent', 'failed'))`);
    this.addSql(`create index "mail_due" on "mail" ("next_at") where status = 'waiting'`);
    this.addSql(`create index "mail_ended" on "mail" ("ended_at")`);
    this.addSql(`alter table "mail" enable row level security`);
    this.addSql(`alter table "mail" force row level security`);
    this.addSql(`create policy "mail_company_policy" on "mail" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
