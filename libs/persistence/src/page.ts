/** Builds a parameter list together with SQL: `const { add, values } = parameters(); \`… = ${add(x)}\``. */
export function parameters(initial: readonly unknown[] = []): { values: unknown[]; add(value: unknown): string } {
  const values = [...initial];
  return { values, add: (value) => `$${values.push(value)}` };
}

export {
  anyContains,
  containsPattern,
  filterBy,
  filterSql,
  searchable,
  type FilterColumns,
} from '@carillon/contracts/filter-sql';

/** Returns a `where` clause of all conditions, or an empty text without any. */
export const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `where ${conditions.map((c) => `(${c})`).join(' and ')}`;

/**
 * SQL: sorts a text by its letters in any language, accents after their letter and small letters before capital ones,
 * whatever the order of the database is.
 */
export const alphabetic = (text: string): string => `${text} collate "und-x-icu"`;

/** Converts `-name` to `"name" desc` by a list of allowed columns; `last` makes the order total. */
export function orderBy(
  sort: string | undefined,
  columns: Record<string, string>,
  fallback: string,
  last = 'id',
): string {
  const down = sort?.startsWith('-') ?? false;
  const column = sort === undefined ? undefined : columns[down ? sort.slice(1) : sort];
  return column === undefined ? fallback : `${column} ${down ? 'desc nulls last' : 'asc nulls last'}, ${last}`;
}

/** Converts a `timestamptz` in SQL text form, of any precision, to ISO 8601 in UTC. */
export function iso(value: string): string;
export function iso(value: string | null): string | null;
export function iso(value: string | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}
