import { queryOptions } from '@tanstack/react-query';
import { importPiece } from '@carillon/contracts/constants';
import type { ImportOutcome, ImportRoutes, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../api/call.ts';
import { saveFrom } from '../api/save-file.ts';

/** Path of the calls of an import: `service/import/noun`. */
export type ImportPlace =
  | 'provisioning/import/sipServer'
  | 'provisioning/import/sipAccount'
  | 'device/import/device'
  | 'device/import/channelOrder'
  | 'device/import/delivery';
export type ImportNoun = 'sipServer' | 'sipAccount' | 'device' | 'channelOrder' | 'delivery';

export type Import = RouteOutput<ImportRoutes['get']>;
export type ImportRow = RouteOutput<ImportRoutes['mend']>;
export type Field = Import['fields'][number];
export type Read = RouteOutput<ImportRoutes['add']>;
export type Outcome = ImportOutcome;
export const outcomes: readonly Outcome[] = ['add', 'update', 'unchanged', 'wrong'];

/** Returns the calls of a noun's import, built like those of the contract (contracts, `importRoutes`). */
const routesOf = (place: ImportPlace): ImportRoutes => {
  const path = `/api/f/${place}` as const;
  const routes = {
    template: { method: 'GET', path: `${path}/template` },
    add: { method: 'POST', path },
    list: { method: 'GET', path: `${path}/list` },
    get: { method: 'GET', path: `${path}/{id}` },
    rows: { method: 'GET', path: `${path}/{id}/row` },
    mend: { method: 'PUT', path: `${path}/{id}/row/{number}` },
    file: { method: 'GET', path: `${path}/{id}/file` },
    commit: { method: 'POST', path: `${path}/{id}/commit` },
    undo: { method: 'POST', path: `${path}/{id}/undo` },
    remove: { method: 'DELETE', path: `${path}/{id}` },
  } satisfies { [Name in keyof ImportRoutes]: Pick<ImportRoutes[Name], 'method' | 'path'> };
  return routes as unknown as ImportRoutes;
};

const types = remote('getImportTypes', 'GET /api/f/mc/sysConfig/importTypes');
/** File types that the operator of the installation allows. */
export const importTypesQuery = () =>
  queryOptions({ queryKey: ['config', 'importTypes'], queryFn: ({ signal }) => call(types, {}, { signal }) });

const works: readonly Import['status'][] = ['checking', 'running', 'undoing'];
export const isWorking = ({ status }: Import): boolean => works.includes(status);

/** Updated by the live stream while it works, and polled in case the stream is down. */
export const importQuery = (place: ImportPlace, id: string) =>
  queryOptions({
    queryKey: ['operation', 'import', place, id],
    queryFn: ({ signal }) => call(routesOf(place).get, { params: { id } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? 3_000 : false),
  });

/** The user's latest imports. The server deletes old ones. */
export const recentImportsQuery = (place: ImportPlace) =>
  queryOptions({
    queryKey: ['operation', 'import', place, 'list'],
    queryFn: ({ signal }) => call(routesOf(place).list, {}, { signal }),
    select: (all) => all.slice(0, 5),
    staleTime: 0,
  });

export const importRowsQuery = (
  place: ImportPlace,
  id: string,
  query: { page: number; limit: number; outcome?: Outcome; state?: 'kept' },
) =>
  queryOptions({
    queryKey: ['operation', 'import', place, id, 'rows', query],
    queryFn: ({ signal }) => call(routesOf(place).rows, { params: { id }, query }, { signal }),
    placeholderData: (before) => before,
  });

/** Uploads a file and returns an import, or the headers that need a mapping. */
export async function readFile(place: ImportPlace, file: File, mapping?: Record<string, number>): Promise<Read> {
  const pieces: string[] = [];
  // A multiple of three bytes, so that the pieces join to one base64 text.
  const step = (importPiece / 4) * 3;
  for (let at = 0; at < file.size; at += step) {
    const bytes = new Uint8Array(await file.slice(at, at + step).arrayBuffer());
    let text = '';
    for (let i = 0; i < bytes.length; i += 8_192) text += String.fromCharCode(...bytes.subarray(i, i + 8_192));
    pieces.push(btoa(text));
  }
  return call(routesOf(place).add, {
    body: { name: file.name.slice(0, 255) || '-', file: pieces, ...(mapping ? { mapping } : {}) },
  });
}

export const mendRow = (place: ImportPlace, id: string, number: number, cells: Record<string, string>) =>
  call(routesOf(place).mend, { params: { id, number }, body: { cells } });
export const commitImport = (place: ImportPlace, id: string) => call(routesOf(place).commit, { params: { id } });
export const undoImport = (place: ImportPlace, id: string) => call(routesOf(place).undo, { params: { id } });
export const discardImport = (place: ImportPlace, id: string) => call(routesOf(place).remove, { params: { id } });

const save = (path: string, name: string) => saveFrom(path, `${name}.xlsx`);
export const saveTemplate = (place: ImportPlace, name: string) => save(routesOf(place).template.path, name);
export const saveWrong = (place: ImportPlace, id: string, name: string) =>
  save(routesOf(place).file.path.replace('{id}', id), name);
