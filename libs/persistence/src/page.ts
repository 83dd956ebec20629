/** Builds a parameter list while SQL is put together: `const { add, values } = parameters(); \`… = ${add(x)}\``. */
export function parameters(initial: readonly unknown[] = []): { values: unknown[]; add(value: unknown): string } {
  const values = [...initial];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** `%` and `_` of what a person typed are plain characters. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
}

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
