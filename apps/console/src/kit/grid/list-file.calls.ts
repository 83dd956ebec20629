import { queryOptions } from '@tanstack/react-query';
import type { RouteDefinition, RouteOutput, ServiceName } from '@carillon/contracts';
import { call, remote } from '../api/call.ts';
import { recall } from '../browser/storage.ts';

/** Services that export lists. */
export type FileService = Exclude<ServiceName, 'gateway' | 'mqtt-gateway'>;

/** Returns a route of another service: every service answers the same calls, under its own name. */
export const at = <R extends RouteDefinition>(route: R, service: FileService): R => ({
  ...route,
  path: route.path.replace('/device/', `/${service}/`),
});
const all = remote('listDeviceExports', 'GET /api/f/device/export/list');
/** A file that the user ordered. */
export type ListFile = RouteOutput<typeof all>[number] & { service: FileService };

/** Returns the user's files of these services. */
export async function filesOf(services: Iterable<FileService>, signal: AbortSignal): Promise<ListFile[]> {
  const files = await Promise.all(
    [...services].map(async (service) =>
      // An unavailable service does not hide files of others.
      (await call(at(all, service), {}, { signal, quiet: true }).catch(() => [])).map((file) => ({ ...file, service })),
    ),
  );
  return files.flat();
}

type PolledQuery = { state: { data?: readonly ListFile[] } };
export const pollingWhile = ({ state }: PolledQuery) =>
  state.data?.some((e) => e.status === 'process') ? 3_000 : (false as const);

/** Files of the services at which this browser ordered any, in any tab. */
export const filesQuery = queryOptions({
  queryKey: ['operation', 'exports'],
  queryFn: ({ signal }) => filesOf(new Set(['device', ...(recall<FileService[]>('exports') ?? [])] as const), signal),
  refetchInterval: pollingWhile,
});

/** Named records, or all that match except the excluded ones, in the list's order. */
export type ExportRequest = ({ ids: string[] } | { filter: Record<string, unknown>; exclude?: string[] }) & {
  sort?: string;
  /** Idempotency key: an order that is repeated after a reload is the same one. */
  key?: string;
};
