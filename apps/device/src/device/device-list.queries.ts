import {
  toPage,
  type DeviceRecord,
  type DeviceTarget,
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
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  iso,
  orderBy,
  parameters,
  type FilterColumns,
} from '@carillon/persistence';
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
    'configFailed',
    'tags',
    'lastConfigAt',
    'createdAt',
  ],
  {
    // To the minute: a list that is asked again has the same rows.
    lastOnlineAt: computed<string | null>(
      `case when d.online then date_trunc('minute', now()) else d.last_online_at end`,
      iso,
    ),
    onlineSince: computed<string | null>(onlineSinceSql('d.online', 'd.last_online_at'), iso),
    site: computed<DeviceRecord['site']>(
      `(select jsonb_build_object('id', s.id, 'name', s.name) from site_copy s where s.id = d.site_id)`,
    ),
    server: computed<DeviceRecord['server']>(
      `(select jsonb_build_object('id', s.id, 'name', s.name) from server_copy s where s.id = d.server_id)`,
    ),
    groups: computed<DeviceRecord['groups']>(groupsSql),
    doors: computed<DeviceRecord['doors']>(`
      case when d.online or d.doors = '[]' then d.doors else (
        select jsonb_agg(x || '{"status": "unknown"}' order by (x ->> 'door')::int) from jsonb_array_elements(d.doors) x
      ) end
    `),
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
  lastOnlineAt: device.seenAt,
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
type Filter = Omit<ListQuery, keyof Page | 'current' | 'size' | 'sort'>;
type Add = (value: unknown) => string;
interface Statement {
  sql: string;
  values: unknown[];
}

/**
 * The search in the one text that a device has for it, the MAC behind a mark (migrations/20261121-search.ts): a third
 * of the work, and an index where PostgreSQL may use one. The MAC first: a text with its colons stands nowhere as it
 * is.
 */
const likeSql = ({ pattern, mac }: DeviceSearch, add: Add): string => {
  const all = `s.text like lower(${add(pattern)})`;
  // Hex digits as they stand are found in the whole text already.
  return mac === null || pattern.toLowerCase() === `%${mac}%` ? all : `(s.text like ${add(`%\n#%${mac}%`)} or ${all})`;
};
/** The name has a column of its own there; behind an index on the whole text, whose letters it has too. */
const nameLikeSql = (texts: readonly string[], add: Add): string => {
  const any = texts.map((part) => {
    const pattern = add(containsPattern(part));
    return `s.text like lower(${pattern}) and s.name ilike ${pattern}`;
  });
  return `(${any.join(' or ')})`;
};
const foundSql = (where: string): string => `d.id in (select s.device_id from device_search s where ${where})`;

/** The fields that this service has besides those of a task's target. */
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
        where l ->> 'account' ilike any(${add(texts.map(containsPattern))}::text[])
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
  certificate: flag(device.certificate),
  calls: number(device.calls),
  configVersion: text(device.configVersion),
  lastConfigAt: moment(device.lastConfigAt),
  createdAt: moment(device.createdAt),
};

/** How texts are looked for, in the place of what is told here of `d`. */
interface Texts {
  search: (search: DeviceSearch, add: Add) => string;
  name: (texts: readonly string[], add: Add) => string;
}
const searched: Texts = {
  search: (search, add) => foundSql(likeSql(search, add)),
  name: (texts, add) => foundSql(nameLikeSql(texts, add)),
};

/** Every condition of a filter, over a table `d`. */
function whereSql(filter: Filter, add: Add, texts: Texts | undefined = searched): string {
  const { lastOnlineFrom, lastOnlineTo, ...rest } = filter;
  const columns: Partial<DeviceFilterColumns> = {
    onlineSince: moment(onlineSinceSql('d.online', 'd.last_online_at')),
    ...(texts ? { name: text(device.name, { contains: texts.name }) } : {}),
  };
  return [
    deviceFilterSql(rest, add, { ...(texts ? { search: texts.search } : {}), columns }),
    ...filterSql(rest, lookColumns, add),
    // As they were called before there were operators.
    ...filterSql(
      { 'lastOnlineAt.from': lastOnlineFrom, 'lastOnlineAt.to': lastOnlineTo },
      { lastOnlineAt: moment(device.seenAt) },
      add,
    ),
  ].join(' and ');
}

/** The two statements of a page. `texts` is false for a bench that looks at the columns, `more` what it adds then. */
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

/** The ids of at most so many devices that have a text are passed on; the text of more is searched again. */
const maxFoundIds = 1_000;
/** Sorts that the texts' own table has an index for. */
const searchOrders: Readonly<Record<string, string>> = {
  name: 's.name, s.device_id',
  '-name': 's.name desc, s.device_id desc',
};

const read = async <R>({ sql, values }: Statement): Promise<R[]> => (await currentSql().query<R>(sql, values)).rows;

/** Whether texts are all that is asked for. Whatever is neither a text nor a place in the list filters devices. */
export function asksForTextOnly(query: ListQuery): boolean {
  const { search, 'name.contains': name, page: _page, limit: _limit, current: _current, size: _size, ...rest } = query;
  const { sort: _sort, ...filters } = rest;
  return (search ?? name) !== undefined && Object.values(filters).every((filter) => filter === undefined);
}

/**
 * The statements for texts. They are looked up first, up to a number: PostgreSQL cannot guess how many devices have
 * them, and behind policies less than ever; how the page is read and counted follows from it.
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

/** A page with the exact count. */
export async function pageOfDevices(query: ListQuery) {
  const { page: current, limit: size } = toPage(query);
  const statements: { total?: number; count: Statement; page: Statement } =
    query.search || query['name.contains'] ? await searchStatements(query) : listSql(query);
  const total = statements.total ?? (await read<{ total: number }>(statements.count))[0]!.total;
  const records = await currentSql().rows(deviceRecord, statements.page.sql, statements.page.values);
  return { records, total, current, size };
}

/** The ids of all that match, or of those that were named, in the order asked for. */
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

/** The devices of a selection, named ones or all that match but some. */
export async function chosenIds(target: DeviceTarget): Promise<string[]> {
  const excluded = new Set('ids' in target ? [] : target.exclude);
  const matching = 'ids' in target ? target.ids : await matchingIds(target.filter);
  return matching.filter((id) => !excluded.has(id));
}

/**
 * Locked in the order of their ids, as reports lock them: neither ever waits for the other. A statement of its own,
 * because PostgreSQL takes what a join locks for few when it has not counted the devices since they came, and would
 * look through all of them for each (docs/adr/0007).
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
