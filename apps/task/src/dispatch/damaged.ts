import type { TaskStatus } from '@carillon/contracts';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { fileSql } from '../file/file.ts';
import { publishEnded } from '../task/task-device.publisher.ts';
import { TaskDevice } from '../task/task.entity.ts';

/** Rows that one statement fails; the next one continues. */
export const mostDamaged = 5_000;

/** SQL: whether the store has found that the file of a task `t` is not what was uploaded. */
export const isDamagedSql = `coalesce((${fileSql('null::uuid')} ->> 'damaged')::boolean, false)`;

const failedRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'orgId'], {
  from: computed<TaskStatus>(`'wait'`),
  to: computed<TaskStatus>('td.status'),
});

/** Fails waiting rows of tasks whose file is damaged, at most {@link mostDamaged}: no device may get it. */
export async function failDamaged(
  tasks: readonly { taskId: string; run: number }[],
): Promise<RowOf<typeof failedRow>[]> {
  if (tasks.length === 0) return [];
  const failed = await currentSql().rows(
    failedRow,
    `
      with waiting as (
        select w.ctid as at
        from jsonb_to_recordset($1::jsonb) as g("taskId" uuid, run int)
        join task_device w on w.task_id = g."taskId" and w.run = g.run
        where w.status = 'wait'
        limit ${mostDamaged}
        for update of w skip locked
      )
      update task_device td
      set status = 'fail', code = 'damaged', not_before = null, ended_at = now(), updated_at = now()
      from waiting
      where td.ctid = waiting.at
      returning ${failedRow}
    `,
    [JSON.stringify(tasks)],
  );
  await publishEnded(failed);
  return failed;
}
