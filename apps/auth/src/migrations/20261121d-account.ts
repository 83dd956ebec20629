import { Migration } from '@mikro-orm/migrations';

/** What an administrator knows of users; links by which accounts are activated and changed; menu entries; organizations' names. */
export class Migration20261121dAccount extends Migration {
  override up(): void {
    // A foreign key to a table under policies is checked under them.
    this.addSql(`select set_config('app.company_id', '00000000-0000-0000-0000-000000000000', true)`);
    this.addSql(`alter table "user_account" add column "activation" text not null default 'password', add column "all_orgs" boolean not null default false, add column "created_by" varchar(128) null, add column "editor" varchar(128) null, add column "erp_id" varchar(64) null, add column "activated_at" timestamptz(3) null`);
    this.addSql(`alter table "user_account" add constraint "user_account_activation_check" check ("activation" in ('email', 'password'))`);
    // The policies bind the owner too, but not while it changes what they read.
    for (const table of ['user_account', 'user_role', 'role']) this.addSql(`alter table "${table}" no force row level security`);
    // Who administers users saw all organizations there were: the one that the installation began with.
    this.addSql(`update "user_account" u set "all_orgs" = true from "user_role" x join "role" r on r.id = x.role_id where x.user_id = u.id and r.name = 'administrator'`);
    // Keys that came with later screens, for the role that is to have everything.
    this.addSql(`update "role" set "permissions" = "permissions" || array['system', 'organization', 'addOrganization', 'editOrganization', 'deleteOrganization', 'transferOrganization', 'user', 'addUser', 'editUser', 'deleteUser', 'enableUser', 'disableUser', 'unlockUser', 'resendActivation', 'editEnterprise', 'role', 'addRole', 'editRole', 'deleteRole', 'menu', 'addMenu', 'editMenu', 'deleteMenu', 'company', 'addCompany'] where "name" = 'administrator' and not 'addUser' = any ("permissions")`);
    for (const table of ['user_account', 'user_role', 'role']) this.addSql(`alter table "${table}" force row level security`);
    this.addSql(`create unique index "role_name" on "role" ("company_id", lower("name"))`);
    // Names are given here, where the first administrator is made, so that two companies at once cannot get one (CHN-01).
    this.addSql(`create unique index "company_copy_name" on "company_copy" (lower("name"))`);
    this.addSql(`create table "account_link" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "kind" text not null, "hash" bytea not null, "email" varchar(254) null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`alter table "account_link" add constraint "account_link_kind_check" check ("kind" in ('activation', 'passwordReset', 'emailChange'))`);
    this.addSql(`create unique index "account_link_hash" on "account_link" ("hash")`);
    this.addSql(`create index "account_link_user" on "account_link" ("user_id", "kind", "created_at")`);
    this.addSql(`alter table "account_link" add foreign key ("user_id") references "user_account" ("id") on delete cascade`);
    this.addSql(`create table "menu_item" ("id" uuid not null, "company_id" uuid not null, "key" varchar(64) null, "parent" varchar(64) null, "name" varchar(64) null, "path" varchar(512) null, "source" varchar(64) null, "sort" int not null, "hidden" boolean not null, "keep_alive" boolean not null, "role_ids" uuid[] null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "menu_item_key" on "menu_item" ("company_id", "key")`);
    this.addSql(`create table "organization_copy" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create index "organization_copy_company" on "organization_copy" ("company_id")`);
    this.addSql(`create table "enterprise" ("id" uuid not null, "company_id" uuid not null, "contact" varchar(64) not null, "phone" varchar(32) not null, "address" varchar(256) not null, "website" varchar(256) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    for (const table of ['account_link', 'menu_item', 'organization_copy', 'enterprise']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
