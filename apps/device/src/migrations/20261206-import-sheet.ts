import { Migration } from '@mikro-orm/migrations';
import { importSheetDdl } from '@carillon/service';

/** The sheet that an import was read from, and faults of its cells. */
export class Migration20261206DeviceImportSheet extends Migration {
  override up(): void {
    for (const sql of importSheetDdl) this.addSql(sql);
  }
}
