import type { TaskStatus } from '@carillon/contracts';
import { columns, computed, preparedSql, type RowOf } from '@carillon/persistence';
import { publishEnded } from '../task/task-device.publisher.ts';
import { TaskDevice } from '../task/task.entity.ts';
import { epochOf } from './due.ts';

/** The code of a device that was offline for a momentary command. */
export const offline = 'offline';

const failedRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'orgId'], {
  from: computed<TaskStatus>(`'wait'`),
  to: computed<TaskStatus>('td.status'),
});

/**
 * Fails waiting rows of momentary tasks whose devices went offline since the start, because nothing is kept for them.
 */
export async function failOffline(
  tasks: readonly { taskId: string; run: number }[],
): Promise<RowOf<typeof failedRow>[]> {
  if (tasks.length === 0) return [];
  const failed = await preparedSql().rows(
    failedRow,
    `
      with gone as (
        select w.ctid as at
        from jsonb_to_recordset($1::jsonb) as g("taskId" uuid, run int)
        join task_device w on w.task_id = g."taskId" and w.run = g.run
        where w.status = 'wait' and ${epochOf('w.device_id')} is null
        for update of w skip locked
      )
      update task_device td
      set status = 'fail', code = '${offline}', ended_at = now(), updated_at = now()
      from gone
      where td.ctid = gone.at
      returning ${failedRow}
    `,
    [JSON.stringify(tasks)],
  );
  await publishEnded(failed);
  return failed;
}
