import {
  phoneGateway,
  toPage,
  type DeviceRecord,
  type ListedTarget,
  type Page,
  type RouteInput,
  type countDevices,
  type listDevices,
} from '@carillon/contracts';
import {
  deviceFilterSql,
  onlineSinceSql,
  type DeviceFilterColumns,
  type DeviceSearch,
} from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  type FilterColumns,
  filterSql,
  iso,
  orderBy,
  parameters,
  searchable,
} from '@carillon/persistence';
import { accountsSql } from '../line/assigned-line.ts';
import { groupsSql } from '../device-group/device-group.queries.ts';
import { configFilter } from '../device-config/device-config.projection.ts';
import { Device } from './device.entity.ts';
import { unsupportedSql } from '../model/model.queries.ts';
import { isSharedSql } from './shared-identity.ts';

/** SQL: how a device `d` was last online; null before the first time. */
const channelSql = `(case when d.gateway = '${phoneGateway}' then 'http' when d.gateway is not null then 'mqtt' end)`;

/** Columns of a device from a table `d`, as lists and pages show them. */
export const deviceRecord = columns(
  Device,
  'd',
  [
    'id',
    'orgId',
    'mac',
    'name',
    'model',
    'sn',
    'firmware',
    'hardware',
    'state',
    'enabled',
    'internalIp',
    'publicIp',
    'lte',
    'dnd',
    'certificate',
    'lines',
    'calls',
    'capabilities',
    'configVersion',
    'configDriftedAt',
    'configFailed',
    'tags',
    'lastConfigAt',
    'createdAt',
  ],
  {
    // Truncated to the minute, so that a repeated request returns the same rows.
    lastOnlineAt: computed<string | null>(
      `case when d.online then date_trunc('minute', now()) else d.last_online_at end`,
      iso,
    ),
    onlineSince: computed<string | null>(onlineSinceSql('d.online', 'd.last_online_at'), iso),
    channel: computed<DeviceRecord['channel']>(channelSql),
    site: computed<DeviceRecord['site']>(
      `(select jsonb_build_object('id', s.id, 'name', s.name) from site_copy s where s.id = d.site_id)`,
    ),
    server: computed<DeviceRecord['server']>(
      `(select jsonb_build_object('id', s.id, 'name', s.name) from server_copy s where s.id = d.server_id)`,
    ),
    groups: computed<DeviceRecord['groups']>(groupsSql),
    unsupported: computed<string[]>(unsupportedSql('d.model')),
    organization: computed<DeviceRecord['organization']>(
      `(select jsonb_build_object('id', o.id, 'name', o.name) from organization_copy o where o.id = d.org_id)`,
    ),
    accounts: computed<DeviceRecord['accounts']>(accountsSql),
    sharedIdentity: computed<DeviceRecord['sharedIdentity']>(`
      case when ${isSharedSql('d.shared_at', 'now()')} then
        jsonb_build_array(d.place - 'booted', d.place_before - 'booted') end
    `),
    doors: computed<DeviceRecord['doors']>(`
      case when d.online or d.doors = '[]' then d.doors else (
        select jsonb_agg(x || '{"status": "unknown"}' order by (x ->> 'door')::int) from jsonb_array_elements(d.doors) x
      ) end
    `),
  },
);

const device = columnNames(Device, 'd');
const sortColumns = {
  name: alphabetic(device.name),
  mac: device.mac,
  model: device.model,
  sn: device.sn,
  firmware: device.firmware,
  state: device.state,
  internalIp: device.internalIp,
  lastOnlineAt: device.seenAt,
  createdAt: device.createdAt,
};

/**
 * Columns that are never null. Only a plain `desc` with the id in the same direction allows a backward scan of their
 * index.
 */
const neverEmpty = new Set(['name', 'mac', 'model', 'sn', 'state', 'createdAt']);
function orderSql(sort: string | undefined): string {
  const down = sort?.startsWith('-') ? sort.slice(1) : undefined;
  return down !== undefined && neverEmpty.has(down)
    ? `${sortColumns[down as keyof typeof sortColumns]} desc, id desc`
    : orderBy(sort, sortColumns, `${alphabetic('d.name')}, id`);
}

