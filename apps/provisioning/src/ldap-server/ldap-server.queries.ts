import type { LdapSyncStatus, listLdapServers, RouteInput, RouteReturn } from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, type RowOf } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { LdapServer } from './ldap-server.entity.ts';

export type LdapServerRecord = RouteReturn<typeof listLdapServers>['records'][number];
type Query = RouteInput<typeof listLdapServers>['query'];

interface SyncRow {
  status: LdapSyncStatus;
  startedAt: string;
  endedAt: string | null;
  read: number;
  added: number;
  changed: number;
  removed: number;
  error: ErrorKey | null;
  errorValues: Record<string, unknown>;
}
const server = columnNames(LdapServer, 's');
const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const accounts = (where = ''): string => `(select count(*)::int from ldap_account a where a.server_id = s.id ${where})`;
const row = columns(
  LdapServer,
  's',
  [
    'id',
    'name',
    'enabled',
    'host',
    'port',
    'security',
    'checkCertificate',
    'ca',
    'userName',
    'base',
    'filter',
    'attributes',
    'cycle',
    'time',
    'weekday',
    'timeZone',
    'nextSyncAt',
    'updatedAt',
  ],
  {
    passwordSet: computed<boolean>(`${server.password} is not null`),
    accounts: computed<number>(accounts()),
    missing: computed<number>(accounts('and a.missing')),
    sync: computed<SyncRow | null>(`
      (
        select jsonb_build_object(
          'status', y.status, 'startedAt', ${iso('y.started_at')}, 'endedAt', ${iso('y.ended_at')}, 'read', y.read,
          'added', y.added, 'changed', y.changed, 'removed', y.removed, 'error', y.error,
          'errorValues', y.error_values
        )
        from ldap_sync y
        where y.server_id = s.id
      )
    `),
  },
);
const sorts = {
  name: alphabetic(server.name),
  host: `${server.host} || ':' || ${server.port}`,
  enabled: server.enabled,
  security: server.security,
  cycle: server.cycle,
  accounts: 'accounts',
  nextSyncAt: server.nextSyncAt,
  updatedAt: server.updatedAt,
};
const filterColumns = {
  name: filterBy.text(server.name),
  host: filterBy.text(server.host),
  enabled: filterBy.flag(server.enabled),
  security: filterBy.text(server.security),
  cycle: filterBy.text(server.cycle),
  updatedAt: filterBy.moment(server.updatedAt),
};

/** Returns a server with the error of its sync in the caller's language. */
const recordOf = ({ sync, ...rest }: RowOf<typeof row>): LdapServerRecord => {
  if (!sync) return { ...rest, sync: null };
  const { error, errorValues, ...facts } = sync;
  return { ...rest, sync: { ...facts, msg: error && errorText(error, context().language, errorValues) } };
};

export async function pageOfServers(query: Query): Promise<RouteReturn<typeof listLdapServers>> {
  const page = await readPage({
    query,
    record: row,
    from: 'ldap_server s',
    searched: [server.name, server.host, server.base],
    filters: filterColumns,
    sorts,
    order: `${alphabetic(server.name)}, ${server.id}`,
  });
  return { ...page, records: page.records.map(recordOf) };
}

export async function serverById(id: string): Promise<LdapServerRecord | undefined> {
  const [found] = await currentSql().rows(row, `select ${row} from ldap_server s where s.id = $1`, [id]);
  return found && recordOf(found);
}
