import { queryOptions } from '@tanstack/react-query';
import type { ExportColumn, getDeviceExportFile } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';
import { freshen, headers } from '../../../kit/session/session.ts';
import type { DeviceFilter, DeviceQuery } from '../record/device.calls.ts';

export const addExport = remote('addDeviceExport', 'POST /api/f/device/export');
export const deleteExport = remote('deleteDeviceExport', 'DELETE /api/f/device/export/{id}');
const all = remote('listDeviceExports', 'GET /api/f/device/export/list');
const one = remote('getDeviceExport', 'GET /api/f/device/export/{id}');
const filePath: typeof getDeviceExportFile.path = '/api/f/device/export/{id}/file';

/** Columns of the list that a file can have. */
export const exportColumns: readonly ExportColumn[] = [
  'state',
  'name',
  'model',
  'mac',
  'sn',
  'site',
  'groups',
  'lines',
  'firmware',
  'internalIp',
  'publicIp',
  'lte',
  'lastOnlineAt',
  'onlineSince',
  'createdAt',
];
/** Named devices, or all that match but those left out, in the order of the list. */
export type ExportRequest = ({ ids: string[] } | { filter: DeviceFilter; exclude?: string[] }) & {
  sort?: DeviceQuery['sort'];
  /** Names the order: sent again after a reload, it is the same one. */ key?: string;
};

/** Told by the stream while it is written; asked for now and then in case the stream is away. */
export const exportQuery = (id: string) =>
  queryOptions({
    queryKey: ['operation', 'export', id],
    queryFn: ({ signal }) => call(one, { params: { id } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.status === 'process' ? 3_000 : false),
  });

/** Those that this person ordered, in whichever tab. */
export const exportsQuery = queryOptions({
  queryKey: ['operation', 'exports'],
  queryFn: ({ signal }) => call(all, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.some((e) => e.status === 'process') ? 3_000 : false),
});

/** The session's headers are needed, so no plain link can fetch it. */
export async function saveExport(id: string, name: string): Promise<void> {
  await freshen();
  const response = await fetch(filePath.replace('{id}', id), { headers: await headers(), credentials: 'include' });
  if (!response.ok) throw new Error(`export: ${response.status}`);
  const url = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
