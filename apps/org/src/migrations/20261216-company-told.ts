import { Migration } from '@mikro-orm/migrations';

/**
 * Publishes all companies once more, because `provisioning` copies their place in the tree, too. `CompanyPublisher` does
 * it at the start, when a version is higher than the published one.
 */
export class Migration20261216CompanyTold extends Migration {
  override up(): void {
    // The owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "company" no force row level security');
    this.addSql('update "company" set "version" = "version" + 1');
    this.addSql('alter table "company" force row level security');
  }
}
