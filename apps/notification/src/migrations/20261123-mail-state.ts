import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const all = `(select current_setting('app.org_ids')) = '*'`;
const user = `(select nullif(current_setting('app.user_id', true), '')::uuid)`;
const entry = `("org_ids" is null or ${all} or "user_id" = ${user} or "org_ids" <@ ${own})`;

/** The recipient of a mail, so that its requester finds its state, and the answer of the mail server. */
export class Migration20261123MailState extends Migration {
  override up(): void {
    this.addSql(
      'alter table "mail" add column "user_id" uuid null, add column "org_ids" uuid[] null, add column "reason" varchar(200) null',
    );
    this.addSql('create index "mail_user" on "mail" ("user_id", "created_at" desc) where "user_id" is not null');
    this.addSql(`create policy "organization" on "mail" as restrictive using (${entry}) with check (${entry})`);
  }
}
