import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ConfigState, countDevices as Count, DeviceState, RouteCall } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listDevices = remote('listDevices', 'GET /api/f/device/device/list');
const counts = remote('countDevices', 'GET /api/f/device/device/count');
const one = remote('getDevice', 'GET /api/f/device/device/{id}');
export const listServers = remote('listServerNames', 'GET /api/f/device/line/server');
const listChanges = remote('listDeviceChanges', 'GET /api/f/device/change');

export type DeviceQuery = NonNullable<RouteCall<typeof listDevices>['query']>;
export type DeviceFilter = NonNullable<RouteCall<typeof Count>['query']>;

export const deviceStates = [
  'online',
  'offline',
  'notConfigured',
  'abnormal',
] as const satisfies readonly DeviceState[];

export const configStates = ['current', 'behind', 'drifted', 'none'] as const satisfies readonly ConfigState[];

export const deviceListQuery = (query: DeviceQuery) =>
  queryOptions({
    queryKey: ['device', 'list', query],
    queryFn: ({ signal }) => call(listDevices, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const deviceCountQuery = (query: DeviceFilter) =>
  queryOptions({
    queryKey: ['device', 'count', query],
    queryFn: ({ signal }) => call(counts, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const deviceQuery = (id: string) =>
  queryOptions({ queryKey: ['device', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });

// Further queries of the list, in this file so that the list needs no other one.

/** SIP servers that the device service knows. */
export const serverNamesQuery = () =>
  queryOptions({
    queryKey: ['device', 'servers'],
    queryFn: ({ signal }) => call(listServers, {}, { signal }),
    staleTime: 0,
  });
/** The user's own changes of many devices. */
export const deviceChangesQuery = queryOptions({
  queryKey: ['operation', 'deviceChanges'],
  queryFn: ({ signal }) => call(listChanges, {}, { signal }),
});
