import {
  toPage,
  type LdapSyncStatus,
  type listLdapServers,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  orderBy,
  parameters,
  type RowOf,
} from '@carillon/persistence';
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
const count = columns(LdapServer, 's', [], { n: computed<number>('count(*)::int') });
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
const told = ({ sync, ...rest }: RowOf<typeof row>): LdapServerRecord => {
  if (!sync) return { ...rest, sync: null };
  const { error, errorValues, ...facts } = sync;
  return { ...rest, sync: { ...facts, msg: error && errorText(error, context().language, errorValues) } };
};

export async function pageOfServers(query: Query): Promise<RouteReturn<typeof listLdapServers>> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters();
  const like = query.search ? add(containsPattern(query.search)) : undefined;
  const where = [
    'true',
    ...(like ? [anyContains([server.name, server.host, server.base], like)] : []),
    ...filterSql(query, filterColumns, add),
  ].join(' and ');
  const [total] = await currentSql().rows(count, `select ${count} from ldap_server s where ${where}`, values);
  const records = await currentSql().rows(
    row,
    `
      select ${row}
      from ldap_server s
      where ${where}
      order by ${orderBy(query.sort, sorts, `${alphabetic(server.name)}, ${server.id}`)}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  return { records: records.map(told), total: total!.n, current: page, size: limit };
}

export async function serverById(id: string): Promise<LdapServerRecord | undefined> {
  const [found] = await currentSql().rows(row, `select ${row} from ldap_server s where s.id = $1`, [id]);
  return found && told(found);
}
