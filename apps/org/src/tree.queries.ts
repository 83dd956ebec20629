import { alphabetic } from '@carillon/persistence';

/**
 * SQL: every row of a tree table (id, parent_id, name) as `tree`, with the names of its ancestors; `place` sorts each
 * after its parent and among its siblings by name.
 */
export const treeSql = (table: 'site' | 'channel_address'): string => `
  with recursive tree as (
    select x.*, array[x.name::text] as path, array[${alphabetic('x.name::text')}, x.id::text] as place
    from ${table} x
    where x.parent_id is null
    union all select x.*, t.path || x.name::text, t.place || array[${alphabetic('x.name::text')}, x.id::text]
    from ${table} x
    join tree t on x.parent_id = t.id
  )
`;
