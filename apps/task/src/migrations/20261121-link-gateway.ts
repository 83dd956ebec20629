import { Migration } from '@mikro-orm/migrations';

/** Which process of a gateway lives: a session of a dead one may be told of after its death. */
export class Migration20261121TaskLinkGateway extends Migration {
  override up(): void {
    this.addSql('create table "link_gateway" ("name" text not null, "gateway" text null, "at" float8 not null, primary key ("name"))');
  }
}
