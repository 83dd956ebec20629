import { Migration } from '@mikro-orm/migrations';

/** Orders that are given once however often they are sent, and how many doors a device has (TASK-02). */
export class Migration20261129TaskDoor extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "order_id" uuid');
    this.addSql(`
      create unique index "task_order" on "task" ("creator_id", "order_id")
      where ("order_id" is not null)
    `);
    this.addSql('alter table "device_copy" add column "door_count" int');
  }
}
