import { toPage, type DeviceRecord, type ListedTarget, type Page } from '@carillon/contracts';
import { deviceFilterSql, onlineSinceSql } from '@carillon/contracts/device-filter';
import { alphabetic, columns, computed, currentSql, filterBy, iso, orderBy, parameters } from '@carillon/persistence';
import { accountsSql } from '../line/assigned-line.ts';
import { groupsSql } from '../device-group/device-group.queries.ts';
import { Device } from './device.entity.ts';
import { unsupportedSql } from '../model/model.queries.ts';
import { isSharedSql } from './shared-identity.ts';
import { channelSql, device, likeSql, nameLikeSql, searched, whereSql } from './device-filter.ts';
import type { Add, ListQuery, Texts } from './device-filter.ts';

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

interface Statement {
  sql: string;
  values: unknown[];
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
    columns: { name: filterBy.text('s.name', { contains: nameLikeSql }) },
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
