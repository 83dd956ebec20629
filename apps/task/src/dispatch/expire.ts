import type { TaskStatus } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { addSums, moves } from '../task/task.sums.ts';
import { statesOf, taskDeviceStates } from '../task/task.states.ts';

/** As literals, for the partial indexes of these states. */
const open = statesOf(taskDeviceStates, 'expire').map((status) => `'${status}'`).join(', ');

/** Ends what had its time: past its expiry, or unanswered by a device that is connected. An offline device's clock stands still until the expiry. */
export async function expireCommands(): Promise<{ taskIds: string[]; deviceIds: string[] }> {
  const { rows } = await currentSql().query<{ task_id: string; device_id: string; was: TaskStatus }>(`
    with due as (
      select td.task_id, td.device_id, td.status as was, td.accepted_at, td.expires_at < now() as expired from task_device td left join link_session s on s.device_id = td.device_id
      where td.status in (${open}) and (td.expires_at < now() or (td.deadline_at < now() and s.online and s.epoch = td.sent_epoch)) limit 5000 for update of td)
    update task_device td set status = 'timeout', ended_at = now(), updated_at = now(), deadline_at = null,
      code = case when due.expired then 'expired' when due.accepted_at is null then 'noAnswer' else 'notDone' end
    from due where td.task_id = due.task_id and td.device_id = due.device_id returning td.task_id, td.device_id, due.was`);
  const tasks = [...Map.groupBy(rows, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) await addSums(taskId, moves(of.map((r) => ({ from: r.was, to: 'timeout' }))));
  return { taskIds: tasks.map(([id]) => id), deviceIds: rows.map((r) => r.device_id) };
}
