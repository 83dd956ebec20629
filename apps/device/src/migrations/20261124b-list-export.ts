import { Migration } from '@mikro-orm/migrations';
import { exportDdl } from '@carillon/service';

/** Files are of any list by now; those of devices were kept for a day. */
export class Migration20261124bDeviceListExport extends Migration {
  override up(): void {
    this.addSql('drop table "device_export_part"');
    this.addSql('drop table "device_export"');
    for (const sql of exportDdl) this.addSql(sql);
  }
}
