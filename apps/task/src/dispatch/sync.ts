import { columns, computed, currentSql } from '@carillon/persistence';
import { Task } from '../task/task.entity.ts';
import { TaskSync } from './sync.entity.ts';

/** Lower than any device, and higher. */
export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const passRow = columns(TaskSync, 's', ['walked', 'again']);
const roomRow = columns(Task, 't', [], {
  room: computed<number | null>('case when t.sync > 0 then greatest(t.sync - t.process, 0) end'),
});

/** A task that runs on so many devices at once, held for this transaction. */
export interface Pass {
  /** Devices that may be told now; null: no number limits the whole task. */
  room: number | null;
  walked: string;
  again: boolean;
}

/**
 * Locks the pass of a task and says how much room there is: `process` of the task counts what is in flight, and only
 * who holds this lock lets it rise. The room is read by a statement of its own, because what was there before the lock
 * is too old.
 */
export async function takePass(companyId: string, taskId: string, restart: boolean): Promise<Pass> {
  const [pass] = await currentSql().rows(
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
  const [row] = await currentSql().rows(roomRow, `select ${roomRow} from task t where t.id = $1`, [taskId]);
  return { ...pass!, room: row!.room };
}

/** The pass is as far as `last`, or at its end. Returns where it goes on: null when there is nothing left to look at. */
export async function passOn(taskId: string, { again }: Pass, last: string | null): Promise<string | null> {
  const walked = last ?? (again ? firstId : lastId);
  await currentSql().query(
    'update task_sync set walked = $2, again = again and $3, walked_at = clock_timestamp() where task_id = $1',
    [taskId, walked, last !== null],
  );
  return walked === lastId ? null : walked;
}

/** Some of these devices found no room: a pass that is beyond them comes back for them. */
export async function leaveBehind(taskId: string, deviceIds: readonly string[]): Promise<void> {
  await currentSql().query(
    'update task_sync set again = true where task_id = $1 and walked >= any($2::uuid[]) and not again',
    [taskId, deviceIds],
  );
}
