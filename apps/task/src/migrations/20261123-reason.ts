import { Migration } from '@mikro-orm/migrations';

/** Why a device was left out is a code with its values: each reader is told in their own language (EDGE-08). */
export class Migration20261123TaskReason extends Migration {
  override up(): void {
    this.addSql('alter table "task_device" add column "code_values" jsonb null');
  }
}
