import type { pauseReasons, TaskHealthGate, TaskRollout } from '@carillon/contracts';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { stageWaits } from '../approval/approval.ts';
import { epochOf, mayHoldSql } from '../dispatch/due.ts';
import { beginWatch, healthOf, worseFacts } from './health.ts';
import { holdsAtEnd, noBase, type StageBase } from './stage.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { organizationsOf } from '../task/task.queries.ts';
import {
  addSums,
  failedParts,
  notifyFailed,
  notifyUnfinished,
  notifyUnwell,
  unfinishedParts,
} from '../task/task.sums.ts';

const openTask = columns(
  Task,
  't',
  [
    'id',
    'companyId',
    'runs',
    'rollout',
    'stage',
    'stageBase',
    'pausedAt',
    'pausedFor',
    'total',
    'success',
    'health',
    'nextStageAt',
  ],
  {
    isEarly: computed<boolean>('coalesce(t.next_stage_at > now(), false)'),
    isWatched: computed<boolean>(`coalesce((t.health ->> 'endsAt')::timestamptz > now(), false)`),
    process: computed<number>('t.process'),
    wait: computed<number>('t.wait'),
    ended: computed<number>('t.fail + t.timeout'),
    isOver: computed<boolean>('coalesce(t.window_ends_at <= now(), false)'),
    mayHold: computed<boolean>(mayHoldSql('t')),
  },
);
const failedDevice = columns(TaskDevice, 'td', [], { n: computed<number>('count(*)::int') });

/** Returns what a rollout has counted so far. */
export async function countedSoFar(task: {
  id: string;
  runs: number;
  total: number;
  success: number;
  ended: number;
}): Promise<StageBase> {
  const [row] = await currentSql().rows(
    failedDevice,
    `
      select ${failedDevice}
      from task_device td
      where td.task_id = $1 and td.run = $2 and td.status in ('fail', 'timeout') and td.sent_at is not null
    `,
    [task.id, task.runs],
  );
  const failed = row!.n;
  return { total: task.total, success: task.success, failed, untold: task.ended - failed };
}

/**
 * Checks a company's rollouts: pauses those whose stage failed too often, and begins the next stage of those whose
 * stage has ended (TASK-08), after approval if needed. Offline devices are not waited for: they join the active stage
 * when they come back. Returns the tasks whose next stage begins.
 */
export async function judgeRollouts(companyId: string): Promise<string[]> {
  const tasks = await currentSql().rows(
    openTask,
    `
      select ${openTask}
      from task t
      where t.rollout is not null
        and t.ended_at is null
        and t.runs > 0
        and t.expanded
        and (t.paused_at is null or (t.window_ends_at <= now() and t.paused_for <> 'window'))
      order by t.id
      for update skip locked
    `,
  );
  const begun: string[] = [];
  const changed: string[] = [];
  for (const { rollout, stageBase, ...task } of tasks) {
    if (!rollout) continue;
    const base = stageBase ?? noBase;
    const now = await countedSoFar(task);
    const isResumed = base.success + base.failed > 0;
    const verdict = verdictOf(
      rollout,
      { ...task, isResumed },
      {
        total: now.total - base.total,
        success: now.success - base.success,
        failed: now.failed - base.failed,
        untold: now.untold - base.untold,
      },
    );
    if (verdict === 'goOn') continue;
    if (verdict === 'look' && task.wait > 0 && (await isSomeOnline(task))) continue;
    if (verdict === 'pause' || verdict === 'pauseShort') {
      await pause(task.id, verdict === 'pause' ? 'failures' : 'successes', rollout.rollback ?? false);
      // A failed stage is the result when the window has ended.
      if (!(task.isOver && (await addSums(task.id, new Map()))))
        await notifyFailed(task.id, task, await failedParts(task.id));
    } else if (task.isOver && holdsAtEnd(rollout, task)) {
      await pause(task.id, 'window', false);
      await notifyUnfinished(task.id, task, await unfinishedParts(task.id));
    } else if (!task.isOver && rollout.health && task.success > 0) {
      const gate = await passGate(task, rollout, rollout.health, now);
      if (gate === 'watch' || gate === 'waits') continue;
      if (gate === 'open') begun.push(task.id);
    } else if (task.isOver) {
      // The devices of later stages were not reached.
      await addSums(task.id, new Map());
    } else {
      const wait = await waitForNext(task, rollout);
      if (wait === 'waits') continue;
      if (wait === 'over') {
        if (await stageWaits(companyId, task.id)) continue;
        await beginStage(task.id, now);
        begun.push(task.id);
      }
    }
    changed.push(task.id);
  }
  await emitLive(companyId, 'task', changed, await organizationsOf(changed));
  return begun;
}

