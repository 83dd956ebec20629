import { toPage, type listChannelAddresses, type RouteInput, type RouteReturn } from '@carillon/contracts';
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
  whereSql,
} from '@carillon/persistence';
import { treeSql } from '../tree.queries.ts';
import { ChannelAddress } from './channel-address.entity.ts';

export type ChannelAddressRecord = RouteReturn<typeof listChannelAddresses>['records'][number];

export const addressTreeSql = treeSql('channel_address');

const channels = '(select count(*)::int from channel c where c.address_id = t.id)';
/** Columns of the table `t` from `addressTreeSql`. */
const record = columns(ChannelAddress, 't', ['id', 'parentId', 'name', 'description', 'updatedAt'], {
  path: computed<string[]>('t.path'),
  channels: computed<number>(channels),
});
const named = columns(ChannelAddress, 't', ['id'], { path: computed<string[]>('t.path') });
const count = columns(ChannelAddress, 't', [], { n: computed<number>('count(*)::int') });
const address = columnNames(ChannelAddress, 't');
const filterColumns = {
  name: filterBy.text(address.name),
  description: filterBy.text(address.description),
  parentId: filterBy.id(address.parentId),
  channels: filterBy.number(channels),
  updatedAt: filterBy.moment(address.updatedAt),
};
const sorts = {
  name: alphabetic('t.name'),
  description: alphabetic('t.description'),
  channels: 'channels',
  updatedAt: 't.updated_at',
};

export async function pageOfAddresses(
  query: RouteInput<typeof listChannelAddresses>['query'],
): Promise<RouteReturn<typeof listChannelAddresses>> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters();
  const conditions = filterSql(query, filterColumns, add);
  if (query.search) {
    const like = add(containsPattern(query.search));
    conditions.push(anyContains(['t.name', 't.description'], like));
  }
  const where = whereSql(conditions);
  const [total] = await currentSql().rows(count, `${addressTreeSql} select ${count} from tree t ${where}`, values);
  const records = await currentSql().rows(
    record,
    `
      ${addressTreeSql}
      select ${record}
      from tree t
      ${where}
      order by ${orderBy(query.sort, sorts, 't.place')}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  return { records, total: total!.n, current: page, size: limit };
}

export async function addressById(id: string): Promise<ChannelAddressRecord | undefined> {
  return (await currentSql().rows(record, `${addressTreeSql} select ${record} from tree t where t.id = $1`, [id]))[0];
}

export const addressNames = () =>
  currentSql().rows(named, `${addressTreeSql} select ${named} from tree t order by t.place`);
