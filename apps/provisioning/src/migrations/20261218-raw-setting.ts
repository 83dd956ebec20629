import { Migration } from '@mikro-orm/migrations';

/** The name of a raw setting is longer than that of any other. */
export class Migration20261218RawSetting extends Migration {
  override up(): void {
    this.addSql('alter table "config_lock" alter column "key" type varchar(128)');
  }
}
