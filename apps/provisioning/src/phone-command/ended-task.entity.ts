import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A task that was stopped or has ended: its commands may come after this was told. It is kept for a day. */
export const EndedTask = defineEntity({
  name: 'EndedTask',
  tableName: 'ended_task',
  indexes: [
    {
      name: 'ended_task_task',
      expression: 'create unique index ended_task_task on ended_task (company_id, task_id)',
    },
    { name: 'ended_task_end', expression: 'create index ended_task_end on ended_task (ended_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    taskId: p.uuid(),
    /** By the clock of the task service's database, as the times of commands. A task may run again after it. */
    endedAt: instant(3),
  },
});
