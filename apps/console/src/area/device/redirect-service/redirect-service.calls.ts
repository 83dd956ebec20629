import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const list = remote('listRedirectServices', 'GET /api/f/provisioning/redirectService/list');
const devices = remote('listRedirectDevices', 'GET /api/f/provisioning/redirectService/device/list');
const ofDevice = remote('getDeviceRedirect', 'GET /api/f/provisioning/deviceConfig/{id}/redirect');
export const addRedirectService = remote('addRedirectService', 'POST /api/f/provisioning/redirectService');
export const editRedirectService = remote('editRedirectService', 'PUT /api/f/provisioning/redirectService');
export const deleteRedirectService = remote('deleteRedirectService', 'DELETE /api/f/provisioning/redirectService');
export const testRedirectService = remote('testRedirectService', 'POST /api/f/provisioning/redirectService/test');
export const retryRedirects = remote('retryRedirects', 'POST /api/f/provisioning/redirectService/retry');

export type RedirectService = RouteOutput<typeof list>['services'][number];
export type DeviceRedirect = NonNullable<RouteOutput<typeof ofDevice>>;

export const redirectServicesQuery = () =>
  queryOptions({ queryKey: ['redirectService', 'list'], queryFn: ({ signal }) => call(list, {}, { signal }) });
/** Most failed devices shown at once. */
export const mostShown = 50;
export const failedDevicesQuery = (id: string) =>
  queryOptions({
    queryKey: ['redirectService', 'failed', id],
    queryFn: ({ signal }) => call(devices, { query: { id, state: 'failed', limit: mostShown } }, { signal }),
  });
export const deviceRedirectQuery = (id: string) =>
  queryOptions({
    queryKey: ['device', 'redirect', id],
    queryFn: ({ signal }) => call(ofDevice, { params: { id } }, { signal }),
  });
