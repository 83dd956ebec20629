import { actions } from '@carillon/actions';
import { columns, computed, preparedSql } from '@carillon/persistence';
import { companyFrozenSql } from '../freeze-period/frozen.ts';
import { Task } from '../task/task.entity.ts';
import { bySiteSql } from './due.ts';
import { isDamagedSql } from './damaged.ts';
import { rateOf, takeRate } from './rate.ts';
import { siteRooms, type SiteRoom } from './site.ts';
import { firstId, leaveBehind, takePass, type Pass } from './sync.ts';

const taskRow = columns(Task, 't', ['id', 'runs', 'action', 'total', 'sync'], {
  waiting: computed<number>('w.waiting'),
  isBySite: computed<boolean>(bySiteSql),
  isFrozen: computed<boolean>(`(not t.override_freeze and ${companyFrozenSql})`),
  isDamaged: computed<boolean>(isDamagedSql),
});

/**
 * Where to look for waiting rows: behind a device of one task (null: from the position of the pass over a task with a
 * limit of concurrent devices; from the first device to restart it), or at the oldest task of each given device.
 */
export type Scope = { taskId: string; behind: string | null } | { deviceIds: readonly string[] };

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

/** Returns the unpaused tasks of a scope with the number of devices that wait, oldest first. */
const waitingRows = (scope: Scope, limit: number) =>
  preparedSql().rows(
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

/**
 * Returns the tasks to send for, oldest first, with the number of devices for each: a large one has a rate (TASK-07),
 * and one may limit its concurrent devices (TASK-09). Tasks with a damaged file are returned apart.
 */
export async function waitingTasks(
  companyId: string,
  scope: Scope,
  limit: number,
  perSecond: number,
): Promise<{ tasks: Share[]; damaged: Pick<Share, 'taskId' | 'run'>[] }> {
  const rows = await waitingRows(scope, limit);
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
