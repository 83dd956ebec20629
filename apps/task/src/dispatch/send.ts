import type { TaskStatus } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { afterCommit, currentSql, preparedSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { holdFreezes, frozenSql } from '../freeze-period/frozen.ts';
import { fileSql, type Links } from '../file/file.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { epochOf, inFlightSql } from './due.ts';
import { failDamaged, mostDamaged } from './damaged.ts';
import { failOffline } from './momentary.ts';
import { returnRate } from './rate.ts';
import { countTold } from './site.ts';
import { firstId, passOn } from './sync.ts';
import { answerWithin, emitCommands, sentRow, type Sent } from './command.ts';
import { waitingTasks, type Scope } from './share.ts';

const log = createLogger('task');

/**
 * SQL: whether a freeze period holds a device `d`: only commands that ignore freezes then wait for older ones that do
 * too. Nothing waits for a paused task.
 */
const isFrozenSql = `
  (
    (select coalesce(bool_or(f.site_id is null), false) from frozen f)
    or coalesce(d.site_id = any((select array_agg(f.site_id) from frozen f)::uuid[]), false)
  )
`;
/**
 * SQL: whether the row `c` of a task `t` and a device `d` may be sent: the device is online, and no other command goes
 * first.
 */
const isFreeSql = (c: string): string => `
  ${epochOf(`${c}.device_id`)} is not null
  and (
    not ${c}.changes_device
    or (
      (
        select count(*)
        from task_device o
        where o.device_id = ${c}.device_id and o.status in ${inFlightSql} and o.changes_device
      ) = 0
      and (
        select count(*)
        from task_device o
        where o.device_id = ${c}.device_id and o.status = 'wait' and o.not_before is null and o.changes_device
          and o.task_id < ${c}.task_id
          and (
            select x.paused_at is null and (not ${isFrozenSql} or x.override_freeze)
            from task x
            where x.id = o.task_id
          )
      ) = 0
      and (t.override_freeze or not ${isFrozenSql})
    )
  )
`;
/**
 * SQL: the rows of tasks that have room at some sites. Rows that cannot be sent take no room, and each site is searched
 * separately, so that a full site costs nothing. The rows are sorted first (`offset 0`) and then tested one after the
 * other until the room is used: otherwise PostgreSQL would test all rows and sort the rest.
 */
const bySite = (isWhole: boolean): string => `
  union all
  select w.*
  from jsonb_to_recordset($2::jsonb) as g("taskId" uuid, run int, most int, sites jsonb)
  join task t on t.id = g."taskId"
  cross join lateral (
    select w.*
    from jsonb_to_recordset(g.sites) as r("siteId" uuid, room int)
    cross join lateral (
      select l.ctid as at, l.task_id, l.device_id, l.changes_device, l.file_id
      from (
        select w.at
        from (
          select w.ctid as at, w.task_id, w.device_id, w.changes_device
          from task_device w
          where w.task_id = g."taskId" and w.site_id = r."siteId" and w.ended_at is null and w.run = g.run
            and w.status || '' = 'wait' and w.not_before is null and w.expires_at > now()
            and ${isWhole ? '$3::uuid is not null' : 'w.device_id = any($3::uuid[])'}
          order by w.device_id
          offset 0
        ) w
        left join lateral (select c.site_id from device_copy c where c.id = w.device_id offset 0) d on true
        where ${isFreeSql('w')}
        order by w.device_id
        limit r.room
      ) f
      join task_device l on l.ctid = f.at
      where l.status || '' = 'wait'
      for update of l skip locked
    ) w
    limit g.most
  ) w
`;

/**
 * Returns the statement that marks rows as sent: those behind a device of one task (`isWhole`), or those of given
 * devices.
 *
 * The conditions on each candidate are deliberately scalar subqueries with counts: for a first row (`limit 1`)
 * PostgreSQL reads a table from its start when it expects frequent rows, and to its end when there is none. Joins would
 * be planned by the statistics of a table that has just grown by the whole task. For the same reason locked rows are
 * found again by `ctid`, which no index choice can slow down, and a task's rows are read by the primary key: the status
 * is hidden from the planner (`|| ''`), which considers `wait` rare when its statistics are from after a task, and
 * would sort all rows of a task for each batch (docs/adr/0007).
 */
const sendSql = (isWhole: boolean, hasSites: boolean): string => {
  const from = isWhole
    ? `w.device_id > $3 and ${epochOf('w.device_id')} is not null order by w.device_id`
    : 'w.device_id = any($3::uuid[])';
  return `
    with recursive ${frozenSql},
    c as materialized (
      select w.*
      from jsonb_to_recordset($2::jsonb) as g("taskId" uuid, run int, most int, sites jsonb)
      cross join lateral (
        select w.ctid as at, w.task_id, w.device_id, w.changes_device, w.file_id
        from task_device w
        where w.task_id = g."taskId" and w.run = g.run and w.status || '' = 'wait' and w.not_before is null
          and w.expires_at > now() and g.sites is null and ${from}
        limit g.most
        for update skip locked
      ) w
      ${hasSites ? bySite(isWhole) : ''}
    ),
    picked as (
      select c.at, ${epochOf('c.device_id')} as epoch, t.action, t.params, t.traceparent, d.firmware,
        d.door_count, d.capabilities, ${fileSql('c.file_id')} as file
      from c
      join task t on t.id = c.task_id
      left join device_copy d on d.id = c.device_id
      where ${isFreeSql('c')} and (c.file_id is null or ${fileSql('c.file_id')} is not null)
    ),
    sent as (
      update task_device td
      set status = 'process', sent_at = now(), sent_epoch = p.epoch, told_epoch = p.epoch,
        command_id = case when td.try_number > 1 then gen_random_uuid() else td.command_id end, accepted_at = null,
        back = null, version_before = p.firmware, updated_at = now(),
        deadline_at = now() + make_interval(secs => ($1::jsonb ->> p.action)::float8 / 1000)
      from picked p
      where td.ctid = p.at
      returning ${sentRow}
    )
    select (select count(*)::int from c) as looked, (select max(device_id::text) from c) as last, sent.*
    from (select 1) x
    left join sent on true
  `;
};

export interface Sending {
  limit: number;
  patience: number;
  perSecond: number;
  links: Links;
}

/**
 * Sends commands to online devices. A command that changes its device is sent only when no other one is in flight and
 * no freeze period applies; others are sent at once. The row is marked and the command enters the outbox in one
 * transaction. Looks at `limit` online devices; `last` is the device to continue behind, null when all were looked at
 * or the limit of concurrent devices is reached; `isLimited` means that the task's rate left some for later.
 */
export async function sendCommands(
  companyId: string,
  scope: Scope,
  { limit, patience, perSecond, links }: Sending,
): Promise<{ sent: number; last: string | null; isLimited: boolean }> {
  await holdFreezes('shared', companyId);
  const { tasks, damaged } = await waitingTasks(companyId, scope, limit, perSecond);
  const refused = await failDamaged(damaged);
  if (refused.length === mostDamaged) {
    await settle(companyId, refused);
    return { sent: 0, last: firstId, isLimited: true };
  }
  const wanted = tasks.reduce((sum, task) => sum + task.most, 0);
  const isLimited = tasks.some((task) => task.isLimited);
  const pass = 'taskId' in scope ? tasks[0]?.pass : undefined;
  const behind = 'taskId' in scope ? (pass?.walked ?? scope.behind) : null;
  const lost = [...refused, ...(await failOffline(tasks.filter((task) => task.isMomentary)))];
  if (wanted === 0) {
    await settle(companyId, lost);
    return { sent: 0, last: isLimited ? behind : null, isLimited };
  }
  const hasSites = tasks.some((task) => task.sites);
  // For a whole task it is planned for each batch: a plan from before the rows were there would read all of them.
  const sql = 'taskId' in scope ? currentSql() : preparedSql();
  const { rows } = await sql.query<Partial<Sent> & { looked: number; last: string | null }>(
    sendSql('taskId' in scope, hasSites),
    [answerWithin(patience), JSON.stringify(tasks), 'taskId' in scope ? behind : scope.deviceIds],
  );
  const sent = rows.flatMap((r) => (r.commandId ? [sentRow.read(r as Record<string, unknown>)] : []));
  for (const { taskId, most, rate } of tasks)
    if (rate > 0) await returnRate(taskId, most - sent.filter((r) => r.taskId === taskId).length);
  for (const { taskId } of tasks.filter((task) => task.sites)) {
    const siteIds = sent.flatMap((r) => (r.taskId === taskId ? [r.siteId!] : []));
    if (siteIds.length > 0) await countTold(taskId, siteIds);
  }
  const looked = 'taskId' in scope && rows[0]!.looked === wanted ? rows[0]!.last : null;
  const isBySite = tasks[0]?.sites !== undefined;
  const rest = isBySite
    ? sent.length === wanted
      ? firstId
      : null
    : pass
      ? await passOn(tasks[0]!.taskId, pass, looked)
      : looked;
  // When one of them ends, the pass continues.
  const last = pass && pass.room === sent.length ? null : rest;
  if (sent.length > 0) await emitCommands(companyId, sent, links);
  await settle(companyId, [
    ...lost,
    ...sent.map(({ taskId, orgId }) => ({ taskId, orgId, from: 'wait', to: 'process' }) as const),
  ]);
  if (sent.length === 0) return { sent: 0, last, isLimited };
  afterCommit(() => log.info({ point: 'queued', count: sent.length }, 'commands queued'));
  return { sent: sent.length, last, isLimited };
}

/** Updates the counts, always in the same order, and publishes the changes. */
export async function settle(
  companyId: string,
  changed: readonly { taskId: string; orgId: string; from: TaskStatus; to: TaskStatus }[],
): Promise<void> {
  const byTask = [...Map.groupBy(changed, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, rows] of byTask) await addSums(taskId, moves(rows));
  if (changed.length === 0) return;
  await emitLive(
    companyId,
    'task',
    byTask.map(([id]) => id),
    changed.map((r) => r.orgId),
  );
}
