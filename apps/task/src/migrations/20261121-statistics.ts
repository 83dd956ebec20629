import { Migration } from '@mikro-orm/migrations';

/**
 * The indexes of what has its time say so in their own columns. Under the states' names they also answered, as PostgreSQL
 * saw it, what is asked about one device; after a task it took them for empty, and each of those questions read them whole.
 */
export class Migration20261121TaskStatistics extends Migration {
  override up(): void {
    this.addSql('drop index "task_device_expiry"');
    this.addSql('drop index "task_device_deadline"');
    // A task's rows are walked by the primary key.
    this.addSql('drop index "task_device_to_send"');
    this.addSql('create index "task_device_expiry" on "task_device" ("expires_at") where ended_at is null');
    this.addSql('create index "task_device_deadline" on "task_device" ("deadline_at") where deadline_at is not null');
  }
}
