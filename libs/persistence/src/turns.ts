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
