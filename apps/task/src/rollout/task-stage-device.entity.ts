import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant } from '@carillon/persistence';

/**
 * A device of a run in stages by tags, with the stage of the tag that it had when the run began; devices without a
 * listed tag have no row.
 */
export const TaskStageDevice = defineEntity({
  name: 'TaskStageDevice',
  tableName: 'task_stage_device',
  properties: {
    taskId: p.uuid().primary(),
    run: p.integer().primary(),
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    /** Starting with 1. */
    stage: p.integer(),
  },
  ...tenant(),
});
