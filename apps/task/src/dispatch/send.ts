import { actions, type ActionFile } from '@carillon/actions';
import { linkCommand, type TaskStatus } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { companyFrozenSql, freezeLock, frozenSql } from '../freeze-period/frozen.ts';
import { fileSql, givenFile, type Links } from '../file/file.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { bySiteSql, epochOf, inFlightSql, momentaryActionsSql } from './due.ts';
import { failOffline } from './momentary.ts';
import { rateOf, returnRate, takeRate } from './rate.ts';
import { countTold, siteRooms, type SiteRoom } from './site.ts';
import { firstId, leaveBehind, passOn, takePass, type Pass } from './sync.ts';

const log = createLogger('task');

/** A row `td` that goes out, beside what is known of its task and its device, as `p`. */
const sentRow = columns(
  TaskDevice,
  'td',
  ['taskId', 'deviceId', 'mac', 'model', 'ownerEpoch', 'orgId', 'commandId', 'expiresAt', 'siteId'],
  {
    action: column(Task, 'p', 'action'),
    params: column(Task, 'p', 'params'),
    traceparent: column(Task, 'p', 'traceparent'),
    firmware: column(DeviceCopy, 'p', 'firmware'),
    doorCount: column(DeviceCopy, 'p', 'doorCount'),
    /** Null of a device that is gone since. */
    capabilities: computed<string[] | null>('p.capabilities'),
    file: computed<ActionFile | null>('p.file'),
  },
);
type Sent = RowOf<typeof sentRow>;
/** Whether a freeze period holds a device `d`: then only what passes it waits for older ones that do. Nor does anything
 * wait for a task that is paused. */
const isFrozenSql = `
  (
    (select coalesce(bool_or(f.site_id is null), false) from frozen f)
    or coalesce(d.site_id = any((select array_agg(f.site_id) from frozen f)::uuid[]), false)
  )
`;
/** SQL: whether the row `c` of a task `t` and a device `d` may go out: it is online, and nothing of it goes before. */
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
const taskRow = columns(Task, 't', ['id', 'runs', 'action', 'total', 'sync'], {
  waiting: computed<number>('w.waiting'),
  isBySite: computed<boolean>(bySiteSql),
  isFrozen: computed<boolean>(`(not t.override_freeze and ${companyFrozenSql})`),
});

async function emitCommands(companyId: string, rows: readonly Sent[], links: Links): Promise<void> {
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
              args: argsOf(companyId, r, links),
            },
          })),
        ),
    );
  }
}

function argsOf(companyId: string, r: Sent, links: Links): Record<string, unknown> {
  const { deviceId, ownerEpoch, taskId, commandId } = r;
  const device = {
    id: deviceId,
    mac: r.mac,
    model: r.model,
    firmware: r.firmware,
    capabilities: r.capabilities ?? [],
    doorCount: r.doorCount,
  };
  const until = Date.parse(r.expiresAt);
  const command = { companyId, deviceId, ownerEpoch, taskId, commandId, until };
  const given = r.file ? givenFile(r.file, command, links) : undefined;
  return actions[r.action]!.toArgs(r.params, device, given) as Record<string, unknown>;
}

const answerWithin = (patience: number): string =>
  JSON.stringify(Object.fromEntries(Object.values(actions).map((a) => [a.key, a.answerWithinMs * patience])));

/**
 * SQL: the rows of tasks that have room at some sites. Nothing that cannot go out takes the room of what can, and each
 * site is looked for by itself: a site that is full costs nothing. Its rows are put in their order first (`offset 0`),
 * and then asked one after the other until its room is taken: PostgreSQL would ask all of them, and sort what is left.
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

export interface Sending {
  limit: number;
  patience: number;
  perSecond: number;
  links: Links;
}

/**
 * Where to look for waiting rows: behind a device of one task, null being where the pass over a task stands that runs
 * on so many devices at once (from the first it begins anew); or at some devices, each one's oldest task.
 */
export type Scope = { taskId: string; behind: string | null } | { deviceIds: readonly string[] };

