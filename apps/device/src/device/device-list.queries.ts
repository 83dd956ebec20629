import { toPage, type DeviceRecord, type RouteInput, type countDevices, type listDevices } from '@carillon/contracts';
import { deviceFilterSql, type DeviceSearch } from '@carillon/contracts/device-filter';
import { columnNames, columns, computed, currentSql, orderBy, parameters } from '@carillon/persistence';
import { groupsSql } from '../device-group/device-group.queries.ts';
import { Device } from './device.entity.ts';

/** A device as lists and pages show it, of a table `d`. */
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
    'lastOnlineAt',
    'lastConfigAt',
    'createdAt',
  ],
  {
    site: computed<DeviceRecord['site']>(
      `(select jsonb_build_object('id', s.id, 'name', s.name) from site_copy s where s.id = d.site_id)`,
    ),
    groups: computed<DeviceRecord['groups']>(groupsSql),
  },
);

const device = columnNames(Device, 'd');
const sortColumns = {
  name: device.name,
  mac: device.mac,
  model: device.model,
  sn: device.sn,
  firmware: device.firmware,
  state: device.state,
  internalIp: device.internalIp,
  lastOnlineAt: device.lastOnlineAt,
  createdAt: device.createdAt,
};

/**
 * Never empty: they are read backwards from the same index, which nothing else than `desc` and the id the same way
 * allows.
 */
const neverEmpty = new Set(['name', 'mac', 'model', 'sn', 'state', 'createdAt']);
function orderSql(sort: string | undefined): string {
  const down = sort?.startsWith('-') ? sort.slice(1) : undefined;
  return down !== undefined && neverEmpty.has(down)
    ? `${sortColumns[down as keyof typeof sortColumns]} desc, id desc`
    : orderBy(sort, sortColumns, 'd.name, id');
}

type ListQuery = RouteInput<typeof listDevices>['query'];
/** Devices with a line in one of these states: for a look only, no task aims by it. */
const lineSql = (line: string[] | undefined, add: (value: unknown) => string): string[] =>
  line
    ? [`exists (select 1 from jsonb_array_elements(d.lines) l where l ->> 'status' = any(${add(line)}::text[]))`]
    : [];

type SearchSql = (search: DeviceSearch, add: (value: unknown) => string) => string;
interface Statement {
  sql: string;
  values: unknown[];
}

/** The two statements of a page. `more` is what a bench adds where no policy does. */
export function listSql(
  query: ListQuery,
  search: SearchSql | undefined,
  more?: (add: (value: unknown) => string) => string,
): { count: Statement; page: Statement } {
  const { page, limit } = toPage(query);
  const filter = parameters();
  const { lastOnlineFrom, lastOnlineTo } = query;
  const where = [
    deviceFilterSql(query, filter.add, search),
    ...lineSql(query.line, filter.add),
    ...(more ? [more(filter.add)] : []),
    ...(lastOnlineFrom ? [`d.last_online_at >= ${filter.add(lastOnlineFrom)}::timestamptz`] : []),
    ...(lastOnlineTo ? [`d.last_online_at < ${filter.add(lastOnlineTo)}::timestamptz`] : []),
  ].join(' and ');
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

/**
 * The search in the one text that a device has for it, the MAC behind a mark (migrations/20261121-search.ts): a third
 * of the work, and an index where PostgreSQL may use one. The MAC first: a text with its colons stands nowhere as it
 * is.
 */
const likeSql: SearchSql = ({ text, mac }, add) => {
  const all = `s.text like lower(${add(`%${text}%`)})`;
  // Hex digits as they stand are found in the whole text already.
  return mac === null || mac === text.toLowerCase() ? all : `(s.text like ${add(`%\n#%${mac}%`)} or ${all})`;
};
const searchSql: SearchSql = (search, add) =>
  `d.id in (select s.device_id from device_search s where ${likeSql(search, add)})`;

/** The ids of at most so many devices that have a text are passed on; the text of more is searched again. */
const maxFoundIds = 1_000;
/** Sorts that the texts' own table has an index for. */
const searchOrders: Readonly<Record<string, string>> = {
  name: 's.name, s.device_id',
  '-name': 's.name desc, s.device_id desc',
};

const read = async <R>({ sql, values }: Statement): Promise<R[]> => (await currentSql().query<R>(sql, values)).rows;

/** Whether a text is all that is asked for. Whatever is neither the text nor a place in the list filters devices. */
export function asksForTextOnly(query: ListQuery): boolean {
  const { search, page: _page, limit: _limit, current: _current, size: _size, sort: _sort, ...filters } = query;
  return search !== undefined && Object.values(filters).every((filter) => filter === undefined);
}

/**
 * The statements for a text. It is looked up first, up to a number: PostgreSQL cannot guess how many devices have it,
 * and behind policies less than ever; how the page is read and counted follows from it.
 */
async function searchStatements(query: ListQuery): Promise<{ total?: number; count: Statement; page: Statement }> {
  const { values, add } = parameters();
  const where = deviceFilterSql({ search: query.search }, add, likeSql);
  const found = await read<{ id: string }>({
    sql: `select s.device_id as id from device_search s where ${where} limit ${maxFoundIds + 1}`,
    values,
  });
  if (found.length <= maxFoundIds) {
    const ids = found.map((r) => r.id);
    const statements = listSql(query, (_, addValue) => `d.id = any(${addValue(ids)}::uuid[])`);
    return asksForTextOnly(query) ? { ...statements, total: ids.length } : statements;
  }
  const statements = listSql(query, searchSql);
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

/** A page with the exact count. */
export async function pageOfDevices(query: ListQuery) {
  const { page: current, limit: size } = toPage(query);
  const statements: { total?: number; count: Statement; page: Statement } = query.search
    ? await searchStatements(query)
    : listSql(query, undefined);
  const total = statements.total ?? (await read<{ total: number }>(statements.count))[0]!.total;
  const records = await currentSql().rows(deviceRecord, statements.page.sql, statements.page.values);
  return { records, total, current, size };
}

/** The ids of all that match, or of those that were named, in the order asked for. */
export async function matchingIds(
  query: Omit<ListQuery, 'page' | 'limit' | 'current' | 'size'>,
  named?: readonly string[],
): Promise<string[]> {
  const { values, add } = parameters();
  const where = [
    deviceFilterSql(query, add, searchSql),
    ...lineSql(query.line, add),
    ...(named ? [`d.id = any(${add(named)}::uuid[])`] : []),
  ].join(' and ');
  return (
    await currentSql().query<{ id: string }>(
      `select id from device d where ${where} order by ${orderSql(query.sort)}`,
      values,
    )
  ).rows.map((r) => r.id);
}

export async function countOfDevices(filter: RouteInput<typeof countDevices>['query']) {
  const { values, add } = parameters();
  const where = [deviceFilterSql(filter, add, searchSql), ...lineSql(filter.line, add)].join(' and ');
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
