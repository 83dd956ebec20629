import type { listChannelAddresses, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy } from '@carillon/persistence';
import { readPage } from '@carillon/service';
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
  return readPage({
    query,
    record,
    with: addressTreeSql,
    from: 'tree t',
    searched: ['t.name', 't.description'],
    filters: filterColumns,
    sorts,
    order: 't.place',
  });
}

export async function addressById(id: string): Promise<ChannelAddressRecord | undefined> {
  return (await currentSql().rows(record, `${addressTreeSql} select ${record} from tree t where t.id = $1`, [id]))[0];
}

export const addressNames = () =>
  currentSql().rows(named, `${addressTreeSql} select ${named} from tree t order by t.place`);
