import { queryOptions } from '@tanstack/react-query';
import type { addTaskTemplate as Add, RouteCall, TaskTemplateRecord } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const list = remote('listTaskTemplates', 'GET /api/f/task/template/list');
export const addTaskTemplate = remote('addTaskTemplate', 'POST /api/f/task/template');
export const renameTaskTemplate = remote('renameTaskTemplate', 'PUT /api/f/task/template/{id}');
export const deleteTaskTemplate = remote('deleteTaskTemplate', 'DELETE /api/f/task/template/{id}');
export const restoreTaskTemplates = remote('restoreTaskTemplates', 'POST /api/f/task/template/restore');

export type { TaskTemplateRecord };
/** The content of a template, except its name. */
export type TemplateOrder = Omit<NonNullable<RouteCall<typeof Add>['body']>, 'name'>;

export const taskTemplatesQuery = queryOptions({
  queryKey: ['taskTemplate'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
});
