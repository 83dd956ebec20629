import { Migration } from '@mikro-orm/migrations';

/** The version of the configuration that each device reports, so that a task can select devices by it. */
export class Migration20261214TaskConfigVersion extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "config_version" varchar(128) null');
  }
}
