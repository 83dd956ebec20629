import { defineEntity, p } from '@mikro-orm/postgresql';
import type { addTaskTemplate, RouteInput } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A stored order for later use. It belongs to the whole company. */
const TaskTemplateSchema = defineEntity({
  name: 'TaskTemplate',
  tableName: 'task_template',
  indexes: [
    {
      name: 'task_template_name',
      expression: 'create unique index task_template_name on task_template (company_id, lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    order: p.json<Omit<RouteInput<typeof addTaskTemplate>['body'], 'name'>>(),
    creatorId: p.uuid(),
    creatorName: p.string().length(128),
    updatedAt: changedInstant(3),
  },
});
export class TaskTemplate extends TaskTemplateSchema.class {}
TaskTemplateSchema.setClass(TaskTemplate);