/**
 * Sends to those that are online; what changes a device only while no other such command is in flight for it and no
 * freeze period is in force, what does not change it at once. The row is marked and the command leaves by
 * the outbox in one transaction, so that neither can be without the other. Looks at `limit` devices that are online;
 * `last` is the one to go on behind, null when all were looked at or as many run as may at once; `isLimited` says that
 * the task's rate left some for later.
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
  { limit, patience, perSecond, links }: Sending,
): Promise<{ sent: number; last: string | null; isLimited: boolean }> {
  await freezeLock('share', companyId);
  const tasks = await waitingTasks(companyId, scope, limit, perSecond);
  const wanted = tasks.reduce((sum, task) => sum + task.most, 0);
  const isLimited = tasks.some((task) => task.isLimited);
  const pass = 'taskId' in scope ? tasks[0]?.pass : undefined;
  const behind = 'taskId' in scope ? (pass?.walked ?? scope.behind) : null;
  const lost = await failOffline(tasks.filter((task) => task.isMomentary));
  if (wanted === 0) {
    await settle(companyId, lost);
    return { sent: 0, last: isLimited ? behind : null, isLimited };
  }
  const which =
    'taskId' in scope
      ? `w.device_id > $3 and ${epochOf('w.device_id')} is not null order by w.device_id`
      : 'w.device_id = any($3::uuid[])';
  const { rows } = await currentSql().query<Partial<Sent> & { looked: number; last: string | null }>(
    `
      with recursive ${frozenSql},
      c as materialized (
        select w.*
        from jsonb_to_recordset($2::jsonb) as g("taskId" uuid, run int, most int, sites jsonb)
        cross join lateral (
          select w.ctid as at, w.task_id, w.device_id, w.changes_device, w.file_id
          from task_device w
          where w.task_id = g."taskId" and w.run = g.run and w.status || '' = 'wait' and w.not_before is null
            and w.expires_at > now() and g.sites is null and ${which}
          limit g.most
          for update skip locked
        ) w
        ${tasks.some((task) => task.sites) ? bySite('taskId' in scope) : ''}
      ),
      picked as (
        select c.at, ${epochOf('c.device_id')} as epoch, t.action, t.params, t.traceparent, d.firmware,
          d.door_count, d.capabilities, ${fileSql('c.file_id')} as file
        from c
        join task t on t.id = c.task_id
        left join device_copy d on d.id = c.device_id
        where ${isFreeSql('c')}
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
    `,
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
  // As one of them ends, it goes on.
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

/** Counts what changed, always in the same order, and tells who looks on. */
export async function settle(
  companyId: string,
  changed: readonly { taskId: string; orgId: string; from: TaskStatus; to: TaskStatus }[],
): Promise<void> {
  const byTask = [...Map.groupBy(changed, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of byTask) await addSums(taskId, moves(of));
  if (changed.length === 0) return;
  await emitLive(
    companyId,
    'task',
    byTask.map(([id]) => id),
    changed.map((r) => r.orgId),
  );
}

interface Share {
  taskId: string;
  run: number;
  isMomentary: boolean;
  /** How many devices of it may be told now. */
  most: number;
  rate: number;
  /** Its rate left some for later. */
  isLimited: boolean;
  /** Of a task that runs on so many devices at once, of all or of a site. */
  pass?: Pass;
  /** Where it has room, of a task with limits by site. */
  sites?: SiteRoom[];
}

/**
 * The tasks that may be sent for, the oldest first, and how many devices of each: a large one has a rate (TASK-07), and
 * one may run on so many devices at once (TASK-09).
 */
async function waitingTasks(companyId: string, scope: Scope, limit: number, perSecond: number): Promise<Share[]> {
  const rows = await currentSql().rows(
    taskRow,
    'taskId' in scope
      ? `select ${taskRow} from task t cross join (select $2::int as waiting) w where t.id = $1 and t.paused_at is null`
      : `
        select ${taskRow}
        from (
          select task_id, count(*)::int as waiting
          from task_device
          where device_id = any($1::uuid[]) and status = 'wait' and not_before is null and expires_at > now()
          group by task_id
        ) w
        join task t on t.id = w.task_id
        where t.paused_at is null
        order by t.id
      `,
    'taskId' in scope ? [scope.taskId, limit] : [scope.deviceIds],
  );
  const tasks: Share[] = [];
  for (const { id: taskId, runs: run, action, total, sync, waiting, isBySite, isFrozen } of rows) {
    if (isFrozen && actions[action]!.changesDevice) continue;
    // Without a number there is no pass that could go on.
    if ('taskId' in scope && scope.behind === null && sync === 0 && !isBySite) continue;
    const pass =
      sync > 0 || isBySite
        ? await takePass(companyId, taskId, 'taskId' in scope && scope.behind === firstId)
        : undefined;
    const sites = isBySite ? await siteRooms(taskId, waiting) : undefined;
    const room = sites?.reduce((sum, site) => sum + site.room, 0) ?? waiting;
    const want = Math.min(waiting, pass?.room ?? waiting, room);
    if (pass && !sites && want < waiting && 'deviceIds' in scope) await leaveBehind(taskId, scope.deviceIds);
    const rate = rateOf(action, perSecond);
    // What fits into its first second has no need of a rate.
    const limited = want > 0 && rate > 0 && total > rate;
    const walked = 'taskId' in scope ? (pass?.walked ?? scope.behind) : null;
    const most = limited ? await takeRate(companyId, taskId, rate, want, walked) : want;
    const isMomentary = actions[action]!.isMomentary === true;
    tasks.push({
      taskId,
      run,
      isMomentary,
      most,
      rate: limited ? rate : 0,
      isLimited: most < want,
      ...(pass && { pass }),
      ...(sites && { sites }),
    });
  }
  return tasks;
}

/**
 * The same command into a newer connection: the device answers a repeated id from memory and does it once
 * (device-link.md). What is momentary is told once: what became of the first telling, nobody knows.
 */
export async function resendCommands(
  companyId: string,
  deviceIds: readonly string[],
  { patience, links }: Pick<Sending, 'patience' | 'links'>,
): Promise<void> {
  const rows = await currentSql().rows(
    sentRow,
    `
      with p as (
        select td.ctid as at, ${epochOf('td.device_id')} as epoch, t.action, t.params, t.traceparent, c.firmware,
          c.door_count, c.capabilities, ${fileSql('td.file_id')} as file
        from task_device td
        join task t on t.id = td.task_id
        left join device_copy c on c.id = td.device_id
        where td.device_id = any($1::uuid[])
          and td.status in ${inFlightSql}
          and td.expires_at > now()
          and ${epochOf('td.device_id')} > td.sent_epoch
          and t.action not in ${momentaryActionsSql}
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
  if (rows.length > 0) await emitCommands(companyId, rows, links);
}
