import { Migration } from '@mikro-orm/migrations';

/** Tasks that bring several files, and which of them each device gets. */
export class Migration20261130TaskFiles extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "files" jsonb null');
    this.addSql('alter table "task_device" add column "file_id" uuid null');
  }
}
