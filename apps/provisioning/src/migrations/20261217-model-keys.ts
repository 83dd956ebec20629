import { Migration } from '@mikro-orm/migrations';

/** The lines and keys of the models that companies added. */
export class Migration20261217ModelKeys extends Migration {
  override up(): void {
    this.addSql('alter table "model_copy" add column "keys" jsonb');
  }
}