type ListQuery = RouteInput<typeof listDevices>['query'];
type Filter = Omit<ListQuery, keyof Page | 'current' | 'size' | 'sort'>;
type Add = (value: unknown) => string;
interface Statement {
  sql: string;
  values: unknown[];
}

/**
 * Searches the one search text of a device, in which the MAC follows a mark (migrations/20261121-search.ts): a third of
 * the work, and PostgreSQL may use an index. A MAC with separators is searched without them, because the text has none.
 */
const likeSql = ({ pattern, mac }: DeviceSearch, add: Add): string => {
  const all = `s.text like lower(${add(pattern)})`;
  // Plain hex digits are found in the whole text anyway.
  return mac === null || pattern.toLowerCase() === `%${mac}%` ? all : `(s.text like ${add(`%\n#%${mac}%`)} or ${all})`;
};
/** Matches the name column after the indexed whole text, which contains the name's letters as well. */
const nameLikeSql = (texts: readonly string[], add: Add): string => {
  const any = texts.map((part) => {
    const pattern = add(containsPattern(part));
    return `s.text like lower(${pattern}) and ${searchable('s.name')} ilike ${pattern}`;
  });
  return `(${any.join(' or ')})`;
};
const foundSql = (where: string): string => `d.id in (select s.device_id from device_search s where ${where})`;

/** Filters that this service has besides those of a task's target. */
const { text, id, number, flag, moment } = filterBy;
const serverSql = '(select s.id from server_copy s where s.id = d.server_id)';
const lookColumns: FilterColumns = {
  line: text('d.lines', {
    any: (values, add) =>
      `exists (select 1 from jsonb_array_elements(d.lines) l where l ->> 'status' = any(${add(values)}::text[]))`,
  }),
  account: text('d.lines', {
    any: (values, add) =>
      `exists (select 1 from jsonb_array_elements(d.lines) l where l ->> 'account' = any(${add(values)}::text[]))`,
    contains: (texts, add) => `
      exists (
        select 1
        from jsonb_array_elements(d.lines) l
        where ${anyContains([`l ->> 'account'`], `any(${add(texts.map(containsPattern))}::text[])`)}
      )
    `,
  }),
  sipServer: id(serverSql, {
    any: (values, add) => {
      const servers = `d.server_id = any(${add(values.filter((v) => v !== 'none'))}::uuid[])`;
      return values.includes('none') ? `(${servers} or ${serverSql} is null)` : servers;
    },
  }),
  change: id('d.id', {
    any: (values, add) => {
      const parts = (values as string[]).map((value) => {
        const [changeId, state] = value.split('.');
        return `(r.change_id = ${add(changeId)}::uuid and r.state = ${add(state)})`;
      });
      return `d.id in (select r.device_id from device_change_row r where ${parts.join(' or ')})`;
    },
  }),
  hardware: text(device.hardware),
  publicIp: text(device.publicIp),
  lte: text(device.lte),
  dnd: text(device.dnd),
  channel: text(channelSql),
  certificate: flag(device.certificate),
  calls: number(device.calls),
  configVersion: text(device.configVersion),
  lastConfigAt: moment(device.lastConfigAt),
  createdAt: moment(device.createdAt),
};

/** How texts are searched, instead of the default conditions on `d`. */
interface Texts {
  search: (search: DeviceSearch, add: Add) => string;
  name: (texts: readonly string[], add: Add) => string;
}
const searched: Texts = {
  search: (search, add) => foundSql(likeSql(search, add)),
  name: (texts, add) => foundSql(nameLikeSql(texts, add)),
};

