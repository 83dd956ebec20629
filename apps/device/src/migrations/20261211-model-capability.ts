import { Migration } from '@mikro-orm/migrations';

/** What a model can do; nothing is known of models from before (CFG-03). */
export class Migration20261211DeviceModelCapability extends Migration {
  override up(): void {
    this.addSql(`alter table "device_model" add column "capabilities" jsonb not null default '{}'`);
  }
}
