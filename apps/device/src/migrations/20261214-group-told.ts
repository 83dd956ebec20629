import { Migration } from '@mikro-orm/migrations';

/** Publishes all device groups, because `provisioning` names those that a template is for. */
export class Migration20261214DeviceGroupTold extends Migration {
  override up(): void {
    this.addSql('alter table "device_group" add column "version" int not null default 0');
    // The owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "device_group" no force row level security');
    this.addSql('update "device_group" set "version" = 1');
    this.addSql(`
      insert into "outbox" ("topic", "key", "headers", "value")
      select 'device.group.v1', g.id::text,
        jsonb_build_object(
          'id', gen_random_uuid()::text, 'type', 'group',
          'at', (extract(epoch from now()) * 1000)::bigint::text, 'era', '1', 'companyId', g.company_id::text,
          'actor', 'system', 'version', g.version::text
        ),
        jsonb_build_object('id', g.id, 'companyId', g.company_id, 'orgId', g.org_id, 'name', g.name)::text
      from "device_group" g
      order by g.id
    `);
    this.addSql('alter table "device_group" force row level security');
  }
}
