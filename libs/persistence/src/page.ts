/** Builds a parameter list while SQL is put together: `const { add, values } = parameters(); \`… = ${add(x)}\``. */
export function parameters(initial: readonly unknown[] = []): { values: unknown[]; add(value: unknown): string } {
  const values = [...initial];
  return { values, add: (value) => `$${values.push(value)}` };
}

export { containsPattern, filterBy, filterSql, type FilterColumns } from '@carillon/contracts/filter-sql';

/** All of the conditions, or no `where` where there are none. */
export const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `where ${conditions.map((c) => `(${c})`).join(' and ')}`;

/** `-name` to `"name" desc` by a list of allowed columns; the last key makes the order total. */
export function orderBy(sort: string | undefined, columns: Record<string, string>, fallback: string): string {
  const down = sort?.startsWith('-') ?? false;
  const column = sort === undefined ? undefined : columns[down ? sort.slice(1) : sort];
  return column === undefined ? fallback : `${column} ${down ? 'desc nulls last' : 'asc nulls last'}, id`;
}

/** A `timestamptz` as SQL gives it here (text, whatever its precision), as ISO 8601 in UTC. */
export function iso(value: string): string;
export function iso(value: string | null): string | null;
export function iso(value: string | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}
