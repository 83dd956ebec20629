import { exportCalls, exportOf } from '../define/export.ts';
import { listTasks } from './task.routes.ts';

export const taskExport = exportOf(
  listTasks,
  { what: 'tasks' },
  {
    status: 'word',
    number: 'number',
    name: 'text',
    action: 'word',
    type: 'word',
    progress: ['text', ({ counts: c }) => `${c.total - c.wait - c.process}/${c.total}`],
    creatorName: 'text',
    createdAt: 'moment',
    endedAt: 'moment',
    /** In seconds. */
    time: [
      'number',
      (t) =>
        t.endedAt === null || t.startedAt === null
          ? null
          : Math.round((Date.parse(t.endedAt) - Date.parse(t.startedAt)) / 1_000),
    ],
  },
);
export const addTaskExport = taskExport.add;

export const taskExports = exportCalls('task');
export const {
  list: listTaskExports,
  get: getTaskExport,
  file: getTaskExportFile,
  remove: deleteTaskExport,
} = taskExports;
