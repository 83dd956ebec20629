import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { listDeviceLog, RouteCall, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

const list = remote('listDeviceLog', 'GET /api/f/device/log/list');
export type LogQuery = NonNullable<RouteCall<typeof listDeviceLog>['query']>;
export type Entry = RouteOutput<typeof listDeviceLog>['records'][number];

/** Told anew when devices change: each change that a device makes is an entry. */
export const deviceLogQuery = (query: LogQuery) =>
  queryOptions({
    queryKey: ['device', 'log', query],
    queryFn: ({ signal }) => call(list, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const deviceLogPage = (query: LogQuery) => call(list, { query });
