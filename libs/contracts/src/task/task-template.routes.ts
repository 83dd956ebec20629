import { z } from 'zod';
import { taskNameLength } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { deviceTarget, storedTarget } from '../device/device.schemas.ts';
import { taskTiming } from './task-timing.schemas.ts';

const name = z.string().trim().min(1).max(taskNameLength);
/** An order without a name. Its times may be past when it is used, so they are asked for again. */
const order = {
  action: z.string().max(64),
  params: z.record(z.string(), z.unknown()),
  /** Null: chosen when the template is used. Readers see only those of the named devices that they may see. */
  target: deviceTarget.nullable(),
  ...taskTiming,
};
export const taskTemplateRecord = z
  .object({
    id,
    name: z.string(),
    ...order,
    target: storedTarget.nullable(),
    creatorName: z.string(),
    updatedAt: z.string(),
    own: z.boolean(),
  })
  .meta({ id: 'TaskTemplate' });
export type TaskTemplateRecord = z.output<typeof taskTemplateRecord>;

/** Lists all templates of the company whose action the caller may order. */
export const listTaskTemplates = route({
  method: 'GET',
  path: '/api/f/task/template/list',
  summary: 'Templates of tasks',
  permission: 'addTask',
  audit: 'none',
  response: z.object({ records: z.array(taskTemplateRecord) }),
  errors: [],
});

/** Stores an order for later use. Nothing runs. */
export const addTaskTemplate = route({
  method: 'POST',
  path: '/api/f/task/template',
  summary: 'Save a task as a template',
  permission: 'addTask',
  audit: 'taskTemplate.add',
  bodyLimit: 1_048_576,
  body: z.strictObject({ name, ...order }),
  response: taskTemplateRecord,
  errors: [
    'task.templateNameTaken',
    'task.tooManyTemplates',
    'device.pushTargetMissing',
    'task.paramsInvalid',
    'task.stages',
    'task.versionRange',
    'task.weekdayMissing',
  ],
});

export const renameTaskTemplate = route({
  method: 'PUT',
  path: '/api/f/task/template/{id}',
  summary: 'Rename a template',
  permission: 'addTask',
  audit: 'taskTemplate.edit',
  params: z.object({ id }),
  body: z.strictObject({ name }),
  response: taskTemplateRecord,
  errors: ['task.templateNameTaken', 'task.templateOfOther'],
});

export const deleteTaskTemplate = route({
  method: 'DELETE',
  path: '/api/f/task/template/{id}',
  summary: 'Delete a template',
  permission: 'addTask',
  audit: 'taskTemplate.delete',
  params: z.object({ id }),
  response: z.null(),
  errors: ['task.templateOfOther'],
});

export const restoreTaskTemplates = route({
  method: 'POST',
  path: '/api/f/task/template/restore',
  summary: 'Take back a deletion of templates',
  permission: 'addTask',
  audit: 'taskTemplate.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'task.templateNameTaken', 'task.tooManyTemplates'],
});
