import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const address = remote('getDeviceConfigAddress', 'GET /api/f/provisioning/deviceConfig/{id}/address');
const requests = remote('listConfigRequests', 'GET /api/f/provisioning/deviceConfig/{id}/request');

export type ConfigAddress = RouteOutput<typeof address>;

export const readAddress = (id: string): Promise<ConfigAddress> => call(address, { params: { id } });

/** What a device asked for. No live change tells of a refused request, so it is asked again while it is shown. */
export const configRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['device', 'configRequests', id],
    queryFn: ({ signal }) => call(requests, { params: { id } }, { signal }),
    refetchInterval: 15_000,
  });
