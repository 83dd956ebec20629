import { actions, type Action, type ActionFile } from '@carillon/actions';
import {
  column,
  columns,
  computed,
  type Computed,
  currentSql,
  holdLock,
  parameters,
  type RowOf,
} from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { withFileSql, type Brought } from '../file/brought.ts';
import { fileSql, filesSql } from '../file/file.ts';
import { Task, TaskDevice, TaskRun } from '../task/task.entity.ts';
import { orderedOrgIdsSql } from '../projections/creator.projection.ts';
import { addSums, type Sums } from '../task/task.sums.ts';
import { next, statesOf, taskStates } from '../task/task.states.ts';
import { cutStages, stageSql } from '../rollout/stage.ts';
import { offline } from './momentary.ts';
import { firstId } from './sync.ts';
import { inRangeSql, refusedSql, restoresOf, targetSql, type TaskTarget } from './target.ts';

const orderRow = columns(
  Task,
  't',
  [
    'action',
    'params',
    'target',
    'access',
    'expandedTo',
    'name',
    'runs',
    'versionRange',
    'durationMinutes',
    'windowEndsAt',
    'rollout',
    'stage',
    'stageCuts',
    'timeZone',
    'pace',
    'startedAt',
    'siteWindows',
  ],
  {
    devices: column(TaskRun, 'r', 'devices') as Computed<'all' | 'failed' | null>,
    file: computed<ActionFile | null>(fileSql('null::uuid')),
    files: computed<ActionFile[] | null>(filesSql),
  },
);
type Order = RowOf<typeof orderRow>;
/**
 * The hello of a device that has just connected may still be on its way to the service that stores it. A device whose
 * capabilities are unknown is checked again after this time and fails only then.
 */
const helloWithinSeconds = 5;
const addedRow = columns(TaskDevice, 'added', ['status', 'orgId'], {
  count: computed<number>('count(*)::int'),
  last: computed<string>('max(added.device_id::text)'),
});

/**
 * Locks the devices of a company: a device that moves to another organization takes its rows along, and a deleted one
 * ends them, so neither may miss a row that is being created.
 */
export const holdMoves = (how: 'alone' | 'shared', companyId: string) => holdLock(`task device ${companyId}`, how);

/**
 * Creates the rows of a task's next devices in one INSERT … SELECT with the creator's access. Whether the action
 * refuses a device is computed once per kind of device. Returns whether devices remain.
 */
export async function expandChunk(companyId: string, taskId: string, chunk: number): Promise<boolean> {
  await holdMoves('shared', companyId);
  const order = await takeOrder(taskId);
  if (!order) return false;
  const rows = await addDevices(taskId, order, chunk);
  const isUnfinished = rows.reduce((sum, r) => sum + r.count, 0) === chunk;
  const last = rows
    .map((r) => r.last)
    .sort()
    .at(-1);
  await currentSql().query(
    `
      update task
      set status = $2, started_at = coalesce(started_at, now()), expanded_to = $3, expanded = $4
      where id = $1
    `,
    [taskId, next(taskStates, 'wait', 'start'), last ?? order.expandedTo, !isUnfinished],
  );
  const byOrganization = [...Map.groupBy(rows, (r) => r.orgId)];
  await addSums(taskId, new Map(byOrganization.map(([orgId, counts]) => [orgId, sumsOf(counts)])));
  const orgIds = rows.length > 0 ? rows.map((r) => r.orgId) : order.access.orgIds === '*' ? null : order.access.orgIds;
  await emitLive(companyId, 'task', [taskId], orgIds);
  return isUnfinished;
}

