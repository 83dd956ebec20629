/**
 * Returns SQL with which companies take turns with their long work, rows `w` of a table. `open` is the condition for
 * rows that are not done.
 *
 * - `order`: companies without work in progress come first, then those that were served least recently.
 * - `isNext`: a company has one item in progress, the oldest of those that wait.
 */
export function turnsSql(table: string, open: string) {
  const ofCompany = `from ${table} o where o.company_id = w.company_id`;
  return {
    order: `
      exists (select 1 ${ofCompany} and ${open} and o.lease_until > now()),
      (select max(o.lease_until) ${ofCompany} and not (${open})) nulls first,
      w.created_at
    `,
    isNext: `
      not exists (
        select 1 ${ofCompany} and ${open} and o.id <> w.id
          and (o.lease_until > now() or (o.created_at, o.id) < (w.created_at, w.id))
      )
    `,
  };
}

/**
 * Returns SQL for the first rows of each company, as `id`, `turn` (1 for the first one of each) and `at` (its `order`).
 * It reads a few rows per company, however many there are, if an index has the company and `order`, for rows that meet
 * `kind`. `kind` and `open` are conditions for the table's columns.
 */
export const firstOfEachSql = (table: string, kind: string, open: string, order: string, each: string): string => `
  with recursive companies as (
    (select company_id from ${table} where ${kind} order by company_id limit 1)
    union all
    select (
      select o.company_id from ${table} o where ${kind} and o.company_id > c.company_id order by o.company_id limit 1
    )
    from companies c
    where c.company_id is not null
  )
  select n.id, n.turn, n.at
  from companies c
  cross join lateral (
    select id, row_number() over (order by ${order}) as turn, ${order} as at
    from ${table}
    where ${kind} and ${open} and ${table}.company_id = c.company_id
    order by ${order}
    limit ${each}
  ) n
`;
