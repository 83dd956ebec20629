import { columns } from '@carillon/persistence';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { statesOf, inFlight, taskDeviceStates } from '../task/task.states.ts';

const list = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/** In flight as a literal: a parameter would keep PostgreSQL from using the partial index of these states. */
export const inFlightSql = list(inFlight);
/** What can still end by its time. */
export const openSql = list(statesOf(taskDeviceStates, 'expire'));

/**
 * Epoch of the connection that a device has now, null without one. A scalar subquery by the primary key on purpose: as
 * a join PostgreSQL may read all sessions that are online once for each row, when it last counted them while few were.
 */
export const epochOf = (device: string, condition = ''): string =>
  `(select s.epoch from link_session s where s.device_id = ${device} and s.online${condition})`;

const task = columns(Task, 't', ['id', 'companyId']);
const waiting = columns(TaskDevice, 'td', ['companyId', 'deviceId', 'taskId']);
const old = columns(TaskDevice, 'td', ['companyId', 'deviceId']);
const expired = columns(TaskDevice, 'td', ['companyId']);

/**
 * What the recovery tick looks for in all companies, every two seconds: when nothing is due it must cost nothing,
 * however many rows wait for devices that are offline.
 */
export const due = {
  /** Tasks without all their rows. */
  tasks: {
    columns: task,
    sql: `select ${task} from task t where not t.expanded and t.created_at < now() - interval '2 seconds'`,
  },
  /**
   * Devices, not tasks: one busy phone would have all the waiting rows of its task looked at in each tick. Where a pass
   * over a large task's rows goes on, those ahead of it are none of its business: they wait for the task's rate.
   */
  waiting: {
    columns: waiting,
    sql: `
    select ${waiting}
    from link_session s
    join task_device td on td.device_id = s.device_id and td.status = 'wait'
    where s.online
      and td.updated_at < now() - interval '2 seconds'
      and td.expires_at > now()
      and (
        td.device_id > (
          (
            select jsonb_object_agg(r.task_id, r.walked)
            from task_rate r
            where r.walked_at > now() - interval '2 seconds'
          ) ->> td.task_id::text
        )::uuid
      ) is not true
      and (
        not td.changes_device
        or (
          select 1
          from task_device o
          where o.device_id = s.device_id and o.status in ${inFlightSql} and o.changes_device
          limit 1
        ) is null
      )
    limit 5000
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
    limit 5000
  `,
  },
  /** Two halves, each by its index: an `or` over them reads the whole table. */
  expired: {
    columns: expired,
    sql: `
    select ${expired}
    from task_device td
    where td.ended_at is null and td.status in ${openSql} and td.expires_at < now()
    union select ${expired}
    from task_device td
    where td.status in ${inFlightSql} and td.deadline_at < now() and ${epochOf('td.device_id')} = td.sent_epoch
  `,
  },
} as const;
