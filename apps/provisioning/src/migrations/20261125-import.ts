import { Migration } from '@mikro-orm/migrations';
import { importDdl } from '@carillon/service';

/** Imports of SIP servers and accounts. */
export class Migration20261125Import extends Migration {
  override up(): void {
    for (const sql of importDdl) this.addSql(sql);
  }
}
