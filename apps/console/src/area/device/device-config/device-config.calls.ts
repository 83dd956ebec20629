import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

const get = remote('getDeviceConfig', 'GET /api/f/provisioning/deviceConfig/{id}');
const address = remote('getDeviceConfigAddress', 'GET /api/f/provisioning/deviceConfig/{id}/address');
const requests = remote('listConfigRequests', 'GET /api/f/provisioning/deviceConfig/{id}/request');

export type DeviceConfig = RouteOutput<typeof get>;
export type ConfigAddress = RouteOutput<typeof address>;

/** What a device is to have. A live change of the device refreshes it, as all queries of devices. */
export const deviceConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['device', 'config', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
  });
export const readAddress = (id: string): Promise<ConfigAddress> => call(address, { params: { id } });

/** What a device asked for. No live change tells of a refused request, so it is asked again while it is shown. */
export const configRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['device', 'configRequests', id],
    queryFn: ({ signal }) => call(requests, { params: { id } }, { signal }),
    refetchInterval: 15_000,
  });
