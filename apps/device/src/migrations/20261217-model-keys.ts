import { Migration } from '@mikro-orm/migrations';

/** Publishes the models of all companies again, because templates set the keys that a model has. */
export class Migration20261217DeviceModelKeys extends Migration {
  override up(): void {
    // The owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "device_model" no force row level security');
    // A copy takes only what is newer than it.
    this.addSql('update "device_model" set "version" = "version" + 1');
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
          'internalName', m.internal_name, 'series', m.series, 'mutualAuth', m.mutual_auth,
          'keys', jsonb_build_object(
            'sipCount', m.sip_count, 'softDssKeys', m.soft_dss_keys, 'dssKeysPerPage', m.dss_keys_per_page,
            'dssKeyPages', m.dss_key_pages, 'sideKeysPerPage', m.side_keys_per_page,
            'sideKeyPages', m.side_key_pages, 'hiddenItems', to_jsonb(m.hidden_items), 'secondScreen', m.second_screen
          )
        )::text
      from "device_model" m
      order by m.id
    `);
    this.addSql('alter table "device_model" force row level security');
  }
}
