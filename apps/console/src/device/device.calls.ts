import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteCall, countDevices as Count, listDevices as List } from '@carillon/contracts';
import { call, remote } from '../session/call.ts';

const list = remote('listDevices', 'GET /api/f/device/device/list');
const counts = remote('countDevices', 'GET /api/f/device/device/count');
const one = remote('getDevice', 'GET /api/f/device/device/{id}');
export const addDevice = remote('addDevice', 'POST /api/f/device/device');
export const renewDeviceSecret = remote('renewDeviceSecret', 'POST /api/f/device/device/{id}/secret');
export const editDevice = remote('editDevice', 'PUT /api/f/device/device');

export type DeviceQuery = NonNullable<RouteCall<typeof List>['query']>;
export type DeviceFilter = NonNullable<RouteCall<typeof Count>['query']>;

export const deviceListQuery = (query: DeviceQuery) => queryOptions({ queryKey: ['device', 'list', query], queryFn: ({ signal }) => call(list, { query }, { signal }), placeholderData: keepPreviousData });
export const deviceCountQuery = (query: DeviceFilter) => queryOptions({ queryKey: ['device', 'count', query], queryFn: ({ signal }) => call(counts, { query }, { signal }), placeholderData: keepPreviousData });
export const deviceQuery = (id: string) => queryOptions({ queryKey: ['device', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });
