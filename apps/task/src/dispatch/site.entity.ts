import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant } from '@carillon/persistence';

/** A site at which a task with limits by site has devices. */
export const TaskSite = defineEntity({
  name: 'TaskSite',
  tableName: 'task_site',
  properties: {
    taskId: p.uuid().primary(),
    siteId: p.uuid().primary(),
    companyId: p.uuid(),
    /** Start times in the last minute, for a task with a rate by site. */
    told: p.array().columnType('timestamptz[]').defaultRaw(`'{}'`),
  },
  ...tenant(),
});
