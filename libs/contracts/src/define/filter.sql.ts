import { filterSpans } from './constant.ts';
import type { Operator } from './filter.ts';

/** Adds a value to the parameters and returns its placeholder. */
export type Add = (value: unknown) => string;

/** A field of a filter in SQL. */
export interface FilterColumn {
  /** The column or expression, for example `d.model`. */
  sql: string;
  type: 'text' | 'uuid' | 'int' | 'boolean' | 'timestamptz';
  /** Condition for "is one of the values", when that is not a comparison with one column. */
  any?: (values: readonly unknown[], add: Add) => string;
  /** Condition for "contains one of the texts", when it needs another index. */
  contains?: (texts: readonly string[], add: Add) => string;
}
export type FilterColumns = Readonly<Record<string, FilterColumn>>;
const columnOf =
  (type: FilterColumn['type']) =>
  (sql: string, more: Partial<FilterColumn> = {}): FilterColumn => ({ sql, type, ...more });
/** Creates a column of the given type: `{ name: filterBy.text('d.name') }`. */
export const filterBy = {
  text: columnOf('text'),
  id: columnOf('uuid'),
  number: columnOf('int'),
  flag: columnOf('boolean'),
  moment: columnOf('timestamptz'),
} as const;

/** SQL: a text as searches compare it: full-width letters and digits, for example, are plain ones. */
export const searchable = (sql: string): string => `normalize(${sql}, nfkc)`;
/**
 * Returns a LIKE pattern for `searchable` text, in which `%` and `_` of the user's text are plain characters.
 */
export const containsPattern = (text: string): string =>
  `%${text.normalize('NFKC').replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

/** SQL: whether one of these texts matches a `containsPattern`; `pattern` is its parameter, or `any(…)` of several. */
export const anyContains = (texts: readonly string[], pattern: string): string =>
  `(${texts.map((text) => `${searchable(text)} ilike ${pattern}`).join(' or ')})`;

const all = <V>(value: V | readonly V[]): readonly V[] => (Array.isArray(value) ? value : [value as V]);
const anySql = ({ sql, type, any }: FilterColumn, values: readonly unknown[], add: Add): string =>
  any?.(values, add) ?? `${sql} = any(${add(values)}::${type}[])`;

/** An empty field equals no value: `is not true` also holds for NULL. */
const conditions: Readonly<Record<Operator, (column: FilterColumn, value: never, add: Add) => string>> = {
  '': (column, value, add) => anySql(column, all<unknown>(value), add),
  '.not': (column, value, add) => `(${anySql(column, all<unknown>(value), add)}) is not true`,
  '.contains': ({ sql, contains }, value, add) =>
    contains?.(all<string>(value), add) ??
    anyContains([sql], `any(${add(all<string>(value).map(containsPattern))}::text[])`),
  '.from': ({ sql, type }, value, add) => `${sql} >= ${add(value)}::${type}`,
  '.to': ({ sql, type }, value, add) => `${sql} ${type === 'timestamptz' ? '<' : '<='} ${add(value)}::${type}`,
  '.within': ({ sql }, value, add) =>
    `${sql} >= now() - make_interval(secs => ${add(filterSpans[value as keyof typeof filterSpans])})`,
  '.empty': ({ sql, type }, value) => {
    const empty = type === 'text' ? `coalesce(${sql}, '') = ''` : `${sql} is null`;
    return value === 'true' ? empty : `not (${empty})`;
  },
};

/**
 * Returns the conditions of a filter, in the order of the columns. Every list uses this one implementation of the
 * operators (filter.ts). Ignores fields that the columns do not name; the schema of the call decides which parameters
 * exist.
 */
export const filterSql = (filter: object, columns: FilterColumns, add: Add): string[] =>
  Object.entries(columns).flatMap(([field, column]) =>
    (Object.keys(conditions) as Operator[]).flatMap((operator) => {
      const value = (filter as Readonly<Record<string, never>>)[`${field}${operator}`];
      return value === undefined ? [] : [conditions[operator](column, value, add)];
    }),
  );
