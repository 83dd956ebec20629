import { Migration } from '@mikro-orm/migrations';

/** The result of the last test of the installation's mail server. */
export class Migration20261210MailCheck extends Migration {
  override up(): void {
    this.addSql(`create table "mail_check" (
      "server" varchar(43) not null, "passed" boolean not null, "at" timestamptz(3) not null, primary key ("server")
    )`);
  }
}
