import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteCall, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listDeviceLog = remote('listDeviceLog', 'GET /api/f/device/log/list');
export type LogQuery = NonNullable<RouteCall<typeof listDeviceLog>['query']>;
export type Entry = RouteOutput<typeof listDeviceLog>['records'][number];

/** Refetched when devices change, because each change is an entry. */
export const deviceLogQuery = (query: LogQuery) =>
  queryOptions({
    queryKey: ['device', 'log', query],
    queryFn: ({ signal }) => call(listDeviceLog, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
