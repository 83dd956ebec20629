import { queryOptions } from '@tanstack/react-query';
import type { addDeviceExport, ExportOrder, getDeviceExportFile } from '@carillon/contracts';
import { call, remote } from '../session/call.ts';
import { freshen, headers } from '../session/session.ts';
import { keep, recall } from '../session/storage.ts';
import { at, filesOf, told, type FileService } from './list-file.calls.ts';

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
/** Those that this person ordered, wherever; newest first. */
export const allFilesQuery = queryOptions({
  queryKey: ['operation', 'exports', 'all'],
  queryFn: async ({ signal }) =>
    (await filesOf(services, signal)).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
  refetchInterval: told,
});

const one = remote('getDeviceExport', 'GET /api/f/device/export/{id}');
const gone = remote('deleteDeviceExport', 'DELETE /api/f/device/export/{id}');
const filePath: typeof getDeviceExportFile.path = '/api/f/device/export/{id}/file';

/** Orders a file of the list at `path`; named, so that it is the same one when it is sent again. */
export async function orderFile(service: FileService, path: string, body: ExportOrder, init: { keepalive: boolean }) {
  const kept = recall<FileService[]>('exports') ?? [];
  keep('exports', [...new Set([...kept, service])]);
  const route = { method: 'POST', path } as unknown as typeof addDeviceExport;
  return call(route, { body: body as never }, init);
}
export const deleteFile = (service: FileService, id: string) => call(at(gone, service), { params: { id } });

/** Told by the stream while it is written; asked for now and then in case the stream is away. */
export const fileQuery = (service: FileService, id: string) =>
  queryOptions({
    queryKey: ['operation', 'export', service, id],
    queryFn: ({ signal }) => call(at(one, service), { params: { id } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.status === 'process' ? 3_000 : false),
  });

/** The session's headers are needed, so no plain link can fetch it. */
export async function saveFile(service: FileService, id: string, name: string): Promise<void> {
  await freshen();
  const path = filePath.replace('/device/', `/${service}/`).replace('{id}', id);
  const response = await fetch(path, { headers: await headers(), credentials: 'include' });
  if (!response.ok) throw new Error(`export: ${response.status}`);
  const url = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
