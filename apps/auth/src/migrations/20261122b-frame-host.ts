import { Migration } from '@mikro-orm/migrations';

/** Hosts of pages that may be shown in a frame, as the operator allows them. */
export class Migration20261122bFrameHost extends Migration {
  override up(): void {
    this.addSql(`create table "frame_host" ("key" varchar(32) not null, "hosts" jsonb not null, "version" bigint not null, primary key ("key"))`);
  }
}
