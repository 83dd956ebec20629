import { actions } from '@carillon/actions';
import { phoneGateway } from '@carillon/contracts';
import { columns } from '@carillon/persistence';
import { frozenSql, heldActionsSql } from '../freeze-period/frozen.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { statesOf, inFlight, taskDeviceStates } from '../task/task.states.ts';

const list = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/** In flight as a literal: with a parameter PostgreSQL could not use the partial index of these states. */
export const inFlightSql = list(inFlight);
/** States that can expire. */
export const openSql = list(statesOf(taskDeviceStates, 'expire'));

/**
 * SQL: epoch of the current connection of a device, null without one. Deliberately a scalar subquery by the primary
 * key: with outdated statistics PostgreSQL may execute a join by reading all online sessions once per row.
 */
export const epochOf = (device: string, condition = ''): string =>
  `(select s.epoch from link_session s where s.device_id = ${device} and s.online${condition})`;

/** SQL: whether the current session of a device is over HTTP; null without one. */
export const isPhoneSql = (device: string): string =>
  `(select s.gateway = '${phoneGateway}' from link_session s where s.device_id = ${device} and s.online)`;

/** SQL: the keys of momentary actions. */
export const momentaryActionsSql = list(
  Object.values(actions)
    .filter((action) => action.isMomentary)
    .map((action) => action.key),
);

/**
 * SQL: whether a task `t` may wait behind the end of its window: nothing begins it later, and its action has sense later.
 */
export const mayHoldSql = (t: string): string =>
  `(${t}.due_at is null and ${t}.duration_minutes is not null and ${t}.action not in ${momentaryActionsSql})`;

/** SQL: whether a momentary command was sent to the device `td`. */
export const toldOnceSql = `
  (
    td.status in ${inFlightSql}
    and (select t.action from task t where t.id = td.task_id) in ${momentaryActionsSql}
  )
`;
/**
 * SQL: whether the device `td` has expired. The answer to a momentary command may still be in flight a little longer.
 */
export const overSql = `(td.expires_at < now() and (td.expires_at < now() - interval '2 seconds' or not ${toldOnceSql}))`;

/** The code of a device that has reported success and is restarting. */
export const restarting = 'restarting';

/**
 * SQL: a device `td` that should be back: it is offline after it reported success, loaded its file, or accepted a
 * command without a file.
 */
export const awaySql = `
  (
    td.goes_down
    and td.accepted_at is not null
    and (
      td.code = '${restarting}'
      or td.status = 'downloadSuccess'
      or (select t.file is null and t.files is null from task t where t.id = td.task_id)
    )
    and (td.code = '${restarting}' or ${epochOf('td.device_id')} is null)
  )
`;

/** SQL: whether a task `t` has limits by site. */
export const bySiteSql = `(coalesce((t.pace ->> 'siteSync')::int, 0) + coalesce((t.pace ->> 'sitePerMinute')::int, 0) > 0)`;

const task = columns(Task, 't', ['id', 'companyId']);
const rollout = columns(Task, 't', ['companyId']);
const waiting = columns(TaskDevice, 'td', ['companyId', 'deviceId', 'taskId']);
const paced = columns(TaskDevice, 'td', ['companyId']);
const old = columns(TaskDevice, 'td', ['companyId', 'deviceId']);
const expired = columns(TaskDevice, 'td', ['companyId']);

/**
 * Queries of the recovery tick over all companies, every two seconds: when nothing is due they must cost nothing,
 * however many rows wait for offline devices.
 */
