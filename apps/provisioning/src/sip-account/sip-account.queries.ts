import type { listSipAccounts, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  column,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { SiteCopy } from '../site/site.projection.ts';
import { SipAccount } from './sip-account.entity.ts';

type Query = RouteInput<typeof listSipAccounts>['query'];
export type SipAccountRecord = RouteReturn<typeof listSipAccounts>['records'][number];

const account = columnNames(SipAccount, 'a');
const is = (password: string) => computed<boolean>(`${password} is not null`);
const serverName = column(SipServer, 's', 'name').sql;
const siteName = column(SiteCopy, 'i', 'name').sql;
const from = `
  sip_account a
  join sip_server s on s.id = a.server_id
  left join site_copy i on i.id = a.site_id
`;
/** Number of lines with the account, of devices that the caller sees. */
const lines = `(
  select count(*) from account_line l join device_copy d on d.id = l.device_id where l.account_id = a.id
)`;
const record = columns(
  SipAccount,
  'a',
  ['id', 'orgId', 'name', 'number', 'displayName', 'authUser', 'proxyUser', 'voicemailNumber', 'status', 'updatedAt'],
  {
    server: computed<SipAccountRecord['server']>(`jsonb_build_object('id', s.id, 'name', ${serverName})`),
    site: computed<SipAccountRecord['site']>(
      `case when i.id is not null then jsonb_build_object('id', i.id, 'name', ${siteName}) end`,
    ),
    authPasswordSet: is(account.authPassword),
    proxyPasswordSet: is(account.proxyPassword),
    voicemailPasswordSet: is(account.voicemailPassword),
    fcs: computed<boolean>('s.fcs'),
    closed: computed<boolean>('s.closed'),
    devices: computed<SipAccountRecord['devices']>(`
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('deviceId', d.id, 'device', d.name, 'mac', d.mac, 'line', l.line)
            order by ${alphabetic('d.name')}, l.line
          ),
          '[]'
        )
        from account_line l
        join device_copy d on d.id = l.device_id
        where l.account_id = a.id
      )
    `),
  },
);
const sorts = {
  name: alphabetic(account.name),
  number: alphabetic(account.number),
  displayName: alphabetic(account.displayName),
  server: alphabetic(serverName),
  site: alphabetic(siteName),
  authUser: alphabetic(account.authUser),
  proxyUser: alphabetic(account.proxyUser),
  voicemailNumber: account.voicemailNumber,
  status: account.status,
  lines,
  updatedAt: account.updatedAt,
};

const filterColumns = {
  name: filterBy.text(account.name),
  number: filterBy.text(account.number),
  displayName: filterBy.text(account.displayName),
  authUser: filterBy.text(account.authUser),
  fcs: filterBy.flag('s.fcs'),
  several: filterBy.flag(`
    (a.id in (
      select l.account_id
      from account_line l
      join device_copy d on d.id = l.device_id
      group by l.account_id
      having count(*) > 1
    ))
  `),
  updatedAt: filterBy.moment(account.updatedAt),
};

function conditions(query: Query, add: (value: unknown) => string): string {
  const like = query.search ? add(containsPattern(query.search)) : undefined;
  const named = query.site?.filter((site) => site !== 'none') ?? [];
  const sites = [
    ...(named.length > 0 ? [`i.id = any (${add(named)}::uuid[])`] : []),
    ...(query.site?.includes('none') ? ['i.id is null'] : []),
  ];
  return [
    'true',
    ...(like ? [anyContains([account.name, account.number, account.displayName, account.authUser], like)] : []),
    ...(query.server ? [`${account.serverId} = any (${add(query.server)}::uuid[])`] : []),
    ...(sites.length > 0 ? [`(${sites.join(' or ')})`] : []),
    ...(query.status ? [`${account.status} = any (${add(query.status)}::text[])`] : []),
    ...filterSql(query, filterColumns, add),
    ...(query.orgId ? [`${account.orgId} = any (${add(query.orgId)}::uuid[])`] : []),
  ].join(' and ');
}

export async function pageOfAccounts(query: Query): Promise<RouteReturn<typeof listSipAccounts>> {
  return readPage({
    query,
    record,
    from,
    where: (add) => [conditions(query, add)],
    sorts,
    order: `${alphabetic(account.name)}, ${account.id}`,
  });
}

export async function accountById(id: string): Promise<SipAccountRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from ${from} where a.id = $1`, [id]))[0];
}

/**
 * Locks the accounts whose column has one of the values, in the order of their ids, so that two transactions that
 * change several of them never deadlock. Lines of an account are changed only under its lock.
 */
export async function lockAccounts(where: 'id' | 'server_id' | 'org_id', values: readonly string[]): Promise<void> {
  await currentSql().query(`select 1 from sip_account where ${where} = any ($1::uuid[]) order by id for update`, [
    values,
  ]);
}
