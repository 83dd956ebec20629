import { taskNames } from '@carillon/actions';
import { columns, computed, currentSql, preparedSql } from '@carillon/persistence';
import { alarmKinds, type TaskStatus } from '@carillon/contracts';
import { emitMessage } from '@carillon/service';
import { mayHoldSql } from '../dispatch/due.ts';
import { releaseFiles } from '../file/file.publisher.ts';
import { holdsAtEnd } from '../rollout/stage.ts';
import { closeRun } from '../run/run.ts';
import { Task, TaskOrganization } from './task.entity.ts';
import { endOf, next, statesOf, taskStates } from './task.states.ts';

export type Sums = Partial<Record<'total' | 'success' | 'fail' | 'timeout' | 'cancel' | 'process' | 'wait', number>>;

/** The sum under which a device's status is counted. */
export const sumOf = {
  wait: 'wait',
  process: 'process',
  downloadSuccess: 'process',
  success: 'success',
  operated: 'success',
  fail: 'fail',
  timeout: 'timeout',
  cancel: 'cancel',
  stop: 'cancel',
  finished: 'success',
} as const satisfies Record<TaskStatus, keyof Sums>;

/** Sums by the organization of the devices. */
export type OrgSums = Map<string, Sums>;

/** Adds up moves of devices between statuses or organizations. */
export function moves(rows: readonly { orgId: string; from: TaskStatus; to: TaskStatus; toOrgId?: string }[]): OrgSums {
  const all: OrgSums = new Map();
  const add = (orgId: string, column: keyof Sums, by: number): void => {
    const sums = all.get(orgId) ?? {};
    all.set(orgId, sums);
    sums[column] = (sums[column] ?? 0) + by;
  };
  for (const { orgId, from, to, toOrgId = orgId } of rows) {
    add(orgId, sumOf[from], -1);
    add(toOrgId, sumOf[to], 1);
    if (orgId === toOrgId) continue;
    add(orgId, 'total', -1);
    add(toOrgId, 'total', 1);
  }
  return all;
}

const changedTask = columns(
  Task,
  'task',
  [
    'id',
    'status',
    'expanded',
    'total',
    'success',
    'fail',
    'timeout',
    'process',
    'wait',
    'companyId',
    'dueAt',
    'endedAt',
    'rollout',
    'stage',
    'pausedFor',
  ],
  {
    isOver: computed<boolean>('coalesce(task.window_ends_at <= now(), false)'),
    mayHold: computed<boolean>(mayHoldSql('task')),
    bringsFile: computed<boolean>('(task.file is not null or task.files is not null)'),
  },
);
const failedPart = columns(TaskOrganization, 'o', ['orgId', 'total'], {
  failed: computed<number>('o.fail + o.timeout'),
});
const unfinishedPart = columns(TaskOrganization, 'o', ['orgId', 'total'], {
  failed: computed<number>('o.total - o.success'),
});

/**
 * Changes the sums of a task's last run in the transaction that changed its devices, so that they always match the
 * rows, and ends the run when all devices are done. The task ends with it, unless it is due again. Locks the task's row
 * before those of its organizations, always. Returns true when the run ended.
 */
export async function addSums(taskId: string, sums: OrgSums): Promise<boolean> {
  const add = (column: keyof Sums): number => [...sums.values()].reduce((sum, one) => sum + (one[column] ?? 0), 0);
  const [task] = await preparedSql().rows(
    changedTask,
    `
      with t as (
        update task
        set total = total + $2, success = success + $3, fail = fail + $4, timeout = timeout + $5,
          cancel = cancel + $6, process = process + $7, wait = wait + $8
        where id = $1
        returning ${changedTask}
      ),
      of as (
        insert into task_organization as o (
          task_id, org_id, company_id, total, success, fail, timeout, cancel, process, wait
        )
        select t.id, x."orgId", t."companyId", coalesce(x.total, 0), coalesce(x.success, 0), coalesce(x.fail, 0),
          coalesce(x.timeout, 0), coalesce(x.cancel, 0), coalesce(x.process, 0), coalesce(x.wait, 0)
        from t,
          jsonb_to_recordset($9::jsonb) as x(
            "orgId" uuid, total int, success int, fail int, timeout int, cancel int, process int, wait int
          )
        order by x."orgId"
        on conflict (task_id, org_id) do update set total = o.total + excluded.total,
          success = o.success + excluded.success, fail = o.fail + excluded.fail,
          timeout = o.timeout + excluded.timeout, cancel = o.cancel + excluded.cancel,
          process = o.process + excluded.process, wait = o.wait + excluded.wait
      )
      select *
      from t
    `,
    [
      taskId,
      add('total'),
      add('success'),
      add('fail'),
      add('timeout'),
      add('cancel'),
      add('process'),
      add('wait'),
      JSON.stringify([...sums].map(([orgId, one]) => ({ orgId, ...one }))),
    ],
  );
  if (!task?.expanded || task.process > 0 || task.wait > 0) return false;
  // It was stopped before, and the last of its devices is done now.
  if (task.endedAt !== null && task.bringsFile) await releaseFiles(task.companyId, taskId);
  if (task.endedAt !== null) return false;
  // The next stage follows, or the task pauses when it has expired.
  const { rollout, isOver } = task;
  if (rollout && task.stage < rollout.stages.length && !isOver) return false;
  if (rollout && holdsAtEnd(rollout, task)) return false;
  const event = endOf(task);
  if (!statesOf(taskStates, event).includes(task.status)) return false;
  const status = next(taskStates, task.status, event);
  await preparedSql().query(
    `
      update task
      set status = $2, ended_at = now(), window_ends_at = null, paused_at = null, paused_for = null
      where id = $1
    `,
    [taskId, task.dueAt === null ? status : next(taskStates, task.status, 'endRun')],
  );
  await closeRun(taskId, status);
  if (task.bringsFile && task.dueAt === null) await releaseFiles(task.companyId, taskId);
  const failed = task.fail + task.timeout;
  if (failed > 0) await notifyFailed(taskId, task, await failedParts(taskId));
  return true;
}

