import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const all = `(select current_setting('app.org_ids')) = '*'`;
const entry = `("org_ids" is null or ${all} or "user_id" = (select nullif(current_setting('app.user_id', true), '')::uuid) or "org_ids" <@ ${own})`;
const message = `(case when "org_ids" is null then "org_id" is null or (${all} or org_id = any (${own}::uuid[])) when "org_id" is null then ${all} or "org_ids" <@ ${own} else not ${all} and "org_id" = any (${own}::uuid[]) and not "org_ids" <@ ${own} end)`;

/** Entries of the operation log and messages about what organizations share are for those who see it. */
export class Migration20261122Organization extends Migration {
  override up(): void {
    this.addSql('alter table "operation_log" add column "org_ids" uuid[] null');
    this.addSql(`create policy "organization" on "operation_log" as restrictive using (${entry}) with check (${entry})`);
    this.addSql('alter table "message" add column "org_ids" uuid[] null');
    this.addSql('drop policy "organization" on "message"');
    this.addSql(`create policy "organization" on "message" as restrictive using (${message}) with check (${all})`);
  }
}
