import { z } from 'zod';
import { id, pageQuery } from './list.ts';
import { route, type AuditWord, type RouteAccess, type RouteDefinition } from './route.ts';

/** A list call whose paged records can be written into a file. */
type ListRoute = RouteDefinition & {
  query: z.ZodObject;
  response: z.ZodType<{ records: Readonly<Record<string, unknown>>[]; total: number; current: number; size: number }>;
};
type RecordOf<L extends ListRoute> = z.output<L['response']>['records'][number];

/**
 * The type of a column. `text` is always written as text, so that no value becomes a formula; `word` is the label that
 * the order gives the value; `moment` is shown in the time zone of the user who ordered the file.
 */
export type CellKind = 'text' | 'number' | 'moment' | 'word' | 'names';
type Value<T> = (record: T) => unknown;
type Named<T, K extends string> = K extends keyof T & string
  ? CellKind | readonly [CellKind, Value<T>]
  : readonly [CellKind, Value<T>];

const number = z.number().int().min(-10_000).max(10_000);
/**
 * The time zone of the file: minutes east of Greenwich and the country's daylight-saving rule, as the user's console
 * has them.
 */
const clock = z.strictObject({
  offset: number,
  rule: z.union([
    z.null(),
    z.string().max(128),
    z.strictObject({
      enabled: z.boolean(),
      startMonth: number,
      startWeek: number,
      startDay: number,
      startHour: number,
      endMonth: number,
      endWeek: number,
      endDay: number,
      endHour: number,
      offset: number,
    }),
  ]),
});

/** Labels of values in the file; a value without a label is written as it is. */
const words = z
  .record(z.string().max(128), z.string().max(256))
  .refine((w) => Object.keys(w).length <= 500, 'common.invalid')
  .optional();

/** An exported file. It is kept for a day. */
export const exportRecord = z
  .object({
    id,
    /** The name that the order gave. */
    name: z.string(),
    status: z.enum(['process', 'success', 'fail']),
    done: z.number().int(),
    total: z.number().int(),
    createdAt: z.string(),
  })
  .meta({ id: 'Export' });
export type ExportRecord = z.output<typeof exportRecord>;

/** An order for a file: which records of a list, which columns, and which labels. */
export interface ExportOrder<Column extends string = string, Filter = Readonly<Record<string, unknown>>> {
  ids?: string[];
  filter?: Filter;
  /** Parameters of the list's path, which the path of the order repeats. */
  params?: Readonly<Record<string, unknown>>;
  exclude?: string[] | undefined;
  /** Columns in the order of the file, with their headings. */
  columns: { key: Column; title: string; words?: Record<string, string> | undefined }[];
  sort?: string | undefined;
  words?: Record<string, string> | undefined;
  clock?: z.output<typeof clock> | undefined;
  name?: string | undefined;
  /** The caller's idempotency key: an order that is repeated because no response came creates one file. */
  key?: string | undefined;
}

/** A page of records whose ids have the type of the list. */
type Listing = z.ZodObject<{ records: z.ZodArray<z.ZodObject<Record<string, z.ZodType>>> }>;

const orderOf = ({ query, response }: ListRoute, idOf: string, columns: readonly string[]) => {
  const one = (response as unknown as Listing).shape.records.element.shape[idOf]!;
  const { sort, ...asked } = query.shape as Record<string, z.ZodType>;
  const filter = Object.fromEntries(Object.entries(asked).filter(([key]) => !(key in pageQuery)));
  const order = {
    columns: z
      .array(z.strictObject({ key: z.enum(columns as [string, ...string[]]), title: z.string().max(64), words }))
      .min(1)
      .max(columns.length),
    ...(sort ? { sort } : {}),
    words,
    clock: clock.optional(),
    name: z.string().min(1).max(64).optional(),
    key: z.string().min(16).max(64).optional(),
  };
  return z.union([
    z.strictObject({ ids: z.array(one).min(1).max(5000), ...order }),
    z.strictObject({ filter: z.strictObject(filter), exclude: z.array(one).max(5000).optional(), ...order }),
  ]);
};

