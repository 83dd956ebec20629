import { Migration } from '@mikro-orm/migrations';

/** What a company uses of FCS is told, each time under a higher version. */
export class Migration20261128FcsUse extends Migration {
  override up(): void {
    this.addSql('alter table "company_copy" add column "use_version" int not null default 0');
  }
}
