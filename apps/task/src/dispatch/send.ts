import { actions, type ActionFile } from '@carillon/actions';
import { linkCommand, phoneCommand, type TaskStatus } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, column, columns, computed, currentSql, preparedSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { companyFrozenSql, holdFreezes, frozenSql } from '../freeze-period/frozen.ts';
import { fileSql, givenFile, type Links } from '../file/file.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { bySiteSql, epochOf, inFlightSql, isPhoneSql, momentaryActionsSql } from './due.ts';
import { failDamaged, isDamagedSql, mostDamaged } from './damaged.ts';
import { failOffline } from './momentary.ts';
import { rateOf, returnRate, takeRate } from './rate.ts';
import { countTold, siteRooms, type SiteRoom } from './site.ts';
import { firstId, leaveBehind, passOn, takePass, type Pass } from './sync.ts';

const log = createLogger('task');

/** A row `td` to send, with facts of its task and device as `p`. */
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
    /** Null when the device was deleted since. */
    capabilities: computed<string[] | null>('p.capabilities'),
    file: computed<ActionFile | null>('p.file'),
    /** Whether its session is over HTTP. */
    isPhone: computed<boolean>(isPhoneSql('td.device_id')),
    /** By the clock that says when a task was stopped, because each process has its own. */
    sentAt: computed<number>('(extract(epoch from clock_timestamp()) * 1000)::bigint::float8'),
  },
);
type Sent = RowOf<typeof sentRow>;
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
const taskRow = columns(Task, 't', ['id', 'runs', 'action', 'total', 'sync'], {
  waiting: computed<number>('w.waiting'),
  isBySite: computed<boolean>(bySiteSql),
  isFrozen: computed<boolean>(`(not t.override_freeze and ${companyFrozenSql})`),
  isDamaged: computed<boolean>(isDamagedSql),
});

async function emitCommands(companyId: string, rows: readonly Sent[], links: Links): Promise<void> {
  const byWay = Map.groupBy(rows, ({ traceparent, isPhone }) => `${traceparent ?? ''} ${isPhone}`);
  for (const commands of byWay.values()) {
    const { traceparent, isPhone } = commands[0]!;
    await span(
      'task dispatch',
      { traceparent: traceparent ?? undefined, attributes: { 'carillon.commands': commands.length } },
      () =>
        emitMany(
          isPhone ? phoneCommand : linkCommand,
          'command',
          commands.map((r) => ({
            key: r.deviceId,
            companyId,
            orgId: r.orgId,
            ...(isPhone ? { version: r.sentAt } : {}),
            data: {
              deviceId: r.deviceId,
              mac: r.mac,
              ownerEpoch: r.ownerEpoch,
              id: r.commandId,
              action: r.action,
              expiresAt: Date.parse(r.expiresAt),
              args: argsOf(companyId, r, links),
              ...(isPhone ? { taskId: r.taskId } : {}),
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
  const command = { companyId, deviceId, ownerEpoch, taskId, commandId, until, isPhone: r.isPhone };
  const given = r.file ? givenFile(r.file, command, links) : undefined;
  return actions[r.action]!.toArgs(r.params, device, given) as Record<string, unknown>;
}

const answerWithin = (patience: number): string =>
  JSON.stringify(Object.fromEntries(Object.values(actions).map((a) => [a.key, a.answerWithinMs * patience])));

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

export interface Sending {
  limit: number;
  patience: number;
  perSecond: number;
  links: Links;
}

/**
 * Where to look for waiting rows: behind a device of one task (null: from the position of the pass over a task with a
 * limit of concurrent devices; from the first device to restart it), or at the oldest task of each given device.
 */
export type Scope = { taskId: string; behind: string | null } | { deviceIds: readonly string[] };

/**
 * Sends commands to online devices. A command that changes its device is sent only when no other one is in flight and
 * no freeze period applies; others are sent at once. The row is marked and the command enters the outbox in one
 * transaction. Looks at `limit` online devices; `last` is the device to continue behind, null when all were looked at
 * or the limit of concurrent devices is reached; `isLimited` means that the task's rate left some for later.
 *
 * The conditions on each candidate are deliberately scalar subqueries with counts: for a first row (`limit 1`)
 * PostgreSQL reads a table from its start when it expects frequent rows, and to its end when there is none. Joins would
 * be planned by the statistics of a table that has just grown by the whole task. For the same reason locked rows are
 * found again by `ctid`, which no index choice can slow down, and a task's rows are read by the primary key: the status
 * is hidden from the planner (`|| ''`), which considers `wait` rare when its statistics are from after a task, and
 * would sort all rows of a task for each batch (docs/adr/0007).
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
  const which =
    'taskId' in scope
      ? `w.device_id > $3 and ${epochOf('w.device_id')} is not null order by w.device_id`
      : 'w.device_id = any($3::uuid[])';
  // For a whole task it is planned for each batch: a plan from before the rows were there would read all of them.
  const sql = 'taskId' in scope ? currentSql() : preparedSql();
  const { rows } = await sql.query<Partial<Sent> & { looked: number; last: string | null }>(
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
  /** Number of its devices that may be started now. */
  most: number;
  rate: number;
  /** The rate left some for later. */
  isLimited: boolean;
  /** Set for a task that limits its concurrent devices, in total or per site. */
  pass?: Pass;
  /** Room by site, for a task with limits by site. */
  sites?: SiteRoom[];
}

/**
 * Returns the tasks to send for, oldest first, with the number of devices for each: a large one has a rate (TASK-07),
 * and one may limit its concurrent devices (TASK-09). Tasks with a damaged file are returned apart.
 */
async function waitingTasks(
  companyId: string,
  scope: Scope,
  limit: number,
  perSecond: number,
): Promise<{ tasks: Share[]; damaged: Pick<Share, 'taskId' | 'run'>[] }> {
  const rows = await preparedSql().rows(
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
  const damaged: Pick<Share, 'taskId' | 'run'>[] = [];
  for (const { id: taskId, runs: run, action, total, sync, waiting, isBySite, isFrozen, isDamaged } of rows) {
    if (isDamaged) {
      damaged.push({ taskId, run });
      continue;
    }
    if (isFrozen && actions[action]!.changesDevice) continue;
    // Without a limit there is no pass to continue.
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
    // A task that fits into one second needs no rate.
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
  return { tasks, damaged };
}

/**
 * Sends a command again into a newer connection: the device answers a repeated id from memory and does it once
 * (device-link.md). Momentary commands are not repeated, because the result of the first sending is unknown.
 */
export async function resendCommands(
  companyId: string,
  deviceIds: readonly string[],
  { patience, links }: Pick<Sending, 'patience' | 'links'>,
): Promise<void> {
  const rows = await preparedSql().rows(
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
          and (td.file_id is null or ${fileSql('td.file_id')} is not null)
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