export const due = {
  /** Tasks without all their rows. */
  tasks: {
    columns: task,
    sql: `
    select ${task}
    from task t
    where not t.expanded and t.runs > 0 and t.created_at < now() - interval '2 seconds'
  `,
  },
  /**
   * Waiting rows by device instead of by task, because one busy phone would have all waiting rows of its task read in
   * each tick. Excludes tasks that may not continue: those at their limit of concurrent devices, and those held by a
   * freeze period. Excludes rows ahead of an active pass over a large task: they wait for the rate or for room.
   * Excludes devices that wait for an older task: with limits by site thousands of them would fill the query's limit,
   * and other lost rows would never be found.
   */
  waiting: {
    columns: waiting,
    sql: `
    with recursive ${frozenSql},
    going as materialized (
      select t.id, t.override_freeze
      from task t
      where t.ended_at is null
        and t.paused_at is null
        and t.wait > 0
        and (t.sync = 0 or t.process < t.sync)
        and not ${bySiteSql}
        and (
          t.override_freeze
          or t.action not in ${heldActionsSql}
          or t.company_id not in (select f.company_id from frozen f where f.site_id is null)
        )
    ),
    ahead as materialized (
      select t.id
      from task t
      where t.ended_at is null
        and t.paused_at is null
        and t.wait > 0
        and (t.override_freeze or (select count(*) from frozen) = 0)
    ),
    passing as materialized (
      select r.task_id, r.walked
      from task_rate r
      where r.walked_at > now() - interval '2 seconds'
      union all
      select s.task_id, s.walked
      from task_sync s
      where s.walked_at > now() - interval '2 seconds' and not s.again
    )
    select ${waiting}
    from link_session s
    join task_device td on td.device_id = s.device_id and td.status = 'wait'
    where (select count(*) from going) > 0
      and s.online
      and td.task_id = any((select array_agg(g.id) from going g)::uuid[])
      and td.updated_at < now() - interval '2 seconds'
      and td.expires_at > now()
      and td.not_before is null
      and (
        td.device_id > ((select jsonb_object_agg(p.task_id, p.walked) from passing p) ->> td.task_id::text)::uuid
      ) is not true
      and (
        not td.changes_device
        or (
          (
            select 1
            from task_device o
            where o.device_id = s.device_id and o.status in ${inFlightSql} and o.changes_device
            limit 1
          ) is null
          and (
            select count(*)
            from task_device o
            where o.device_id = s.device_id and o.status = 'wait' and o.not_before is null and o.changes_device
              and o.task_id < td.task_id
              and (o.task_id = any((select array_agg(a.id) from ahead a)::uuid[])) is true
          ) = 0
          and (
            (select count(*) from frozen) = 0
            or td.task_id = any((select array_agg(g.id) from going g where g.override_freeze)::uuid[])
            or (
              (select d.site_id from device_copy d where d.id = td.device_id)
                = any((select array_agg(f.site_id) from frozen f)::uuid[])
            ) is not true
          )
        )
      )
    limit 5000
  `,
  },
  /** Companies with devices whose next try or slot in the spread is due. */
  paced: {
    columns: paced,
    sql: `select distinct ${paced} from task_device td where td.status = 'wait' and td.not_before <= now()`,
  },
  /** Tasks with limits by site: each continues where it has room. */
  bySite: {
    columns: task,
    sql: `
    select ${task}
    from task t
    where t.ended_at is null and t.paused_at is null and t.wait > 0 and ${bySiteSql}
  `,
  },
  /** Sent into a connection that is gone. */
  old: {
    columns: old,
    sql: `
    select ${old}
    from task_device td
    where td.status in ${inFlightSql}
      and ${epochOf('td.device_id', ` and s.at < now() - interval '1 second'`)} > td.sent_epoch
      and not ${toldOnceSql}
    limit 5000
  `,
  },
  /** Companies with tasks in stages. */
  rollouts: {
    columns: rollout,
    sql: `
    select distinct ${rollout}
    from task t
    where t.rollout is not null
      and t.ended_at is null
      and t.runs > 0
      and t.expanded
      and (t.paused_at is null or (t.window_ends_at <= now() and t.paused_for <> 'window'))
  `,
  },
  /** Two halves, each with its index: an `or` over them would read the whole table. */
  expired: {
    columns: expired,
    sql: `
    select ${expired}
    from task_device td
    where td.ended_at is null and td.status in ${openSql} and ${overSql}
    union select ${expired}
    from task_device td
    where td.status in ${inFlightSql}
      and td.deadline_at < now()
      and (${epochOf('td.device_id')} = td.sent_epoch or ${awaySql})
  `,
  },
} as const;

/** Tasks of a company that may have something to send when a freeze period ends. */
export const held = {
  columns: task,
  sql: `select ${task} from task t where t.ended_at is null and t.wait > 0 and t.action in ${heldActionsSql}`,
} as const;
