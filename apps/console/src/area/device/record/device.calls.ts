import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { countDevices as Count, DeviceState, RouteCall } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

export const listDevices = remote('listDevices', 'GET /api/f/device/device/list');
const counts = remote('countDevices', 'GET /api/f/device/device/count');
const one = remote('getDevice', 'GET /api/f/device/device/{id}');
export const addDevice = remote('addDevice', 'POST /api/f/device/device');
export const renewDeviceSecret = remote('renewDeviceSecret', 'POST /api/f/device/device/{id}/secret');
export const endOldDeviceSecret = remote('endOldDeviceSecret', 'DELETE /api/f/device/device/{id}/secret/old');
export const disableDevices = remote('disableDevices', 'POST /api/f/device/device/disable');
export const enableDevices = remote('enableDevices', 'POST /api/f/device/device/enable');
export const editDevice = remote('editDevice', 'PUT /api/f/device/device');
export const restoreDevices = remote('restoreDevices', 'POST /api/f/device/device/restore');
export const deleteDevices = remote('deleteDevices', 'DELETE /api/f/device/device');

export type DeviceQuery = NonNullable<RouteCall<typeof listDevices>['query']>;
export type DeviceFilter = NonNullable<RouteCall<typeof Count>['query']>;

export const deviceStates = [
  'online',
  'offline',
  'notConfigured',
  'abnormal',
] as const satisfies readonly DeviceState[];

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

/** The ids of all that match but those left out, as they are when it is asked. */
export async function matchingDevices(filter: DeviceFilter, except: ReadonlySet<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { records, total } = await call(listDevices, {
      query: { ...filter, page, limit: 200, sort: 'createdAt' } as DeviceQuery,
    });
    ids.push(...records.map((r) => r.id).filter((id) => !except.has(id)));
    if (records.length === 0 || page * 200 >= total) return ids;
  }
}
