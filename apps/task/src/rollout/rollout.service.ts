import { Injectable } from '@nestjs/common';
import { actions } from '@carillon/actions';
import type { TaskRecord } from '@carillon/contracts';
import { afterCommit, columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, emitLive, fail, found } from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { Task } from '../task/task.entity.ts';
import { sharedBy, taskById } from '../task/task.queries.ts';
import { countedSoFar } from './judge.ts';

const heldTask = columns(Task, 't', ['id', 'action', 'runs', 'total', 'success', 'pausedAt'], {
  ended: computed<number>('t.fail + t.timeout'),
  isOpen: computed<boolean>('(t.runs > 0 and t.ended_at is null)'),
});

/**
 * Pauses and resumes tasks: in a paused one running devices finish and waiting ones wait, until a user resumes or stops
 * it.
 */
@Injectable()
export class RolloutService {
  constructor(private readonly dispatch: DispatchService) {}

  async pause(id: string): Promise<TaskRecord> {
    const task = await this.held(id);
    if (!task.isOpen || task.pausedAt !== null) fail('task.notPausable');
    await currentSql().query(`update task set paused_at = now(), paused_for = 'person' where id = $1`, [id]);
    return this.changed(id);
  }

  /**
   * Resumes a task; earlier failures are not counted again, and a passed window begins again. Requires the permission
   * of its action.
   */
  async resume(id: string): Promise<TaskRecord> {
    const task = await this.held(id);
    const { right } = actions[task.action]!;
    if (!can(right)) fail('common.forbidden', { permission: right });
    if (!task.isOpen || task.pausedAt === null) fail('task.notPaused');
    // Resuming cancels a rollback that has not begun.
    await currentSql().query(
      `
        update task
        set paused_at = null, paused_for = null, rollback_due = false, stage_base = $2,
          window_ends_at = case
            when paused_for = 'window' then now() + make_interval(mins => duration_minutes)
            else window_ends_at
          end
        where id = $1
      `,
      [id, JSON.stringify(await countedSoFar(task))],
    );
    const { companyId } = context();
    afterCommit(() => this.dispatch.sendTask(companyId, id));
    return this.changed(id);
  }

  private async changed(id: string): Promise<TaskRecord> {
    await emitLive(context().companyId, 'task', [id], (await sharedBy(id)).orgIds ?? null);
    return taskById(id);
  }

  /** Locks a task for its creator or a user who sees all of it. */
  private async held(id: string) {
    const task = await taskById(id);
    auditNote({ objectId: id, objectName: task.name, detail: { number: task.number, before: task.status } });
    auditNote(await sharedBy(id));
    if (!task.whole && task.creatorId !== context().userId) fail('task.partlySeen');
    const [row] = await currentSql().rows(heldTask, `select ${heldTask} from task t where t.id = $1 for update`, [id]);
    return found(row);
  }
}
