import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { actions } from '@carillon/actions';
import type { PermissionKey } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import {
  columns,
  companySession,
  computed,
  currentSql,
  Database,
  transaction,
  type RowOf,
} from '@carillon/persistence';
import { CONFIG, emitAudit, Failure, WorkLoop } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import type { taskConfig } from '../config.ts';
import { Task } from '../task/task.entity.ts';
import { RollbackService } from './rollback.service.ts';

const log = createLogger('task');
/** Tasks that are rolled back in parallel. */
const atOnce = 4;

const due = columns(Task, 't', ['id', 'companyId']);
const held = columns(Task, 't', ['id', 'name', 'number', 'action', 'access'], {
  permissions: computed<PermissionKey[] | null>(`
    (select u.permissions from creator_copy u where u.id = t.creator_id and u.active)
  `),
});

type Paused = Pick<RowOf<typeof held>, 'id' | 'name' | 'number'>;

/**
 * Rolls back the devices of a firmware task that paused by itself, if its order says so (decisions of the fleet, 15):
 * when none of its devices is active any more, and with the permissions of its creator.
 */
@Injectable()
export class RollbackLoop extends WorkLoop<{ id: string; companyId: string }> {
  constructor(
    database: Database,
    @Inject(CONFIG) config: z.output<typeof taskConfig>,
    private readonly rollbacks: RollbackService,
  ) {
    super(database, {
      reason: 'tasks that paused by themselves and go back, of all companies',
      tickMs: config.taskTickMs,
      atOnce,
    });
  }

  protected override claim(): Promise<{ id: string; companyId: string }[]> {
    return currentSql().rows(
      due,
      `select ${due} from task t where t.rollback_due and t.process = 0 order by t.id limit ${atOnce}`,
    );
  }

  /** The new tasks are stored together with the mark that they have begun. */
  protected override perform({ id, companyId }: { id: string; companyId: string }): Promise<void> {
    return transaction(this.database, companySession(companyId), async () => {
      const [task] = await currentSql().rows(
        held,
        `select ${held} from task t where t.id = $1 and t.rollback_due for update skip locked`,
        [id],
      );
      if (!task) return;
      await currentSql().query('update task set rollback_due = false where id = $1', [id]);
      const permissions = task.permissions ?? [];
      const { right } = actions[task.action]!;
      const may = permissions.includes('addTask') && permissions.includes(right);
      await runAs({ ...systemContext(companyId), ...task.access, permissions }, () =>
        may ? this.goBack(task) : this.logRollback(task, 'common.forbidden'),
      );
    });
  }

  private async goBack(task: Paused): Promise<void> {
    try {
      const { tasks, left } = await this.rollbacks.rollback(task.id, 'all', true);
      await this.logRollback(task, 'success');
      log.info({ point: 'rollback', taskId: task.id, tasks: tasks.length, left }, 'what a task changed goes back');
    } catch (error) {
      // A refusal is final and must not block later tasks: it is logged and not retried.
      if (!(error instanceof Failure)) throw error;
      await this.logRollback(task, error.key);
    }
  }

  /** Writes the result and reason to the operation log. */
  private async logRollback({ id, name, number }: Paused, result: string): Promise<void> {
    await emitAudit('task.rollback', result, {
      objectId: id,
      objectName: name,
      detail: { number, only: 'all', byItself: true },
    });
    if (result !== 'success') log.warn({ taskId: id, result }, 'devices do not go back by themselves');
  }
}
