import { Migration } from '@mikro-orm/migrations';
import { zoneSeeds } from '@carillon/contracts/zones';

const places = `(values ${zoneSeeds.map(({ id, place }) => `(${id}, '${place}')`).join(', ')}) as z (id, place)`;
/** Tables with rows of companies, which the owner sees only without the policies. */
const tables = ['ldap_server', 'deleted'];

/**
 * The schedule of an LDAP server is in a zone of the tz database, instead of one of the list, which has no country. The
 * former column stays: processes of the release before use it during an upgrade.
 */
export class Migration20261207LdapZone extends Migration {
  override up(): void {
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(
      `alter table "ldap_server" add column "time_zone" varchar(64) not null default 'Etc/UTC',
        alter column "timezone_id" set default 1`,
    );
    this.addSql(`update "ldap_server" s set "time_zone" = z.place from ${places} where z.id = s."timezone_id"`);
    // What can still be restored was stored without the new column.
    this.addSql(
      `update "deleted" d set "row" = d."row" || jsonb_build_object('time_zone', z.place)
        from ${places}
        where d."kind" = 'ldapServer' and z.id = (d."row" ->> 'timezone_id')::int`,
    );
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
