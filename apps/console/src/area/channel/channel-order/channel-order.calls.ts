import { queryOptions } from '@tanstack/react-query';
import type { RouteCall, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listChannelOrders = remote('listChannelOrders', 'GET /api/f/device/channelOrder/list');
const counts = remote('countChannelOrders', 'GET /api/f/device/channelOrder/count');
const custody = remote('listCustody', 'GET /api/f/device/channelOrder/custody');
export const addChannelOrder = remote('addChannelOrder', 'POST /api/f/device/channelOrder');
export const deleteChannelOrders = remote('deleteChannelOrders', 'DELETE /api/f/device/channelOrder');
export const restoreChannelOrders = remote('restoreChannelOrders', 'POST /api/f/device/channelOrder/restore');
export const allocateChannelOrders = remote('allocateChannelOrders', 'POST /api/f/device/channelOrder/allocate');
export const takeBackChannelOrders = remote('takeBackChannelOrders', 'POST /api/f/device/channelOrder/takeBack');
export const makeDevicesOfOrders = remote('makeDevicesOfOrders', 'POST /api/f/device/channelOrder/importToDevice');

export type ChannelOrder = RouteOutput<typeof listChannelOrders>['records'][number];
export type OrderTarget = NonNullable<RouteCall<typeof allocateChannelOrders>['body']>['target'];
export type OrderCounts = RouteOutput<typeof counts>;
export type Made = RouteOutput<typeof makeDevicesOfOrders>;

/** Refetched whenever lines change. */
export const orderCountsQuery = () =>
  queryOptions({
    queryKey: ['channelOrder', 'count'],
    queryFn: ({ signal }) => call(counts, {}, { signal }),
    staleTime: 0,
  });
export const custodyQuery = (mac: string) =>
  queryOptions({
    queryKey: ['channelOrder', 'custody', mac],
    queryFn: ({ signal }) => call(custody, { query: { mac } }, { signal }),
    staleTime: 0,
  });
