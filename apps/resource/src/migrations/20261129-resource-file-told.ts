import { Migration } from '@mikro-orm/migrations';

/** Others are told of resource files, so that tasks bring them to devices. */
export class Migration20261129ResourceFileTold extends Migration {
  override up(): void {
    // What a process of the version before stores is told of, too: it has 0.
    this.addSql('alter table "resource_file" add column "revision" int not null default 0');
    this.addSql('create index "resource_file_untold" on "resource_file" ("id") where ("revision" = 0)');
  }
}
