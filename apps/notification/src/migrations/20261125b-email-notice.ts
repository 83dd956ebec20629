import { Migration } from '@mikro-orm/migrations';
import { deletedDdl } from '@carillon/service';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const organization = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** Email notices with what each has told, and organizations by name. */
export class Migration20261125bEmailNotice extends Migration {
  override up(): void {
    this.addSql(`create table "email_notice" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid null,
      "title" varchar(64) not null,
      "emails" text[] not null,
      "role_ids" uuid[] not null,
      "user_ids" uuid[] not null,
      "send_type" text not null,
      "time" varchar(5) null,
      "zone" varchar(64) null,
      "kinds" int[] not null,
      "level" text not null,
      "enabled" boolean not null,
      "language" text not null,
      "since" timestamptz(3) not null,
      "sent_at" timestamptz(3) null,
      "next_at" timestamptz(3) null,
      "updated_at" timestamptz(3) not null,
      primary key ("id")
    )`);
    this.addSql(
      `alter table "email_notice" add constraint "email_notice_send_type_check" check ("send_type" in ('immediate', 'timed'))`,
    );
    this.addSql(
      `alter table "email_notice" add constraint "email_notice_level_check" check ("level" in ('high', 'medium', 'low'))`,
    );
    this.addSql(
      `alter table "email_notice" add constraint "email_notice_language_check"
        check ("language" in ('en_US', 'zh_CN', 'ko', 'pt_BR'))`,
    );
    this.addSql(`create index "email_notice_due" on "email_notice" ("next_at") where "next_at" is not null`);
    this.addSql(`create table "email_notice_told" (
      "notice_id" uuid not null,
      "item_id" uuid not null,
      "company_id" uuid not null,
      "at" timestamptz(3) not null,
      primary key ("notice_id", "item_id")
    )`);
    this.addSql(`create table "organization_copy" (
      "id" uuid not null,
      "company_id" uuid not null,
      "name" varchar(64) not null,
      "version" bigint not null,
      "era" int not null,
      primary key ("id")
    )`);
    for (const table of ['email_notice', 'email_notice_told', 'organization_copy']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(
        `create policy "${table}_company_policy" on "${table}"
          using ("company_id" = current_setting('app.company_id')::uuid)`,
      );
    }
    this.addSql(
      `create policy "organization" on "email_notice" as restrictive
        using (${organization}) with check (${organization})`,
    );
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
