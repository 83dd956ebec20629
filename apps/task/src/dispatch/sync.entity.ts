import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant } from '@carillon/persistence';

/**
 * Position of the pass over a task that limits its concurrent devices (TASK-09). Every sender for the task locks this
 * row, so that all processes together never exceed the limit.
 */
export const TaskSync = defineEntity({
  name: 'TaskSync',
  tableName: 'task_sync',
  properties: {
    taskId: p.uuid().primary(),
    companyId: p.uuid(),
    /** The device behind which the pass continues when there is room, and when it last continued. */
    walked: p.uuid(),
    walkedAt: instant(),
    /** A device behind the position found no room since: the pass must run once more. */
    again: p.boolean(),
  },
  ...tenant(),
});
