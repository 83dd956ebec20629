import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const get = remote('getDeviceConfig', 'GET /api/f/provisioning/deviceConfig/{id}');

export type DeviceConfig = RouteOutput<typeof get>;

/** What a device is to have. A live change of the device refreshes it, as all queries of devices. */
export const deviceConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['device', 'config', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
  });
