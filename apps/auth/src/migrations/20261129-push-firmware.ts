import { Migration } from '@mikro-orm/migrations';

/**
 * The right to bring firmware to devices has the name of the description. A seeded role that had it gains it again at
 * the start, which its users' copies hear of; everything else that names it is rewritten.
 */
export class Migration20261129AuthPushFirmware extends Migration {
  override up(): void {
    this.addSql(`select set_config('app.company_id', '00000000-0000-0000-0000-000000000000', true)`);
    const tables = ['role', 'api_token', 'deleted'];
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(
      `update "role"
      set "permissions" = array_remove("permissions", 'upgradeDevice'),
        "known_keys" = array_remove("known_keys", 'upgradeDevice')
      where "built_in" is not null and 'upgradeDevice' = any ("permissions")`,
    );
    this.addSql(
      `update "role"
      set "permissions" = array_replace("permissions", 'upgradeDevice', 'pushFirmware'),
        "known_keys" = array_replace("known_keys", 'upgradeDevice', 'pushFirmware')
      where 'upgradeDevice' = any ("permissions" || "known_keys")`,
    );
    this.addSql(`update "api_token" set "scopes" = array_replace("scopes", 'upgradeDevice', 'pushFirmware')`);
    this.addSql(
      `update "deleted"
      set "row" = replace("row"::text, '"upgradeDevice"', '"pushFirmware"')::jsonb
      where "row"::text like '%"upgradeDevice"%'`,
    );
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
