import { queryOptions } from '@tanstack/react-query';
import type { RouteDefinition, RouteOutput, ServiceName } from '@carillon/contracts';
import { call, remote } from '../session/call.ts';
import { recall } from '../session/storage.ts';

/** Who writes the files of its lists. */
export type FileService = Exclude<ServiceName, 'gateway' | 'mqtt-gateway'>;

/** Every service answers the same calls, under its own name. */
export const at = <R extends RouteDefinition>(route: R, service: FileService): R => ({
  ...route,
  path: route.path.replace('/device/', `/${service}/`),
});
const all = remote('listDeviceExports', 'GET /api/f/device/export/list');
/** A file that this person ordered. */
export type ListFile = RouteOutput<typeof all>[number] & { service: FileService };

/** Those that this person ordered of these services. */
export async function filesOf(services: Iterable<FileService>, signal: AbortSignal): Promise<ListFile[]> {
  const files = await Promise.all(
    [...services].map(async (service) =>
      // One that is away hides no other's files.
      (await call(at(all, service), {}, { signal, quiet: true }).catch(() => [])).map((file) => ({ ...file, service })),
    ),
  );
  return files.flat();
}

type Told = { state: { data?: readonly ListFile[] } };
export const told = ({ state }: Told) => (state.data?.some((e) => e.status === 'process') ? 3_000 : (false as const));

/** Those of the services that this browser ordered at, in whichever tab. */
export const filesQuery = queryOptions({
  queryKey: ['operation', 'exports'],
  queryFn: ({ signal }) => filesOf(new Set(['device', ...(recall<FileService[]>('exports') ?? [])] as const), signal),
  refetchInterval: told,
});

/** Named records, or all that match but those left out, in the order of the list. */
export type ExportRequest = ({ ids: string[] } | { filter: Record<string, unknown>; exclude?: string[] }) & {
  sort?: string;
  /** Names the order: sent again after a reload, it is the same one. */
  key?: string;
};
