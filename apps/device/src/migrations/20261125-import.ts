import { Migration } from '@mikro-orm/migrations';
import { importDdl } from '@carillon/service';

/** Imports of devices. */
export class Migration20261125DeviceImport extends Migration {
  override up(): void {
    for (const sql of importDdl) this.addSql(sql);
  }
}
