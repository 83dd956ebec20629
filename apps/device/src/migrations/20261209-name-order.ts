import { Migration } from '@mikro-orm/migrations';

/** Name, SN and IP as searches compare them, then a mark that nobody can type and the MAC behind it. */
const text = `
  lower(normalize(new.name || E'\\n' || new.sn || E'\\n' || coalesce(new.internal_ip, ''), nfkc)) || E'\\n#' || new.mac
`;

/**
 * Lists sort names by the letters of any language (libs/persistence/src/page.ts), and searches find full-width letters
 * (libs/contracts/src/define/filter.sql.ts).
 */
export class Migration20261209DeviceNameOrder extends Migration {
  override up(): void {
    this.addSql('drop index "device_company_name"');
    this.addSql(`
      create index "device_company_name" on "device" ("company_id", "name" collate "und-x-icu", "id")
      include ("org_id")
    `);
    this.addSql('drop index "device_search_name"');
    this.addSql(`
      create index "device_search_name" on "device_search" ("company_id", "name" collate "und-x-icu", "device_id")
      include ("org_id", "text")
    `);
    this.addSql(`
      create or replace function device_search_keep() returns trigger language plpgsql as $$
      begin
        insert into device_search (device_id, company_id, org_id, name, text)
        values (new.id, new.company_id, new.org_id, new.name, ${text})
        on conflict (device_id) do update set
          company_id = excluded.company_id, org_id = excluded.org_id, name = excluded.name, text = excluded.text;
        return null;
      end $$
    `);
    // The owner must read past the policies, in this transaction only.
    for (const table of ['device', 'device_search']) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update device_search s
      set text = ${text}
      from device new
      where new.id = s.device_id and not (new.name || new.sn) is nfkc normalized
    `);
    for (const table of ['device', 'device_search']) this.addSql(`alter table "${table}" force row level security`);
  }
}
