import { Migration } from '@mikro-orm/migrations';

/** Settings of the installation. */
export class Migration20261121bConfig extends Migration {
  override up(): void {
    this.addSql(`create table "sys_config" ("key" varchar(32) not null, "value" jsonb null, "bytes" bytea null, "sealed" text null, "version" int not null, "editor" varchar(128) not null, "updated_at" timestamptz(3) not null, primary key ("key"))`);
  }
}
