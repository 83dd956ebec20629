import { actions } from '@carillon/actions';
import { linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { epochOf, inFlightSql } from './due.ts';
import { rateOf, returnRate, takeRate } from './rate.ts';

const log = createLogger('task');

/** A row `td` that goes out, beside what is known of its task and its device, as `p`. */
const sentRow = columns(
  TaskDevice,
  'td',
  ['taskId', 'deviceId', 'mac', 'model', 'ownerEpoch', 'orgId', 'commandId', 'expiresAt'],
  {
    action: column(Task, 'p', 'action'),
    params: column(Task, 'p', 'params'),
    traceparent: column(Task, 'p', 'traceparent'),
    firmware: column(DeviceCopy, 'p', 'firmware'),
    /** Null of a device that is gone since. */
    capabilities: computed<string[] | null>('p.capabilities'),
  },
);
type Sent = RowOf<typeof sentRow>;
const taskRow = columns(Task, 't', ['id', 'action', 'total'], { waiting: computed<number>('w.waiting') });

async function emitCommands(companyId: string, rows: readonly Sent[]): Promise<void> {
  for (const [traceparent, commands] of Map.groupBy(rows, (r) => r.traceparent)) {
    await span(
      'task dispatch',
      { traceparent: traceparent ?? undefined, attributes: { 'carillon.commands': commands.length } },
      () =>
        emitMany(
          linkCommand,
          'command',
          commands.map((r) => ({
            key: r.deviceId,
            companyId,
            orgId: r.orgId,
            data: {
              deviceId: r.deviceId,
              mac: r.mac,
              ownerEpoch: r.ownerEpoch,
              id: r.commandId,
              action: r.action,
              expiresAt: Date.parse(r.expiresAt),
              args: actions[r.action]!.toArgs(r.params, {
                id: r.deviceId,
                mac: r.mac,
                model: r.model,
                firmware: r.firmware,
                capabilities: r.capabilities ?? [],
              }) as Record<string, unknown>,
            },
          })),
        ),
    );
  }
}

const answerWithin = (patience: number): string =>
  JSON.stringify(Object.fromEntries(Object.values(actions).map((a) => [a.key, a.answerWithinMs * patience])));

export interface Sending {
  limit: number;
  patience: number;
  perSecond: number;
}

/** Where to look for waiting rows: behind a device of one task, or at some devices, each one's oldest task. */
export type Scope = { taskId: string; behind: string } | { deviceIds: readonly string[] };

/**
 * Sends to those that are online; what changes a device only while no other such command is in flight for it, what does
 * not change it at once. The row is marked and the command leaves by
 * the outbox in one transaction, so that neither can be without the other. Looks at `limit` devices that are online;
 * `last` is the one to go on behind, null when all were looked at; `isLimited` says that the task's rate left some for
 * later.
 *
 * The questions about each candidate are scalar subqueries on purpose, and counts: for the first row alone (`limit 1`)
 * PostgreSQL reads a table from its start when it takes the row for frequent, and to its end when there is none. As
 * joins it would plan them by the statistics of a table that has just grown by the whole task. For the same reason a
 * row that is locked here is found again by its place (`ctid`), which no choice of an index can make slow, and a task's
 * own rows are walked by the primary key: the status is hidden from the planner (`|| ''`), which takes `wait` for rare
 * when it last looked after a task, and would sort all of a task's rows again for each batch (docs/adr/0007).
 */
export async function sendCommands(
  companyId: string,
  scope: Scope,
  { limit, patience, perSecond }: Sending,
): Promise<{ sent: number; last: string | null; isLimited: boolean }> {
  const tasks = await waitingTasks(companyId, scope, limit, perSecond);
  const wanted = tasks.reduce((sum, task) => sum + task.most, 0);
  if (wanted === 0)
    return { sent: 0, last: 'taskId' in scope && tasks.length > 0 ? scope.behind : null, isLimited: tasks.length > 0 };
  const which =
    'taskId' in scope
      ? `w.device_id > $3 and ${epochOf('w.device_id')} is not null order by w.device_id`
      : 'w.device_id = any($3::uuid[])';
  const { rows } = await currentSql().query<Partial<Sent> & { looked: number; last: string | null }>(
    `
      with c as materialized (
        select w.*
        from jsonb_to_recordset($2::jsonb) as g("taskId" uuid, most int)
        cross join lateral (
          select w.ctid as at, w.task_id, w.device_id, w.changes_device
          from task_device w
          where w.task_id = g."taskId" and w.status || '' = 'wait' and w.expires_at > now() and ${which}
          limit g.most
          for update skip locked
        ) w
      ),
      picked as (
        select c.at, ${epochOf('c.device_id')} as epoch, t.action, t.params, t.traceparent, d.firmware,
          d.capabilities
        from c
        join task t on t.id = c.task_id
        left join device_copy d on d.id = c.device_id
        where ${epochOf('c.device_id')} is not null
          and (
            not c.changes_device
            or (
              select count(*)
              from task_device o
              where o.device_id = c.device_id and o.status in ${inFlightSql} and o.changes_device
            ) = 0
            and (
              select count(*)
              from task_device o
              where o.device_id = c.device_id and o.status = 'wait' and o.changes_device and o.task_id < c.task_id
            ) = 0
          )
      ),
      sent as (
        update task_device td
        set status = 'process', sent_at = now(), sent_epoch = p.epoch, updated_at = now(),
          deadline_at = now() + make_interval(secs => ($1::jsonb ->> p.action)::float8 / 1000)
        from picked p
        where td.ctid = p.at
        returning ${sentRow}
      )
      select (select count(*)::int from c) as looked, (select max(device_id::text) from c) as last, sent.*
      from (select 1) x
      left join sent on true
    `,
    [answerWithin(patience), JSON.stringify(tasks), 'taskId' in scope ? scope.behind : scope.deviceIds],
  );
  const sent = rows.flatMap((r) => (r.commandId ? [sentRow.read(r as Record<string, unknown>)] : []));
  const byTask = [...Map.groupBy(sent, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const { taskId, most, rate } of tasks)
    if (rate > 0) await returnRate(taskId, most - (byTask.find(([id]) => id === taskId)?.[1].length ?? 0));
  const last = 'taskId' in scope && rows[0]!.looked === wanted ? rows[0]!.last : null;
  const isLimited = tasks.some((task) => task.most < task.waiting);
  if (sent.length === 0) return { sent: 0, last, isLimited };
  await emitCommands(companyId, sent);
  for (const [taskId, rows] of byTask)
    await addSums(taskId, moves(rows.map((r) => ({ orgId: r.orgId, from: 'wait', to: 'process' }))));
  await emitLive(
    companyId,
    'task',
    byTask.map(([id]) => id),
    sent.map((r) => r.orgId),
  );
  afterCommit(() => log.info({ point: 'queued', count: sent.length }, 'commands queued'));
  return { sent: sent.length, last, isLimited };
}

/** The tasks that may be sent for, the oldest first, and how many devices of each: a large one has a rate (TASK-07). */
async function waitingTasks(
  companyId: string,
  scope: Scope,
  limit: number,
  perSecond: number,
): Promise<{ taskId: string; waiting: number; most: number; rate: number }[]> {
  const rows = await currentSql().rows(
    taskRow,
    'taskId' in scope
      ? `select ${taskRow} from task t cross join (select $2::int as waiting) w where t.id = $1`
      : `
        select ${taskRow}
        from (
          select task_id, count(*)::int as waiting
          from task_device
          where device_id = any($1::uuid[]) and status = 'wait' and expires_at > now()
          group by task_id
        ) w
        join task t on t.id = w.task_id
        order by t.id
      `,
    'taskId' in scope ? [scope.taskId, limit] : [scope.deviceIds],
  );
  const tasks = [];
  for (const { id, action, total, waiting } of rows) {
    const rate = rateOf(action, perSecond);
    // What fits into its first second has no need of a rate.
    const limited = rate > 0 && total > rate;
    tasks.push({
      taskId: id,
      waiting,
      most: limited ? await takeRate(companyId, id, rate, waiting, 'taskId' in scope ? scope.behind : null) : waiting,
      rate: limited ? rate : 0,
    });
  }
  return tasks;
}

/**
 * The same command into a newer connection: the device answers a repeated id from memory and does it once
 * (device-link.md).
 */
export async function resendCommands(companyId: string, deviceIds: readonly string[], patience: number): Promise<void> {
  const rows = await currentSql().rows(
    sentRow,
    `
      with p as (
        select td.ctid as at, ${epochOf('td.device_id')} as epoch, t.action, t.params, t.traceparent, c.firmware,
          c.capabilities
        from task_device td
        join task t on t.id = td.task_id
        left join device_copy c on c.id = td.device_id
        where td.device_id = any($1::uuid[])
          and td.status in ${inFlightSql}
          and td.expires_at > now()
          and ${epochOf('td.device_id')} > td.sent_epoch
        for update of td skip locked
      )
      update task_device td
      set sent_epoch = p.epoch, updated_at = now(),
        deadline_at = now() + make_interval(secs => ($2::jsonb ->> p.action)::float8 / 1000)
      from p
      where td.ctid = p.at
      returning ${sentRow}
    `,
    [deviceIds, answerWithin(patience)],
  );
  if (rows.length > 0) await emitCommands(companyId, rows);
}
