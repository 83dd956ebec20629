import { Migration } from '@mikro-orm/migrations';

const own = `((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;
const shared = `((select current_setting('app.org_ids')) = '*' or creator_id = (select nullif(current_setting('app.user_id', true), '')::uuid) or exists (select 1 from task_organization seen where seen.task_id = task.id))`;

/** The sums of a task in each organization: who sees one of them sees the task. */
export class Migration20261122TaskOrganization extends Migration {
  override up(): void {
    const sums = ['total', 'success', 'fail', 'timeout', 'cancel', 'process', 'wait'];
    this.addSql(`create table "task_organization" ("task_id" uuid not null, "org_id" uuid not null, "company_id" uuid not null, ${sums.map((c) => `"${c}" int not null`).join(', ')}, primary key ("task_id", "org_id")) with (fillfactor = 50)`);
    const count = (name: string, ...statuses: string[]) => `count(*) filter (where status in (${statuses.map((s) => `'${s}'`).join(', ')})) as "${name}"`;
    // What is there already: the owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "task_device" no force row level security');
    this.addSql(`insert into "task_organization" (task_id, org_id, company_id, ${sums.join(', ')}) select task_id, org_id, company_id, count(*), ${count('success', 'success', 'operated', 'finished')}, ${count('fail', 'fail')}, ${count('timeout', 'timeout')}, ${count('cancel', 'cancel', 'stop')}, ${count('process', 'process', 'downloadSuccess')}, ${count('wait', 'wait')}
      from task_device group by task_id, org_id, company_id`);
    this.addSql('alter table "task_device" force row level security');
    this.addSql('create index "task_organization_org" on "task_organization" ("org_id", "task_id")');
    this.addSql('alter table "task_organization" enable row level security');
    this.addSql('alter table "task_organization" force row level security');
    this.addSql(`create policy "task_organization_company_policy" on "task_organization" using ("company_id" = current_setting('app.company_id')::uuid)`);
    this.addSql(`create policy "organization" on "task_organization" as restrictive using (${own}) with check (${own})`);
    this.addSql(`create policy "organization" on "task" as restrictive using (${shared}) with check (${shared})`);
  }
}
