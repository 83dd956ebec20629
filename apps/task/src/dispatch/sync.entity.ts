import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant } from '@carillon/persistence';

/**
 * How far the pass over a task is that runs on so many devices at once (TASK-09). Whoever sends for the task locks it:
 * so all processes together never exceed the number.
 */
export const TaskSync = defineEntity({
  name: 'TaskSync',
  tableName: 'task_sync',
  properties: {
    taskId: p.uuid().primary(),
    companyId: p.uuid(),
    /** The device behind which the pass goes on when there is room, and when it last went on. */
    walked: p.uuid(),
    walkedAt: instant(),
    /** A device that it had passed found no room since: it is walked once more. */
    again: p.boolean(),
  },
  ...tenant(),
});
