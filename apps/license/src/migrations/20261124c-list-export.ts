import { Migration } from '@mikro-orm/migrations';
import { exportDdl } from '@carillon/service';

/** Files of the service's lists: what was ordered, how far it is, and the bytes in pieces. */
export class Migration20261124cLicenseListExport extends Migration {
  override up(): void {
    for (const sql of exportDdl) this.addSql(sql);
  }
}
