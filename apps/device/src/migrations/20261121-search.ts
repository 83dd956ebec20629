import { Migration } from '@mikro-orm/migrations';

const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;
/** Name, SN and IP in small letters, then a mark that nobody can type and the MAC behind it: one text to look into, and the MAC alone. */
const text = `lower(new.name || E'\\n' || new.sn || E'\\n' || coalesce(new.internal_ip, '')) || E'\\n#' || new.mac`;

/**
 * What the list looks into for 'contains', in a narrow table beside: a device's row changes with every coming and going,
 * and each change would write all trigrams again. PostgreSQL's own triggers keep it for every writer of a device.
 */
export class Migration20261121DeviceSearch extends Migration {
  override up(): void {
    for (const name of ['pg_trgm', 'btree_gin']) this.addSql(`create extension if not exists ${name}`);
    this.addSql('create table "device_search" ("device_id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "name" varchar(64) not null, "text" text not null, primary key ("device_id"))');
    // What is there already: the owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "device" no force row level security');
    this.addSql(`insert into device_search (device_id, company_id, org_id, name, text) select new.id, new.company_id, new.org_id, new.name, ${text} from device new`);
    this.addSql('alter table "device" force row level security');
    this.addSql('alter table "device_search" enable row level security');
    this.addSql('alter table "device_search" force row level security');
    this.addSql(`create policy "organization" on "device_search" as restrictive using (${policy}) with check (${policy})`);
    this.addSql(`create policy "device_search_company_policy" on "device_search" using ("company_id" = current_setting('app.company_id')::uuid)`);
    // With the company in it, so that a text that is everywhere is looked at in one company only.
    this.addSql('create index "device_search_text" on "device_search" using gin ("company_id", "text" gin_trgm_ops)');
    // Where LIKE may not use that one, and for a page of many by name, a company's texts are read from here and nowhere else.
    this.addSql('create index "device_search_name" on "device_search" ("company_id", "name", "device_id") include ("org_id", "text")');
    this.addSql(`create function device_search_keep() returns trigger language plpgsql as $$
      begin
        insert into device_search (device_id, company_id, org_id, name, text) values (new.id, new.company_id, new.org_id, new.name, ${text})
        on conflict (device_id) do update set company_id = excluded.company_id, org_id = excluded.org_id, name = excluded.name, text = excluded.text;
        return null;
      end $$`);
    this.addSql(`create function device_search_drop() returns trigger language plpgsql as $$ begin delete from device_search where device_id = old.id; return null; end $$`);
    this.addSql('create trigger device_search_added after insert on device for each row execute function device_search_keep()');
    this.addSql(`create trigger device_search_changed after update on device for each row
      when ((old.name, old.sn, old.mac, old.internal_ip, old.org_id, old.company_id) is distinct from (new.name, new.sn, new.mac, new.internal_ip, new.org_id, new.company_id)) execute function device_search_keep()`);
    this.addSql('create trigger device_search_deleted after delete on device for each row execute function device_search_drop()');
    // What the list sorts and filters by, with the organization, so that who sees all of them is counted for from the index.
    this.addSql('drop index "device_company_name"');
    this.addSql('drop index "device_company_state"');
    this.addSql('create index "device_company_name" on "device" ("company_id", "name", "id") include ("org_id")');
    this.addSql('create index "device_company_state" on "device" ("company_id", "state") include ("org_id")');
    this.addSql('create index "device_company_model" on "device" ("company_id", "model", "id") include ("org_id")');
    // The time goes downwards, those that never were online last.
    this.addSql('create index "device_company_last_online" on "device" ("company_id", "last_online_at" desc nulls last, "id") include ("org_id")');
  }
}
