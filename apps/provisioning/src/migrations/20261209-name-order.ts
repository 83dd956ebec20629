import { Migration } from '@mikro-orm/migrations';

/** Lists sort names by the letters of any language (libs/persistence/src/page.ts). */
export class Migration20261209ProvisioningNameOrder extends Migration {
  override up(): void {
    this.addSql('drop index "sip_account_name"');
    this.addSql(`
      create index "sip_account_name" on "sip_account" ("company_id", "name" collate "und-x-icu", "id")
      include ("org_id")
    `);
    this.addSql('drop index "ldap_account_name"');
    this.addSql(`create index "ldap_account_name" on "ldap_account" ("company_id", "name" collate "und-x-icu", "id")`);
  }
}
