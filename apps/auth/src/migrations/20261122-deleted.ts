import { Migration } from '@mikro-orm/migrations';
import { deletedDdl } from '@carillon/service';

/** Users and roles that were deleted, for as long as that can be taken back. */
export class Migration20261122AuthDeleted extends Migration {
  override up(): void {
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