/** Locks and returns the task if it can be expanded. The transaction sees what its creator sees from here on. */
async function takeOrder(taskId: string): Promise<Order | undefined> {
  const [order] = await currentSql().rows(
    orderRow,
    `
      select ${orderRow},
        set_config('app.org_ids', ${orderedOrgIdsSql}, true), set_config('app.user_id', t.creator_id::text, true)
      from task t
      left join task_run r on r.task_id = t.id and r.run = t.runs
      left join creator_copy u on u.id = t.creator_id
      where t.id = $1 and not t.expanded and t.status = any($2::text[])
      for update of t
    `,
    [taskId, [...statesOf(taskStates, 'start'), next(taskStates, 'wait', 'start')]],
  );
  return order;
}

/** Adds the rows of the next devices, and returns how many there are by status and organization. */
async function addDevices(taskId: string, order: Order, chunk: number): Promise<RowOf<typeof addedRow>[]> {
  const action = actions[order.action]!;
  const { values, add } = parameters();
  const inRange = inRangeSql(order.versionRange, add);
  const conditions = [`${inRange} is not false`];
  if (order.rollout && order.devices !== 'failed') {
    const { rollout, stage } = order;
    const whole = parameters();
    const all = targetSql(order.target, whole.add, [`${inRangeSql(order.versionRange, whole.add)} is not false`]);
    const cuts = order.stageCuts ?? (await cutStages(taskId, order.runs, rollout, all, whole.values));
    conditions.push(stageSql(taskId, order.runs, { rollout, stage, cuts }, add));
  }
  if (order.expandedTo) conditions.push(`d.id > ${add(order.expandedTo)}::uuid`);
  if (order.devices === 'failed')
    conditions.push(`
      d.id in (
        select td.device_id
        from task_device td
        where td.task_id = ${add(taskId)} and td.run = ${add(order.runs - 1)} and td.status in ('fail', 'timeout')
      )
    `);
  const brought = broughtBy(order);
  const target = withFileSql(
    `${targetSql(order.target, add, conditions)} order by d.id limit ${add(chunk)}`,
    brought,
    add,
  );
  const refused = await refusedSql(
    { action, params: order.params, brought, restores: restoresOf(order.target) },
    target,
    values,
    add,
  );
  const momentary = `${add(action.isMomentary === true)}::boolean`;
  return currentSql().rows(
    addedRow,
    `
      with judged as (
        select d.*, r.code as refusal, r.values,
          coalesce(r.code = 'capabilityUnknown' and d.online, false) and not ${momentary} as awaits_hello,
          case
            when ${inRange} is null then 'versionUnknown'
            when ${momentary} and not d.online then '${offline}'
          end as fault
        from (${target}) d
        ${refused}
      ),
      target as (
        select j.*, case when j.awaits_hello then null else coalesce(j.refusal, j.fault) end as code
        from judged j
      ),
      windows as materialized (
        select s.id as site_id, x."opensAt" as opens_at, x."closesAt" as closes_at
        from jsonb_to_recordset(${add(JSON.stringify(order.siteWindows ?? []))}::jsonb) as x(
          zone text, "opensAt" timestamptz, "closesAt" timestamptz
        )
        join site_copy s on s.time_zone = x.zone
      ),
      added as (
        insert into task_device (
          task_id, run, device_id, company_id, org_id, mac, name, model, owner_epoch, status, command_id,
          changes_device, goes_down, code, code_values, file_id, expires_at, updated_at, ended_at, site_id, not_before
        )
        select ${add(taskId)}, ${add(order.runs)}, t.id, t.company_id, t.org_id, t.mac, t.name, t.model, t.owner_epoch,
          case when t.code is null then 'wait' else 'fail' end, gen_random_uuid(),
          ${add(action.changesDevice)}, ${add(action.backWith !== undefined)}, t.code, t.values, t.file_id,
          ${expirySql(order, action, add)}, now(),
          case when t.code is not null then now() end, ${siteSql(order)},
          case when t.code is null then greatest(
            ${opensSql(order, add)},
            ${spreadSql(taskId, order, action, add)},
            case when t.awaits_hello then now() + interval '${helloWithinSeconds} seconds' end
          ) end
        from target t
        left join windows w on w.site_id = t.site_id
        on conflict do nothing
        returning status, device_id, org_id, company_id, site_id
      ),
      sites as (
        insert into task_site (task_id, site_id, company_id)
        select distinct ${add(taskId)}::uuid, site_id, company_id
        from added
        where site_id is not null
        on conflict do nothing
      )
      select ${addedRow}
      from added
      group by status, org_id
    `,
    values,
  );
}

