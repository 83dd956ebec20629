import { Migration } from '@mikro-orm/migrations';

/** Where mails go when the operator said so in the system configuration. */
export class Migration20261121dMailServer extends Migration {
  override up(): void {
    this.addSql(`create table "mail_server" ("key" varchar(32) not null, "server" jsonb not null, "version" bigint not null, primary key ("key"))`);
  }
}
