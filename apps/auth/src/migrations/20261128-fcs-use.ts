import { Migration } from '@mikro-orm/migrations';

/** FCS accounts that a company has itself: they are not given on. */
export class Migration20261128AuthFcsUse extends Migration {
  override up(): void {
    this.addSql('alter table "company_copy" add column "fcs_used" int not null default 0');
  }
}
