import { Migration } from '@mikro-orm/migrations';

/** When what a message tells of was mended. */
export class Migration20261217MessageEnd extends Migration {
  override up(): void {
    this.addSql(`alter table "message" add column "ended_at" timestamptz(3) null`);
  }
}