/** Returns all conditions of a filter for a table `d`. */
function whereSql(filter: Filter, add: Add, texts: Texts | undefined = searched): string {
  const { lastOnlineFrom, lastOnlineTo, ...rest } = filter;
  const columns: Partial<DeviceFilterColumns> = {
    config: configFilter,
    onlineSince: moment(onlineSinceSql('d.online', 'd.last_online_at')),
    ...(texts ? { name: text(device.name, { contains: texts.name }) } : {}),
  };
  return [
    deviceFilterSql(rest, add, { ...(texts ? { search: texts.search } : {}), columns }),
    ...filterSql(rest, lookColumns, add),
    // The former names of these filters, from before there were operators.
    ...filterSql(
      { 'lastOnlineAt.from': lastOnlineFrom, 'lastOnlineAt.to': lastOnlineTo },
      { lastOnlineAt: moment(device.seenAt) },
      add,
    ),
  ].join(' and ');
}

/**
 * Returns the two statements of a page. With `texts` false it searches the columns of `d` directly, for a bench; `more`
 * adds a condition.
 */
export function listSql(
  query: ListQuery,
  texts: Texts | false = searched,
  more?: (add: Add) => string,
): { count: Statement; page: Statement } {
  const { page, limit } = toPage(query);
  const filter = parameters();
  const where = [whereSql(query, filter.add, texts || undefined), ...(more ? [more(filter.add)] : [])].join(' and ');
  const paged = parameters(filter.values);
  return {
    count: { sql: `select count(*)::int as total from device d where ${where}`, values: filter.values },
    page: {
      sql: `
        select ${deviceRecord}
        from device d
        where ${where}
        order by ${orderSql(query.sort)}
        limit ${paged.add(limit)} offset ${paged.add((page - 1) * limit)}
      `,
      values: paged.values,
    },
  };
}

/** Up to this many matching ids are passed on; beyond it the text is searched again. */
const maxFoundIds = 1_000;
/** Sorts for which the search table has an index. */
const searchOrders: Readonly<Record<string, string>> = {
  name: `${alphabetic('s.name')}, s.device_id`,
  '-name': `${alphabetic('s.name')} desc, s.device_id desc`,
};

const read = async <R>({ sql, values }: Statement): Promise<R[]> => (await currentSql().query<R>(sql, values)).rows;

/** Returns whether the query has no filter besides texts, apart from paging and sorting. */
export function asksForTextOnly(query: ListQuery): boolean {
  const { search, 'name.contains': name, page: _page, limit: _limit, current: _current, size: _size, ...rest } = query;
  const { sort: _sort, ...filters } = rest;
  return (search ?? name) !== undefined && Object.values(filters).every((filter) => filter === undefined);
}

/**
 * Returns the statements for a text search. It looks up a limited number of ids first, because PostgreSQL cannot
 * estimate the matches of a text, least of all behind policies. Paging and counting depend on that number.
 */
