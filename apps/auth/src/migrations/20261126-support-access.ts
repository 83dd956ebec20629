import { Migration } from '@mikro-orm/migrations';

/** What companies allowed the ones above them, and the sessions that are in a customer's company. */
export class Migration20261126AuthSupportAccess extends Migration {
  override up(): void {
    this.addSql(`
      create table "support_access" (
        "id" uuid not null,
        "company_id" uuid not null,
        "superior_id" uuid not null,
        "superior" varchar(128) not null,
        "level" text not null,
        "reason" varchar(256) not null,
        "user_id" uuid not null,
        "created_by" varchar(128) not null,
        "created_at" timestamptz(3) not null,
        "until" timestamptz(3) not null,
        "ended_at" timestamptz(3) null,
        "ended_by" varchar(128) null,
        "visits" int not null default 0,
        "visited_at" timestamptz(3) null,
        primary key ("id")
      )
    `);
    this.addSql(`
      create table "customer_access" (
        "id" uuid not null,
        "company_id" uuid not null,
        "customer_id" uuid not null,
        "customer" varchar(128) not null,
        "level" text not null,
        "reason" varchar(256) not null,
        "allowed_by_id" uuid not null,
        "allowed_by" varchar(128) not null,
        "until" timestamptz(3) not null,
        "ended_at" timestamptz(3) null,
        primary key ("id")
      )
    `);
    this.addSql(`
      create table "visit" (
        "id" uuid not null,
        "company_id" uuid not null,
        "session_id" uuid not null,
        "user_id" uuid not null,
        "access_id" uuid not null,
        "customer_id" uuid not null,
        "started_at" timestamptz(3) not null,
        "ended_at" timestamptz(3) null,
        primary key ("id")
      )
    `);
    for (const table of ['support_access', 'customer_access'])
      this.addSql(`alter table "${table}" add constraint "${table}_level_check" check ("level" in ('view', 'manage'))`);
    for (const table of ['support_access', 'customer_access', 'visit']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`
        create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)
      `);
    }
    this.addSql('create index "support_access_company" on "support_access" ("company_id", "created_at" desc)');
    this.addSql(
      'create unique index "support_access_open" on "support_access" ("company_id") where "ended_at" is null',
    );
    this.addSql('create index "customer_access_customer" on "customer_access" ("company_id", "customer_id")');
    this.addSql('create unique index "visit_session" on "visit" ("session_id") where "ended_at" is null');
    this.addSql('create index "visit_access" on "visit" ("access_id")');
  }
}
