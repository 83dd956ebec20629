import { Migration } from '@mikro-orm/migrations';

/** Whether devices have drifted from their configuration, for tasks that bring them back. */
export class Migration20261215TaskConfigDrift extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "config_drifted" boolean not null default false');
  }
}