async function searchStatements(query: ListQuery): Promise<{ total?: number; count: Statement; page: Statement }> {
  const { values, add } = parameters();
  const where = deviceFilterSql({ search: query.search, 'name.contains': query['name.contains'] }, add, {
    search: likeSql,
    columns: { name: text('s.name', { contains: nameLikeSql }) },
  });
  const found = await read<{ id: string }>({
    sql: `select s.device_id as id from device_search s where ${where} limit ${maxFoundIds + 1}`,
    values,
  });
  if (found.length <= maxFoundIds) {
    const ids = found.map((r) => r.id);
    const among = (_: unknown, addValue: Add): string => `d.id = any(${addValue(ids)}::uuid[])`;
    const statements = listSql(query, { search: among, name: among });
    return asksForTextOnly(query) ? { ...statements, total: ids.length } : statements;
  }
  const statements = listSql(query);
  if (!asksForTextOnly(query)) return statements;
  const count = { sql: `select count(*)::int as total from device_search s where ${where}`, values: [...values] };
  const order = searchOrders[query.sort ?? 'name'];
  if (!order) return { ...statements, count };
  const { page, limit } = toPage(query);
  const rows = await read<{ id: string }>({
    sql: `
      select s.device_id as id
      from device_search s
      where ${where}
      order by ${order}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  });
  const pageSql = `select ${deviceRecord} from device d where d.id = any($1::uuid[]) order by ${orderSql(query.sort)}`;
  return { count, page: { sql: pageSql, values: [rows.map((r) => r.id)] } };
}

/** Returns a page with the exact count. */
export async function pageOfDevices(query: ListQuery) {
  const { page: current, limit: size } = toPage(query);
  const statements: { total?: number; count: Statement; page: Statement } =
    query.search || query['name.contains'] ? await searchStatements(query) : listSql(query);
  const total = statements.total ?? (await read<{ total: number }>(statements.count))[0]!.total;
  const records = await currentSql().rows(deviceRecord, statements.page.sql, statements.page.values);
  return { records, total, current, size };
}

/** Returns the ids of all matching devices, or of those among `named`, in the requested order. */
export async function matchingIds(
  query: Omit<ListQuery, keyof Page | 'current' | 'size'>,
  named?: readonly string[],
): Promise<string[]> {
  const { values, add } = parameters();
  const where = [whereSql(query, add), ...(named ? [`d.id = any(${add(named)}::uuid[])`] : [])].join(' and ');
  return (
    await currentSql().query<{ id: string }>(
      `select id from device d where ${where} order by ${orderSql(query.sort)}`,
      values,
    )
  ).rows.map((r) => r.id);
}

/** Returns the ids of a selection: the given ones, or all matching ones except the excluded. */
export async function chosenIds(target: ListedTarget): Promise<string[]> {
  const excluded = new Set('ids' in target ? [] : target.exclude);
  const matching = 'ids' in target ? target.ids : await matchingIds(target.filter);
  return matching.filter((id) => !excluded.has(id));
}

/**
 * Locks devices in the order of their ids, as reports do, so that they cannot deadlock. A separate statement: without
 * statistics on new devices PostgreSQL would expect few rows from a join with a lock, and scan all devices for each
 * (docs/adr/0007).
 */
export async function lockDevices(ids: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      select count(*)
      from (select 1 from device d where d.id = any ($1::uuid[]) order by d.id for update) locked
    `,
    [ids],
  );
}

export async function countOfDevices(filter: RouteInput<typeof countDevices>['query']) {
  const { values, add } = parameters();
  const where = whereSql(filter, add);
  const lines = filter.withLines === 'true';
  const { rows } = await currentSql().query<{ kind: string; value: string | null; count: number; name: string | null }>(
    `
      with d as materialized (
        select state, model, firmware, site_id${lines ? ', lines' : ''}
        from device d
        where ${where}
      )
      select 'state' as kind, state as value, count(*)::int as count, null as name
      from d
      group by state
      union all (select 'model', model, count(*)::int, null from d group by model order by 3 desc limit 100)
      union all
      (
        select 'firmware', firmware, count(*)::int, null
        from d
        where firmware is not null
        group by firmware
        order by 3 desc
        limit 100
      )
      union all select 'site', site_id::text, count, (select s.name from site_copy s where s.id = site_id)
      from (
        select site_id, count(*)::int as count
        from d
        group by site_id
        order by 2 desc
        limit 200
      ) places
        ${
          lines
            ? `
          union all select 'line', l ->> 'status', count(*)::int, null
          from d, jsonb_array_elements(d.lines) l
          group by 2
        `
            : ''
        }
    `,
    values,
  );
  const of = (kind: string) => rows.filter((r) => r.kind === kind);
  return {
    total: of('state').reduce((sum, r) => sum + r.count, 0),
    state: Object.fromEntries(of('state').map((r) => [r.value!, r.count])),
    ...(lines ? { lines: Object.fromEntries(of('line').map((r) => [r.value!, r.count])) } : {}),
    models: of('model').map((r) => ({ model: r.value!, count: r.count })),
    firmwares: of('firmware').map((r) => ({ firmware: r.value!, count: r.count })),
    sites: of('site').map((r) => ({ id: r.value, name: r.name ?? '', count: r.count })),
  };
}
