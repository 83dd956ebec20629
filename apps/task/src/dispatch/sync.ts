import { columns, computed, nilUuid, preparedSql } from '@carillon/persistence';
import { Task } from '../task/task.entity.ts';
import { TaskSync } from './sync.entity.ts';

/** Lower and higher than any device id. */
export const firstId = nilUuid;
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const passRow = columns(TaskSync, 's', ['walked', 'again']);
const roomRow = columns(Task, 't', [], {
  room: computed<number | null>('case when t.sync > 0 then greatest(t.sync - t.process, 0) end'),
});

/** The locked pass of a task that limits its concurrent devices. */
export interface Pass {
  /** Number of devices that may be started now; null: no limit for the whole task. */
  room: number | null;
  walked: string;
  again: boolean;
}

/**
 * Locks the pass of a task and returns its room: `process` of the task counts commands in flight, and only the holder
 * of this lock raises it. The room is read by a separate statement, because rows read before the lock are outdated.
 */
export async function takePass(companyId: string, taskId: string, restart: boolean): Promise<Pass> {
  const [pass] = await preparedSql().rows(
    passRow,
    `
      insert into task_sync as s (task_id, company_id, walked, walked_at, again)
      values ($1, $2, $3, clock_timestamp(), false)
      on conflict (task_id) do update set walked = case when $4 then excluded.walked else s.walked end,
        again = s.again and not $4
      returning ${passRow}
    `,
    [taskId, companyId, firstId, restart],
  );
  const [row] = await preparedSql().rows(roomRow, `select ${roomRow} from task t where t.id = $1`, [taskId]);
  return { ...pass!, room: row!.room };
}

/** Moves the pass to `last`, or to its end. Returns where it continues; null when nothing is left. */
export async function passOn(taskId: string, { again }: Pass, last: string | null): Promise<string | null> {
  const walked = last ?? (again ? firstId : lastId);
  await preparedSql().query(
    'update task_sync set walked = $2, again = again and $3, walked_at = clock_timestamp() where task_id = $1',
    [taskId, walked, last !== null],
  );
  return walked === lastId ? null : walked;
}

/** Marks that some of these devices found no room, so that a pass beyond them returns. */
export async function leaveBehind(taskId: string, deviceIds: readonly string[]): Promise<void> {
  await preparedSql().query(
    'update task_sync set again = true where task_id = $1 and walked >= any($2::uuid[]) and not again',
    [taskId, deviceIds],
  );
}