const broughtBy = ({ action, params, file, files }: Order): Brought | undefined => {
  const choice = files && actions[action]!.chooses?.(params);
  return choice ? { choice, several: files } : file ? { one: file } : undefined;
};

/** Makes a waiting task without devices visible to the organizations that it would reach now. */
export async function shareWaiting(companyId: string, taskId: string, target: TaskTarget): Promise<void> {
  const { values, add } = parameters();
  await currentSql().query(
    `
      insert into task_organization (
        task_id, org_id, company_id, total, success, fail, timeout, cancel, process, wait
      )
      select distinct ${add(taskId)}::uuid, d.org_id, ${add(companyId)}::uuid, 0, 0, 0, 0, 0, 0, 0
      from (${targetSql(target, add)}) d
    `,
    values,
  );
}

/** SQL: when the window `w` of a target device opens; null for a run in one time zone, and once it is open. */
function opensSql({ siteWindows, timeZone }: Order, add: (value: unknown) => string): string {
  const own = siteWindows?.find(({ zone }) => zone === timeZone);
  if (!own) return 'null::timestamptz';
  const opens = `coalesce(w.opens_at, ${add(own.opensAt)}::timestamptz)`;
  return `case when ${opens} > now() then ${opens} end`;
}

/**
 * SQL: until when a command waits: until the end of the task's window, or of the window `w` of its site, otherwise as
 * long as its action says. A momentary one lives as long as its run, of which some time may have passed.
 */
function expirySql(
  { durationMinutes, windowEndsAt, siteWindows, timeZone }: Order,
  { expiresAfterMs, isMomentary = false }: Action,
  add: (value: unknown) => string,
): string {
  const own = siteWindows?.find(({ zone }) => zone === timeZone);
  if (own) return `coalesce(w.closes_at, ${add(own.closesAt)}::timestamptz)`;
  const end = `${add(windowEndsAt)}::timestamptz`;
  return durationMinutes === null || isMomentary
    ? `least(now() + make_interval(secs => ${add(expiresAfterMs / 1000)}), ${end})`
    : end;
}

/** SQL: the site for which a target device `t` counts, when the task has limits by site. */
const siteSql = ({ pace }: Order): string =>
  pace && pace.siteSync + pace.sitePerMinute > 0 ? `coalesce(t.site_id, '${firstId}')` : 'null::uuid';

/**
 * SQL: the earliest time for a target device `t` of a task with a spread: its slot after the start of the run or stage,
 * within the window.
 */
function spreadSql(taskId: string, order: Order, action: Action, add: (value: unknown) => string): string {
  const { pace, runs, startedAt, stage } = order;
  if (!pace?.spreadMinutes) return 'null::timestamptz';
  const begin = `greatest(coalesce(${add(stage > 1 ? null : startedAt)}::timestamptz, now()), ${opensSql(order, add)})`;
  const place = `
    (hashtextextended('spread ' || ${add(taskId)}::text || ' ' || ${add(runs)}::text || ' ' || t.id::text, 0) & 2147483647)
  `;
  const span = `least(make_interval(mins => ${add(pace.spreadMinutes)}), ${expirySql(order, action, add)} - ${begin})`;
  return `${begin} + ${place} / 2147483648.0 * ${span}`;
}

const sumsOf = (counts: readonly RowOf<typeof addedRow>[]): Sums => ({
  total: counts.reduce((sum, r) => sum + r.count, 0),
  ...Object.fromEntries(counts.map((r) => [r.status, r.count])),
});
