import { Migration } from '@mikro-orm/migrations';

/** The bytes that a phone was sent, which does not say itself when it has loaded a file. */
export class Migration20261218DownloadSent extends Migration {
  override up(): void {
    this.addSql(`alter table "download" add column "sent" int8multirange not null default '{}'`);
  }
}
