import { Migration } from '@mikro-orm/migrations';

/** FCS accounts that a company has itself: they are not given on. */
export class Migration20261128OrgFcsUse extends Migration {
  override up(): void {
    this.addSql(`
      alter table "company"
        add column "fcs_used" int not null default 0,
        add column "fcs_use_version" int not null default 0
    `);
  }
}
