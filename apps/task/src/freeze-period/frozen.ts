import { actions } from '@carillon/actions';
import { holdLock } from '@carillon/persistence';

/**
 * SQL: whether a freeze period `f` is in force. Uses the time of the statement, because the transaction may have waited
 * for a task's rate.
 */
export const inForceSql = 'f.begins_at <= statement_timestamp() and f.ends_at > statement_timestamp()';

/** SQL of a recursive query: the frozen sites, including those below each; null stands for a whole company. */
export const frozenSql = `
  frozen (company_id, site_id) as (
    select f.company_id, x.site_id
    from freeze_period f
    cross join lateral unnest(case when f.site_ids = '{}' then array[null]::uuid[] else f.site_ids end) x(site_id)
    where ${inForceSql}
    union
    select s.company_id, s.id
    from frozen z
    join site_copy s on s.parent_id = z.site_id
  )
`;

/** SQL: whether the whole company is frozen, for the acting company. */
export const companyFrozenSql = `exists (select 1 from freeze_period f where f.site_ids = '{}' and ${inForceSql})`;

/** SQL: until when a freeze period holds the waiting row `td`; null when none does. */
export const heldUntilSql = `
  (
    case when
      td.status = 'wait'
      and td.changes_device
      and not (select t.override_freeze from task t where t.id = td.task_id)
    then (
      select max(f.ends_at)
      from freeze_period f
      where ${inForceSql}
        and (
          f.site_ids = '{}'
          or exists (
            with recursive up (id) as (
              select d.site_id from device_copy d where d.id = td.device_id
              union
              select s.parent_id from up join site_copy s on s.id = up.id
            )
            select 1 from up where up.id = any(f.site_ids)
          )
        )
    ) end
  )
`;

/** SQL: the keys of actions that a freeze period holds. */
export const heldActionsSql = `(${Object.values(actions)
  .filter((action) => action.changesDevice)
  .map((action) => `'${action.key}'`)
  .join(', ')})`;

/**
 * Locks the freeze periods of a company: senders share the lock, an editor holds it alone, so that nothing chosen
 * before a freeze is sent after the response to its editor. Call it first in a transaction.
 */
export const holdFreezes = (how: 'alone' | 'shared', companyId: string) => holdLock(`freeze ${companyId}`, how);
