import { Migration } from '@mikro-orm/migrations';

/** What ends a link to the phonebook: its device is disabled or gets another secret, or its company is closed. */
export class Migration20261208PhonebookEnd extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device_copy"
      add column "enabled" boolean not null default true,
      add column "secret_mark" varchar(12) null
    `);
    this.addSql(`alter table "company_copy" add column "open" boolean not null default true`);
  }
}
