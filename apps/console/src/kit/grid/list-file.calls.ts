import { queryOptions } from '@tanstack/react-query';
import type { getDeviceExport, RouteDefinition, RouteOutput, ServiceName } from '@carillon/contracts';
import { call, remote } from '../session/call.ts';
import { recall } from '../session/storage.ts';

/** Who writes the files of its lists. */
export type FileService = Exclude<ServiceName, 'gateway' | 'mqtt-gateway'>;
const services: readonly FileService[] = ['device', 'auth', 'org', 'provisioning', 'task', 'notification', 'license'];

/** Every service answers the same calls, under its own name. */
export const at = <R extends RouteDefinition>(route: R, service: FileService): R => ({
  ...route,
  path: route.path.replace('/device/', `/${service}/`),
});
const all = remote('listDeviceExports', 'GET /api/f/device/export/list');

/** A file that this person ordered. */
export type ListFile = RouteOutput<typeof getDeviceExport> & { service: FileService };

/** Named records, or all that match but those left out, in the order of the list. */
export type ExportRequest = ({ ids: string[] } | { filter: Record<string, unknown>; exclude?: string[] }) & {
  sort?: string;
  /** Names the order: sent again after a reload, it is the same one. */
  key?: string;
};

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