/** Returns the failures of a task's last run, by organization. */
export const failedParts = (taskId: string) =>
  currentSql().rows(
    failedPart,
    `select ${failedPart} from task_organization o where o.task_id = $1 and o.total > 0 order by o.org_id`,
    [taskId],
  );

/** Returns the devices of a task's last run that have not succeeded, by organization. */
export const unfinishedParts = (taskId: string) =>
  currentSql().rows(
    unfinishedPart,
    `select ${unfinishedPart} from task_organization o where o.task_id = $1 and o.total > 0 order by o.org_id`,
    [taskId],
  );

/** Changes the sums of an earlier run, which only move between organizations. */
export async function addEarlierSums(taskId: string, run: number, sums: OrgSums): Promise<void> {
  await currentSql().query(
    `
      with of as (
        insert into task_run_organization as o (
          task_id, run, org_id, company_id, total, success, fail, timeout, cancel, process, wait
        )
        select t.id, $2, x."orgId", t.company_id, coalesce(x.total, 0), coalesce(x.success, 0), coalesce(x.fail, 0),
          coalesce(x.timeout, 0), coalesce(x.cancel, 0), coalesce(x.process, 0), coalesce(x.wait, 0)
        from task t,
          jsonb_to_recordset($3::jsonb) as x(
            "orgId" uuid, total int, success int, fail int, timeout int, cancel int, process int, wait int
          )
        where t.id = $1
        order by x."orgId"
        on conflict (task_id, run, org_id) do update set total = o.total + excluded.total,
          success = o.success + excluded.success, fail = o.fail + excluded.fail,
          timeout = o.timeout + excluded.timeout, cancel = o.cancel + excluded.cancel,
          process = o.process + excluded.process, wait = o.wait + excluded.wait
        returning o.task_id, o.org_id, o.company_id
      )
      insert into task_organization (task_id, org_id, company_id, total, success, fail, timeout, cancel, process, wait)
      select distinct task_id, org_id, company_id, 0, 0, 0, 0, 0, 0, 0
      from of
      on conflict do nothing
    `,
    [taskId, run, JSON.stringify([...sums].map(([orgId, one]) => ({ orgId, ...one })))],
  );
}

interface Part {
  orgId: string;
  failed: number;
  total: number;
}

export const notifyFailed = (taskId: string, task: Owned, parts: readonly Part[]): Promise<void> =>
  notifyViewers(taskId, task, parts, ({ failed, total }) => ({ count: failed, total }));

/** Publishes that a task paused because its window ended before its last stage began. */
export const notifyUnfinished = (taskId: string, task: Owned, parts: readonly Part[]): Promise<void> =>
  notifyViewers(taskId, task, parts, ({ failed, total }) => ({ done: total - failed, total }));

/** Publishes that a task paused because too many changed devices are unhealthy. */
export const notifyUnwell = (taskId: string, task: Owned, parts: readonly Part[]): Promise<void> =>
  notifyViewers(taskId, task, parts, ({ failed, total }) => ({ unwell: failed, total }));

interface Owned {
  companyId: string;
}
const named = columns(Task, 't', ['name', 'naming', 'action', 'params']);

/** Publishes to viewers of the whole task its figures, and to viewers of a part those of the part (TASK-09). */
async function notifyViewers(
  taskId: string,
  { companyId }: Owned,
  parts: readonly Part[],
  valuesOf: (part: Pick<Part, 'failed' | 'total'>) => Record<string, number>,
): Promise<void> {
  const [task] = await currentSql().rows(named, `select ${named} from task t where t.id = $1`, [taskId]);
  const { name } = task!;
  const names = Object.entries(taskNames(task!) ?? {}).map(([language, text]) => [`object_${language}`, text] as const);
  const notify = ({ failed, total }: { failed: number; total: number }, to: { orgId?: string; orgIds?: string[] }) =>
    emitMessage(companyId, {
      type: alarmKinds.taskFailed,
      level: failed === total ? 'high' : 'medium',
      objectId: taskId,
      objectName: name,
      values: { ...valuesOf({ failed, total }), ...Object.fromEntries(names) },
      ...to,
    });
  const sum = (column: 'failed' | 'total'): number => parts.reduce((n, part) => n + part[column], 0);
  const whole = { failed: sum('failed'), total: sum('total') };
  if (parts.length === 1) return notify(whole, { orgId: parts[0]!.orgId });
  const orgIds = parts.map((part) => part.orgId);
  await notify(whole, { orgIds });
  for (const part of parts) if (part.failed > 0) await notify(part, { orgId: part.orgId, orgIds });
}
