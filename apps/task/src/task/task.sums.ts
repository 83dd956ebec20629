import { currentSql } from '@carillon/persistence';
import { alarmKinds, type TaskStatus } from '@carillon/contracts';
import { emitMessage } from '@carillon/service';
import { endOf, next, statesOf, taskStates } from './task.states.ts';

export type Sums = Partial<Record<'total' | 'success' | 'fail' | 'timeout' | 'cancel' | 'process' | 'wait', number>>;

/** Column of the sums that a device's status is counted under. */
export const sumOf = { wait: 'wait', process: 'process', downloadSuccess: 'process', success: 'success', operated: 'success', fail: 'fail', timeout: 'timeout', cancel: 'cancel', stop: 'cancel', finished: 'success' } as const satisfies Record<TaskStatus, keyof Sums>;

/** Adds up moves of devices from one status to another. */
export function moves(rows: readonly { from: TaskStatus; to: TaskStatus }[]): Sums {
  const sums: Sums = {};
  for (const { from, to } of rows) {
    sums[sumOf[from]] = (sums[sumOf[from]] ?? 0) - 1;
    sums[sumOf[to]] = (sums[sumOf[to]] ?? 0) + 1;
  }
  return sums;
}

/**
 * Changes the sums of a task in the transaction that changed its devices, and ends it when all of them are done: so the
 * sums always add up to the rows. Returns true when it ended.
 */
export async function addSums(taskId: string, sums: Sums): Promise<boolean> {
  const add = (column: keyof Sums): number => sums[column] ?? 0;
  const { rows } = await currentSql().query<{ status: TaskStatus; expanded: boolean; total: number; success: number; fail: number; timeout: number; process: number; wait: number; companyId: string; name: string }>(`
    update task set total = total + $2, success = success + $3, fail = fail + $4, timeout = timeout + $5, cancel = cancel + $6, process = process + $7, wait = wait + $8
    where id = $1 returning status, expanded, total, success, fail, timeout, process, wait, company_id as "companyId", name`,
    [taskId, add('total'), add('success'), add('fail'), add('timeout'), add('cancel'), add('process'), add('wait')]);
  const task = rows[0];
  if (!task?.expanded || task.process > 0 || task.wait > 0) return false;
  const event = endOf(task);
  if (!statesOf(taskStates, event).includes(task.status)) return false;
  await currentSql().query('update task set status = $2, ended_at = now() where id = $1', [taskId, next(taskStates, task.status, event)]);
  const failed = task.fail + task.timeout;
  if (failed > 0) await emitMessage(task.companyId, { type: alarmKinds.taskFailed, level: failed === task.total ? 'high' : 'medium', objectId: taskId, objectName: task.name, values: { count: failed, total: task.total } });
  return true;
}
