import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Copy of a task's file; its id is the task's. */
const TaskFileCopySchema = defineEntity({
  name: 'TaskFileCopy',
  tableName: 'task_file_copy',
  indexes: [
    {
      name: 'task_file_copy_object',
      expression: 'create index task_file_copy_object on task_file_copy (object_id) where ended_at is null',
    },
    {
      name: 'task_file_copy_more',
      expression: 'create index task_file_copy_more on task_file_copy using gin (more_ids) where ended_at is null',
    },
    {
      name: 'task_file_copy_check',
      expression: `
        create index task_file_copy_check on task_file_copy (check_due_at) where (check_due_at is not null)
      `,
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    noun: p.string().length(32),
    objectId: p.uuid(),
    /** Further files of a task with several. */
    moreIds: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    stopped: p.boolean(),
    /** The row of an ended task stays as long as its links may exist, which are then expired. */
    endedAt: instant(3).strictNullable(),
    /** When its firmware is to be checked; null: checked, or no firmware. */
    checkDueAt: instant(3).strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
/** SQL: the number of open tasks that use a file. */
export const openTasksSql = (noun: string, id: string): string => `(
  select count(*)::int
  from task_file_copy t
  where t.noun = '${noun}' and t.ended_at is null and (t.object_id = ${id} or t.more_ids @> array[${id}::uuid])
)`;

export class TaskFileCopy extends TaskFileCopySchema.class {}
TaskFileCopySchema.setClass(TaskFileCopy);