interface ExportOptions {
  /** Plural name of the records, for the API portal. */
  what: string;
  /** Path of the call when it is not beside the list. */
  path?: `/api/${string}`;
  /** Permission to export when it differs from the permission to see the list. */
  permission?: RouteAccess;
  audit?: AuditWord;
}
/** The field that identifies a record, when that is not `id`. */
type Identified<R> = R extends { id: string } ? { idOf?: never } : { idOf: keyof R & string };
type ParamsOf<L> = L extends { params: infer P extends z.ZodObject } ? { params: P } : unknown;

/**
 * Declares the export of a list (SHELL-17): the call that orders it, and what each column holds. The server answers at
 * once and reads the list in the background with the permissions of the caller; the calls of {@link exportCalls} report
 * progress. `columns` names a field of the record by its key, or a function that reads the value.
 */
export function exportOf<const L extends ListRoute, const C extends string>(
  list: L,
  {
    what,
    path,
    permission = list.permission,
    audit = 'list.export',
    idOf = 'id',
  }: ExportOptions & Identified<RecordOf<L>>,
  columns: { readonly [K in C]: Named<RecordOf<L>, K> },
) {
  const all = columns as Readonly<Record<string, CellKind | readonly [CellKind, Value<never>]>>;
  const add = route({
    method: 'POST',
    path: path ?? (list.path.replace(/\/list$/, '/export') as `/api/${string}`),
    summary: `Write ${what} into an .xlsx file`,
    permission,
    audit,
    status: 202,
    body: orderOf(list, idOf, Object.keys(columns)) as unknown as z.ZodType<ExportOrder<C>, ExportOrder<C>>,
    response: exportRecord,
    errors: ['device.exportsBusy'],
  });
  const cells = Object.fromEntries(
    Object.entries(all).map(([key, cell]): [string, ExportCell] => {
      const [kind, value] = typeof cell === 'string' ? [cell, (r: Record<string, unknown>) => r[key]] : cell;
      return [key, { kind, value: value as ExportCell['value'] }];
    }),
  );
  const { params } = list;
  return { list, add: (params ? { ...add, params } : add) as typeof add & ParamsOf<L>, cells, idOf };
}
export interface ExportCell {
  kind: CellKind;
  value: (record: Record<string, unknown>) => unknown;
}
export interface ListExport {
  list: RouteDefinition;
  add: RouteDefinition;
  cells: Readonly<Record<string, ExportCell>>;
  idOf: string;
}

/** Declares the calls for a service's exported files: each user sees their own, of all lists that they may export. */
export function exportCalls<const S extends string>(service: S) {
  const common = { permission: 'session', programs: true, audit: 'none', errors: [] } as const;
  const params = z.object({ id });
  const one = `/api/f/${service}/export/{id}` as const;
  return {
    /** Lists the kept files, newest first. */
    list: route({
      ...common,
      method: 'GET',
      path: `/api/f/${service}/export/list`,
      summary: 'Files that the caller ordered',
      response: z.array(exportRecord),
    }),
    get: route({ ...common, method: 'GET', path: one, summary: 'How far a file is', params, response: exportRecord }),
    file: route({
      ...common,
      method: 'GET',
      path: `/api/f/${service}/export/{id}/file`,
      summary: 'The file, once it is written',
      params,
      flat: true,
      file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      response: z.unknown(),
    }),
    /** Removes a file; also stops one that is still being written. */
    remove: route({
      ...common,
      method: 'DELETE',
      path: one,
      summary: 'Give up a file',
      audit: 'list.exportEnd',
      params,
      response: z.null(),
    }),
  };
}
export type ExportCalls = ReturnType<typeof exportCalls>;

/** A separator, a space at an end, or the mark with which an import clears a cell. */
const ambiguous = /[",，;]|^\s|\s$|^-$/;

/** Returns names as one cell. An ambiguous name is quoted, so that {@link namesOf} reads it again. */
export const namesText = (names: readonly string[]): string =>
  names.map((name) => (ambiguous.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ');

/** Returns the names of a cell that are separated by commas or semicolons, without empty ones. */
export const namesOf = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,，;]*))(?:[,，;]|$)/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '')
    .filter((name) => name !== '');

export const macText = (mac: string): string => mac.toUpperCase().match(/../g)!.join(':');

/** Returns the details of a log entry as text. */
export const factsText = (facts: Readonly<Record<string, unknown>>): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
