import { Migration } from '@mikro-orm/migrations';

/** A parent company sees whether the activation mail of its channel was sent. */
export class Migration20261209LinkMail extends Migration {
  override up(): void {
    this.addSql('alter table "account_link" add column "mail_id" uuid null');
  }
}
