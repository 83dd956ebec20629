import { z } from 'zod';
import { id, pageQuery } from './list.ts';
import { route, type AuditWord, type RouteAccess, type RouteDefinition } from './route.ts';

/** A call that lists: what it answers a page at a time can be written into a file. */
type ListRoute = RouteDefinition & {
  query: z.ZodObject;
  response: z.ZodType<{ records: { id: string }[]; total: number; current: number; size: number }>;
};
type RecordOf<L extends ListRoute> = z.output<L['response']>['records'][number];

/**
 * What a column of a file holds. Text is written as text and nothing else, so that no value becomes a formula; a word
 * is what the order calls the value; a moment stands on the clock of whoever ordered the file.
 */
export type CellKind = 'text' | 'number' | 'moment' | 'word' | 'names';
type Value<T> = (record: T) => unknown;
type Named<T, K extends string> = K extends keyof T & string
  ? CellKind | readonly [CellKind, Value<T>]
  : readonly [CellKind, Value<T>];

const number = z.number().int().min(-10_000).max(10_000);
/**
 * Of the times in the file: the zone's minutes east of Greenwich and the country's rule, as the person's console has
 * them.
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

/** What values are called in the file; one without a word stands there as it is. */
const words = z
  .record(z.string().max(128), z.string().max(256))
  .refine((w) => Object.keys(w).length <= 500, 'common.invalid')
  .optional();

/** A file on its way. It is kept for a day. */
export const exportRecord = z
  .object({
    id,
    /** As the order calls it. */
    name: z.string(),
    status: z.enum(['process', 'success', 'fail']),
    done: z.number().int(),
    total: z.number().int(),
    createdAt: z.string(),
  })
  .meta({ id: 'Export' });
export type ExportRecord = z.output<typeof exportRecord>;

/** What somebody ordered: which records of a list, which columns, in which words. */
export interface ExportOrder<Column extends string = string, Filter = Readonly<Record<string, unknown>>> {
  ids?: string[];
  filter?: Filter;
  exclude?: string[] | undefined;
  /** As they stand in the file, with the words over them. */
  columns: { key: Column; title: string; words?: Record<string, string> | undefined }[];
  sort?: string | undefined;
  words?: Record<string, string> | undefined;
  clock?: z.output<typeof clock> | undefined;
  name?: string | undefined;
  /** The caller's own name of the order: given twice, because no answer came, it is one file. */
  key?: string | undefined;
}

/** A page of records, each with an id of its list's kind. */
type Listing = z.ZodObject<{ records: z.ZodArray<z.ZodObject<{ id: z.ZodType }>> }>;

const orderOf = ({ query, response }: ListRoute, columns: readonly string[]) => {
  const { id: one } = (response as unknown as Listing).shape.records.element.shape;
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
  /** Plural, for the API portal. */
  what: string;
  /** Where it is ordered, when that is not beside the list. */
  path?: `/api/${string}`;
  /** The right to take it out, when that is not the one to see the list. */
  permission?: RouteAccess;
  audit?: AuditWord;
}

/**
 * A list's file (SHELL-17): the call that orders it, and what each column of it holds. The server answers at once and
 * reads the list behind, as whoever ordered it sees it; the calls of {@link exportCalls} tell how far it is. `columns`
 * names the field of a record by its key, or what is read of it.
 */
export function exportOf<const L extends ListRoute, const C extends string>(
  list: L,
  { what, path, permission = list.permission, audit = 'list.export' }: ExportOptions,
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
    body: orderOf(list, Object.keys(columns)) as unknown as z.ZodType<ExportOrder<C>, ExportOrder<C>>,
    response: exportRecord,
    errors: ['device.exportsBusy'],
  });
  const cells = Object.fromEntries(
    Object.entries(all).map(([key, of]): [string, ExportCell] => {
      const [kind, value] = typeof of === 'string' ? [of, (r: Record<string, unknown>) => r[key]] : of;
      return [key, { kind, value: value as ExportCell['value'] }];
    }),
  );
  return { list, add, cells };
}
export interface ExportCell {
  kind: CellKind;
  value: (record: Record<string, unknown>) => unknown;
}
export interface ListExport {
  list: RouteDefinition;
  add: RouteDefinition;
  cells: Readonly<Record<string, ExportCell>>;
}

/** A service's files: each person's own, of all its lists that the person may take out. */
export function exportCalls<const S extends string>(service: S) {
  const common = { permission: 'session', programs: true, audit: 'none', errors: [] } as const;
  const params = z.object({ id });
  const one = `/api/f/${service}/export/{id}` as const;
  return {
    /** Newest first, as long as they are kept. */
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
    /** Ends one that is being written, too. */
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

/** What an entry of a log tells beside its fields, as text. */
export const factsText = (facts: Readonly<Record<string, unknown>>): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
