import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listChannelAddresses = remote('listChannelAddresses', 'GET /api/f/org/channelAddress/list');
const names = remote('listChannelAddressNames', 'GET /api/f/org/channelAddress');
export const addChannelAddress = remote('addChannelAddress', 'POST /api/f/org/channelAddress');
export const editChannelAddress = remote('editChannelAddress', 'PUT /api/f/org/channelAddress');
export const deleteChannelAddress = remote('deleteChannelAddress', 'DELETE /api/f/org/channelAddress');
export const restoreChannelAddresses = remote('restoreChannelAddresses', 'POST /api/f/org/channelAddress/restore');

export type ChannelAddress = RouteOutput<typeof listChannelAddresses>['records'][number];

/** Addresses in the order of the tree. */
export const addressNamesQuery = () =>
  queryOptions({
    queryKey: ['channelAddress', 'names'],
    queryFn: ({ signal }) => call(names, {}, { signal }),
    staleTime: 0,
  });
