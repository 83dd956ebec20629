import { Migration } from '@mikro-orm/migrations';
import { keyRenewalDdl } from '@carillon/service';

/** How far each company is on its way to a new key. */
export class Migration20261205KeyRenewal extends Migration {
  override up(): void {
    for (const sql of keyRenewalDdl) this.addSql(sql);
  }
}
