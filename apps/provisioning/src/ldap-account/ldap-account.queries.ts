import type { listLdapAccounts, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, column, columnNames, columns, computed, currentSql, filterBy } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { LdapServer } from '../ldap-server/ldap-server.entity.ts';
import type { ReadEntry } from '../ldap-server/directory.ts';
import { LdapAccount } from './ldap-account.entity.ts';

type Query = RouteInput<typeof listLdapAccounts>['query'];
type LdapAccountRecord = RouteReturn<typeof listLdapAccounts>['records'][number];

const account = columnNames(LdapAccount, 'a');
const serverName = column(LdapServer, 's', 'name').sql;
const from = 'ldap_account a join ldap_server s on s.id = a.server_id';
const record = columns(
  LdapAccount,
  'a',
  ['id', 'name', 'number', 'mailbox', 'department', 'supervisor', 'adAccount', 'missing', 'updatedAt'],
  { server: computed<LdapAccountRecord['server']>(`jsonb_build_object('id', s.id, 'name', ${serverName})`) },
);
const sorts = {
  name: alphabetic(account.name),
  number: account.number,
  mailbox: alphabetic(account.mailbox),
  department: alphabetic(account.department),
  supervisor: alphabetic(account.supervisor),
  adAccount: alphabetic(account.adAccount),
  server: alphabetic(serverName),
  missing: account.missing,
  updatedAt: account.updatedAt,
};
const filterColumns = {
  missing: filterBy.flag(account.missing),
  name: filterBy.text(account.name),
  number: filterBy.text(account.number),
  mailbox: filterBy.text(account.mailbox),
  department: filterBy.text(account.department),
  supervisor: filterBy.text(account.supervisor),
  adAccount: filterBy.text(account.adAccount),
  updatedAt: filterBy.moment(account.updatedAt),
};
const searched = [account.name, account.number, account.mailbox, account.department, account.adAccount];

export async function pageOfAccounts(query: Query): Promise<RouteReturn<typeof listLdapAccounts>> {
  return readPage({
    query,
    record,
    from,
    searched,
    filters: filterColumns,
    where: (add) => (query.server ? [`${account.serverId} = any (${add(query.server)}::uuid[])`] : []),
    sorts,
    order: `${alphabetic(account.name)}, ${account.id}`,
  });
}

export interface Stored {
  added: number;
  changed: number;
  removed: number;
  /** Accounts that are kept although the directory no longer has them. */
  missing: number;
}

const chunk = 2_000;

/**
 * Stores the entries that were read as the accounts of a server, and writes only changes. Missing accounts are deleted.
 * When they are more than a tenth of all, the directory or the filter is probably wrong, so they are kept until a user
 * decides.
 */
export async function storeEntries(serverId: string, entries: readonly ReadEntry[]): Promise<Stored> {
  const { companyId } = context();
  const sql = currentSql();
  const { rows: had } = await sql.query<{ n: number }>(
    'select count(*)::int as n from ldap_account where server_id = $1',
    [serverId],
  );
  let [added, changed] = [0, 0];
  for (let at = 0; at < entries.length; at += chunk) {
    const { rows } = await sql.query<{ added: number; changed: number }>(
      `
        with x as (
          select *
          from jsonb_to_recordset($1::jsonb) as r(
            entry text, name text, number text, mailbox text, department text, supervisor text, "adAccount" text
          )
        ),
        written as (
          insert into ldap_account as a (
            id, company_id, server_id, entry, name, number, mailbox, department, supervisor, ad_account, missing,
            updated_at
          )
          select
            gen_random_uuid(), $2, $3, x.entry, x.name, x.number, x.mailbox, x.department, x.supervisor,
            x."adAccount", false, now()
          from x
          on conflict (server_id, entry) do update set
            name = excluded.name, number = excluded.number, mailbox = excluded.mailbox,
            department = excluded.department, supervisor = excluded.supervisor, ad_account = excluded.ad_account,
            missing = false, updated_at = excluded.updated_at
          where
            (a.name, a.number, a.mailbox, a.department, a.supervisor, a.ad_account, a.missing)
            is distinct from
            (
              excluded.name, excluded.number, excluded.mailbox, excluded.department, excluded.supervisor,
              excluded.ad_account, false
            )
          returning xmax = 0 as fresh
        )
        select
          count(*) filter (where fresh)::int as added,
          count(*) filter (where not fresh)::int as changed
        from written
      `,
      [JSON.stringify(entries.slice(at, at + chunk)), companyId, serverId],
    );
    added += rows[0]!.added;
    changed += rows[0]!.changed;
  }
  const gone = 'server_id = $1 and entry not in (select unnest($2::text[]))';
  const read = [serverId, entries.map(({ entry }) => entry)];
  const { rows: lost } = await sql.query<{ n: number }>(
    `select count(*)::int as n from ldap_account where ${gone}`,
    read,
  );
  if (lost[0]!.n * 10 <= had[0]!.n) {
    const { rowCount } = await sql.query(`delete from ldap_account where ${gone}`, read);
    return { added, changed, removed: rowCount, missing: 0 };
  }
  const { rowCount } = await sql.query(
    `update ldap_account set missing = true, updated_at = now() where not missing and ${gone}`,
    read,
  );
  return { added, changed, removed: 0, missing: rowCount };
}
