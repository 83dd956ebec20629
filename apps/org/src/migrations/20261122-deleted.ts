import { Migration } from '@mikro-orm/migrations';
import { deletedDdl } from '@carillon/service';

/** What was deleted, for as long as that can be taken back. */
export class Migration20261122OrgDeleted extends Migration {
  override up(): void {
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
