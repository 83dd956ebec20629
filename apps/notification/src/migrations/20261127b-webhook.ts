import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const organization = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** Webhooks with what each is sent, and which episodes of alarms anyone was told of. */
export class Migration20261127bWebhook extends Migration {
  override up(): void {
    this.addSql(`create table "webhook" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid null,
      "name" varchar(64) not null,
      "url" varchar(1024) not null,
      "events" text[] not null,
      "kinds" int[] not null,
      "level" text not null,
      "enabled" boolean not null,
      "off" varchar(8) null,
      "language" text not null,
      "sealed" text not null,
      "former_sealed" text null,
      "former_until" timestamptz(3) null,
      "delivered_at" timestamptz(3) null,
      "failing_since" timestamptz(3) null,
      "updated_at" timestamptz(3) not null,
      primary key ("id")
    )`);
    this.addSql(
      `alter table "webhook" add constraint "webhook_level_check" check ("level" in ('high', 'medium', 'low'))`,
    );
    this.addSql(
      `alter table "webhook" add constraint "webhook_language_check"
        check ("language" in ('en_US', 'zh_CN', 'ko', 'pt_BR'))`,
    );
    this.addSql('create index "webhook_company" on "webhook" ("company_id")');
    this.addSql(`create table "webhook_delivery" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid null,
      "webhook_id" uuid not null,
      "event" text not null,
      "about" varchar(256) not null,
      "body" text not null,
      "state" text not null,
      "tries" int not null,
      "round" int not null,
      "next_at" timestamptz(3) null,
      "leased_until" timestamptz(3) null,
      "attempts" jsonb not null,
      "created_at" timestamptz(3) not null,
      primary key ("id")
    )`);
    this.addSql(
      `create index "webhook_delivery_due" on "webhook_delivery" ("webhook_id", "next_at", "id")
        where ("state" = 'waiting')`,
    );
    this.addSql(
      `create index "webhook_delivery_leased" on "webhook_delivery" ("leased_until") where "leased_until" is not null`,
    );
    this.addSql(
      `create index "webhook_delivery_log" on "webhook_delivery" ("company_id", "created_at" desc, "id" desc)`,
    );
    this.addSql(`create index "webhook_delivery_webhook" on "webhook_delivery" ("webhook_id", "created_at" desc)`);
    this.addSql(`create index "webhook_delivery_old" on "webhook_delivery" ("created_at")`);
    for (const table of ['webhook', 'webhook_delivery']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(
        `create policy "${table}_company_policy" on "${table}"
          using ("company_id" = current_setting('app.company_id')::uuid)`,
      );
      this.addSql(
        `create policy "organization" on "${table}" as restrictive
          using (${organization}) with check (${organization})`,
      );
    }
    this.addSql(`alter table "alarm" add column "told" boolean not null default true`);
  }
}