const pause = (taskId: string, reason: (typeof pauseReasons)[number], rollback: boolean) =>
  currentSql().query('update task set paused_at = now(), paused_for = $2, rollback_due = $3 where id = $1', [
    taskId,
    reason,
    rollback,
  ]);

async function beginStage(taskId: string, base: StageBase): Promise<void> {
  await currentSql().query(
    'update task set stage = stage + 1, stage_base = $2, expanded = false, expanded_to = null, next_stage_at = null where id = $1',
    [taskId, JSON.stringify(base)],
  );
}

/**
 * Sets when the next stage may begin, when a stage has just passed. Returns whether the wait began, lasts or is over.
 */
async function waitForNext(
  { id, nextStageAt, isEarly }: Pick<RowOf<typeof openTask>, 'id' | 'nextStageAt' | 'isEarly'>,
  { waitMinutes }: TaskRollout,
): Promise<'begun' | 'waits' | 'over'> {
  if (waitMinutes === undefined) return 'over';
  if (nextStageAt !== null) return isEarly ? 'waits' : 'over';
  await currentSql().query('update task set next_stage_at = now() + make_interval(mins => $2) where id = $1', [
    id,
    waitMinutes,
  ]);
  return 'begun';
}

/**
 * Passes the gate behind an ended stage: its devices are watched for a while, and the next stage begins unless they
 * fare worse than the rest. Resuming the task also opens the gate.
 */
async function passGate(
  task: Omit<RowOf<typeof openTask>, 'rollout' | 'stageBase'>,
  rollout: TaskRollout,
  gate: TaskHealthGate,
  base: StageBase,
): Promise<'watch' | 'begun' | 'shut' | 'waits' | 'open'> {
  const { id, companyId, health, stage } = task;
  const wait = await waitForNext(task, rollout);
  if (health?.stage !== stage) {
    await beginWatch(id, stage, gate, health?.endsAt ?? null);
    return 'begun';
  }
  if (health.found === null) {
    if (task.isWatched) return 'watch';
    const { changed, rest, unwell } = await healthOf(id, health);
    const worse = worseFacts(gate, changed, rest);
    await currentSql().query(`update task set health = jsonb_set(health, '{found}', $2::jsonb) where id = $1`, [
      id,
      JSON.stringify({ changed, rest, worse }),
    ]);
    if (worse.length > 0) {
      await pause(id, 'health', rollout.rollback ?? false);
      await notifyUnwell(id, task, unwell);
      return 'shut';
    }
  }
  if (wait !== 'over' || (await stageWaits(companyId, id))) return 'waits';
  await beginStage(id, base);
  return 'open';
}

/**
 * Judges a stage by its counts. The failure share is relative to the stage's devices that were started; while some run,
 * to all that can be started, so that one early failure does not stop a large stage. `pauseShort`: too few devices
 * succeeded for the next stage, or none was reached.
 */
function verdictOf(
  { stages, pauseAt, successAt = 0 }: TaskRollout,
  task: {
    stage: number;
    process: number;
    wait: number;
    pausedAt: string | null;
    isOver: boolean;
    /** Whether its stage had results before it was resumed. */
    isResumed: boolean;
  },
  { total, success, failed, untold }: StageBase,
): 'goOn' | 'look' | 'pause' | 'pauseShort' {
  const exceeds = (total: number) => failed > 0 && failed * 100 >= pauseAt * total;
  const isShort =
    success * 100 < successAt * (success + failed) || (successAt > 0 && total > 0 && success + failed === 0);
  const isLast = task.stage === stages.length;
  if (task.process === 0 && task.wait === 0 && task.isOver) {
    if (isLast) return 'goOn';
    return task.pausedAt === null && exceeds(success + failed) ? 'pause' : 'look';
  }
  if (task.pausedAt !== null) return 'goOn';
  const isRest = task.wait > 0 || !isLast;
  if (isRest && exceeds(total - untold)) return 'pause';
  if (task.process > 0) return 'goOn';
  // A stage has no result while all its devices are offline; a resumed one has no new ones, but had results.
  if (task.wait > 0 && success + failed === 0 && (total > 0 || !task.isResumed)) return 'goOn';
  if (isRest && exceeds(success + failed)) return 'pause';
  // An offline device that comes back may still succeed.
  if (!isLast && isShort) return task.wait > 0 ? 'goOn' : 'pauseShort';
  return isLast ? 'goOn' : 'look';
}

async function isSomeOnline({ id, runs }: { id: string; runs: number }): Promise<boolean> {
  const {
    rows: [row],
  } = await currentSql().query<{ online: boolean }>(
    `
      select exists (
        select 1
        from task_device td
        where td.task_id = $1
          and td.run = $2
          and td.status = 'wait'
          and td.expires_at > now()
          and ${epochOf('td.device_id')} is not null
      ) as online
    `,
    [id, runs],
  );
  return row!.online;
}
