import { taskNames } from '@carillon/actions';
import { taskDevice } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, iso } from '@carillon/persistence';
import { Task, TaskDevice } from './task.entity.ts';

/** Devices of one event, so that no message is too long. */
const most = 500;

const endedRow = columns(
  TaskDevice,
  'td',
  ['companyId', 'orgId', 'deviceId', 'taskId', 'run', 'mac', 'status', 'code'],
  { at: computed<string>('td.ended_at', iso) },
);
const named = columns(Task, 't', ['id', 'name', 'naming', 'action', 'params']);

/**
 * Publishes the results of devices that the running transaction has ended, for their history. Devices that are still
 * open, and those that ended before, are left out.
 */
export async function publishEnded(changed: readonly { taskId: string; deviceId: string }[]): Promise<void> {
  if (changed.length === 0) return;
  const rows = await currentSql().rows(
    endedRow,
    `
      select ${endedRow}
      from unnest($1::uuid[], $2::uuid[]) as c(task_id, device_id)
      join task_device td on td.task_id = c.task_id and td.device_id = c.device_id
      where td.ended_at = now()
    `,
    [changed.map((row) => row.taskId), changed.map((row) => row.deviceId)],
  );
  if (rows.length === 0) return;
  const tasks = await currentSql().rows(named, `select ${named} from task t where t.id = any ($1::uuid[])`, [
    [...new Set(rows.map((row) => row.taskId))],
  ]);
  const byTask = new Map(tasks.map((task) => [task.id, task]));
  const events = [...Map.groupBy(rows, (row) => `${row.taskId} ${row.run}`).values()].flatMap((all) => {
    const { taskId, run, companyId } = all[0]!;
    const task = byTask.get(taskId)!;
    const { name, action } = task;
    const names = taskNames(task);
    return Array.from({ length: Math.ceil(all.length / most) }, (_, n) => ({
      key: taskId,
      companyId,
      data: {
        ...{ taskId, run, name, action, ...(names && { names }) },
        devices: all
          .slice(n * most, (n + 1) * most)
          .map(({ deviceId, orgId, mac, status, code, at }) => ({ deviceId, orgId, mac, status, code, at })),
      },
    }));
  });
  await emitMany(taskDevice, 'ended', events);
}
