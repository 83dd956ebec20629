import { queryOptions } from '@tanstack/react-query';
import type { listDeviceChanges as List, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const addDeviceChange = remote('addDeviceChange', 'POST /api/f/device/change');
export const addDeviceDeletion = remote('addDeviceDeletion', 'POST /api/f/device/change/deletion');
export const retryDeviceChange = remote('retryDeviceChange', 'POST /api/f/device/change/{id}/retry');
export const deleteDeviceChange = remote('deleteDeviceChange', 'DELETE /api/f/device/change/{id}');
const rows = remote('listDeviceChangeRows', 'GET /api/f/device/change/{id}/row');

export type DeviceChange = RouteOutput<typeof List>[number];

/** Refetched with the counts of its change. */
export const failedDevicesQuery = ({ id, failed }: DeviceChange) =>
  queryOptions({
    queryKey: ['operation', 'deviceChange', id, failed],
    queryFn: ({ signal }) => call(rows, { params: { id }, query: { state: 'failed', limit: 100 } }, { signal }),
  });

/** Returns the ids of devices that a change has finished with. */
export async function changedDevices(id: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { records, total } = await call(rows, { params: { id }, query: { state: 'done', page, limit: 200 } });
    ids.push(...records.map((row) => row.deviceId));
    if (records.length === 0 || page * 200 >= total) return ids;
  }
}
