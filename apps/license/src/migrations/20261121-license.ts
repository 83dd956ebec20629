import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

/** Zones and daylight saving rules of the installation. */
export class Migration20261121License extends Migration {
  override up(): void {
    this.addSql(`create table "time_zone" ("id" int not null, "offset" int not null, "region" varchar(128) not null, "sort" int not null, "place" varchar(64) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "country_time" ("id" int not null, "code" varchar(2) not null, "offset" int not null, "rule" jsonb null, "place" varchar(64) not null, "edited" boolean not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
