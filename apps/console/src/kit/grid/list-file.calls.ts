import { queryOptions } from '@tanstack/react-query';
import type {
  addDeviceExport,
  getDeviceExportFile,
  ExportOrder,
  RouteDefinition,
  RouteOutput,
  ServiceName,
} from '@carillon/contracts';
import { call, remote } from '../session/call.ts';
import { freshen, headers } from '../session/session.ts';
import { keep, recall } from '../session/storage.ts';

/** Who writes the files of its lists. */
export type FileService = Exclude<ServiceName, 'gateway' | 'mqtt-gateway'>;
const services: readonly FileService[] = ['device', 'auth', 'org', 'provisioning', 'task', 'notification', 'license'];

/** Every service answers the same calls, under its own name. */
const at = <R extends RouteDefinition>(route: R, service: FileService): R => ({
  ...route,
  path: route.path.replace('/device/', `/${service}/`),
});
const all = remote('listDeviceExports', 'GET /api/f/device/export/list');
const one = remote('getDeviceExport', 'GET /api/f/device/export/{id}');
const gone = remote('deleteDeviceExport', 'DELETE /api/f/device/export/{id}');
const filePath: typeof getDeviceExportFile.path = '/api/f/device/export/{id}/file';

/** A file that this person ordered. */
export type ListFile = RouteOutput<typeof one> & { service: FileService };

/** Named records, or all that match but those left out, in the order of the list. */
export type ExportRequest = ({ ids: string[] } | { filter: Record<string, unknown>; exclude?: string[] }) & {
  sort?: string;
  /** Names the order: sent again after a reload, it is the same one. */
  key?: string;
};

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

/** Those that this person ordered, in whichever tab: of all services, or of those that this browser ordered at. */
export const filesQuery = (everywhere = false) =>
  queryOptions({
    queryKey: ['operation', 'exports', everywhere],
    queryFn: async ({ signal }): Promise<ListFile[]> => {
      const asked = everywhere
        ? services
        : new Set<FileService>(['device', ...(recall<FileService[]>('exports') ?? [])]);
      const files = await Promise.all(
        [...asked].map(async (service) => {
          // One that is away hides no other's files.
          const own = await call(at(all, service), {}, { signal, quiet: true }).catch(() => []);
          return own.map((file): ListFile => ({ ...file, service }));
        }),
      );
      return files.flat().toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    refetchInterval: ({ state }) => (state.data?.some((e) => e.status === 'process') ? 3_000 : false),
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
