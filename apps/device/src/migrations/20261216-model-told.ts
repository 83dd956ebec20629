import { Migration } from '@mikro-orm/migrations';

/** Publishes the models of all companies, because `provisioning` makes configurations by their series. */
export class Migration20261216DeviceModelTold extends Migration {
  override up(): void {
    // The owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "device_model" no force row level security');
    this.addSql(`
      insert into "outbox" ("topic", "key", "headers", "value")
      select 'device.model.v1', m.id::text,
        jsonb_build_object(
          'id', gen_random_uuid()::text, 'type', 'model',
          'at', (extract(epoch from now()) * 1000)::bigint::text, 'era', '1', 'companyId', m.company_id::text,
          'actor', 'system', 'version', m.version::text
        ),
        jsonb_build_object(
          'id', m.id, 'companyId', m.company_id, 'name', m.name, 'showName', m.show_name,
          'internalName', m.internal_name, 'series', m.series, 'mutualAuth', m.mutual_auth
        )::text
      from "device_model" m
      order by m.id
    `);
    this.addSql('alter table "device_model" force row level security');
  }
}
