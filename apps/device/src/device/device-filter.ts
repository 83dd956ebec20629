import { phoneGateway, type Page, type RouteInput, type listDevices } from '@carillon/contracts';
import {
  deviceFilterSql,
  onlineSinceSql,
  type DeviceFilterColumns,
  type DeviceSearch,
} from '@carillon/contracts/device-filter';
import {
  anyContains,
  columnNames,
  containsPattern,
  filterBy,
  type FilterColumns,
  filterSql,
  searchable,
} from '@carillon/persistence';
import { configFilter } from '../device-config/device-config.projection.ts';
import { Device } from './device.entity.ts';

/** SQL: how a device `d` was last online; null before the first time. */
export const channelSql = `(case when d.gateway = '${phoneGateway}' then 'http' when d.gateway is not null then 'mqtt' end)`;

/** Names of the columns of a device `d`. */
export const device = columnNames(Device, 'd');

export type ListQuery = RouteInput<typeof listDevices>['query'];
type Filter = Omit<ListQuery, keyof Page | 'current' | 'size' | 'sort'>;
export type Add = (value: unknown) => string;
/**
 * Searches the one search text of a device, in which the MAC follows a mark (migrations/20261121-search.ts): a third of
 * the work, and PostgreSQL may use an index. A MAC with separators is searched without them, because the text has none.
 */
export const likeSql = ({ pattern, mac }: DeviceSearch, add: Add): string => {
  const all = `s.text like lower(${add(pattern)})`;
  // Plain hex digits are found in the whole text anyway.
  return mac === null || pattern.toLowerCase() === `%${mac}%` ? all : `(s.text like ${add(`%\n#%${mac}%`)} or ${all})`;
};
/** Matches the name column after the indexed whole text, which contains the name's letters as well. */
export const nameLikeSql = (texts: readonly string[], add: Add): string => {
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
export interface Texts {
  search: (search: DeviceSearch, add: Add) => string;
  name: (texts: readonly string[], add: Add) => string;
}
export const searched: Texts = {
  search: (search, add) => foundSql(likeSql(search, add)),
  name: (texts, add) => foundSql(nameLikeSql(texts, add)),
};

/** Returns all conditions of a filter for a table `d`. */
export function whereSql(filter: Filter, add: Add, texts: Texts | undefined = searched): string {
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
