import { Migration } from '@mikro-orm/migrations';

/** Roles that the product seeds gain the rights that later versions bring (ROLE-01): which they are, and what they knew. */
export class Migration20261121fBuiltInRole extends Migration {
  override up(): void {
    this.addSql(`alter table "role" add column "built_in" varchar(32) null, add column "known_keys" text[] not null default '{}'`);
    this.addSql(`select set_config('app.company_id', '00000000-0000-0000-0000-000000000000', true)`);
    this.addSql(`alter table "role" no force row level security`);
    // Until now no right was new to anyone: what such a role lacks came after it was seeded.
    this.addSql(`update "role" set "built_in" = "name", "known_keys" = "permissions" where "name" in ('administrator', 'viewer')`);
    this.addSql(`alter table "role" force row level security`);
  }
}
