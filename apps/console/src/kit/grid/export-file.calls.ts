import { queryOptions } from '@tanstack/react-query';
import type { addDeviceExport, ExportOrder, getDeviceExportFile } from '@carillon/contracts';
import { call, remote } from '../api/call.ts';
import { saveFrom } from '../api/save-file.ts';
import { keep, recall } from '../browser/storage.ts';
import { at, filesOf, pollingWhile, type FileService } from './list-file.calls.ts';

const services: readonly FileService[] = [
  'device',
  'auth',
  'org',
  'provisioning',
  'resource',
  'task',
  'notification',
  'license',
];
/** All files that the user ordered, newest first. */
export const allFilesQuery = queryOptions({
  queryKey: ['operation', 'exports', 'all'],
  queryFn: async ({ signal }) =>
    (await filesOf(services, signal)).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
  refetchInterval: pollingWhile,
});

const one = remote('getDeviceExport', 'GET /api/f/device/export/{id}');
const gone = remote('deleteDeviceExport', 'DELETE /api/f/device/export/{id}');
const filePath: typeof getDeviceExportFile.path = '/api/f/device/export/{id}/file';

/** Orders a file of the list at `path`, with an idempotency key, so that a repeated order is the same file. */
export async function orderFile(service: FileService, path: string, body: ExportOrder, init: { keepalive: boolean }) {
  const kept = recall<FileService[]>('exports') ?? [];
  keep('exports', [...new Set([...kept, service])]);
  const route = { method: 'POST', path } as unknown as typeof addDeviceExport;
  return call(route, { body: body as never }, init);
}
export const deleteFile = (service: FileService, id: string) => call(at(gone, service), { params: { id } });

/** Updated by the live stream while it is written, and polled in case the stream is down. */
export const fileQuery = (service: FileService, id: string) =>
  queryOptions({
    queryKey: ['operation', 'export', service, id],
    queryFn: ({ signal }) => call(at(one, service), { params: { id } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.status === 'process' ? 3_000 : false),
  });

export const saveFile = (service: FileService, id: string, name: string): Promise<void> =>
  saveFrom(filePath.replace('/device/', `/${service}/`).replace('{id}', id), name);
