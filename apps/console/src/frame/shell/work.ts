import { queryOptions, useQuery } from '@tanstack/react-query';
import { exportsQuery } from '../../area/device/device/device-export.calls.ts';
import { useAccess, useGranted } from '../../kit/session/access.ts';
import { taskListQuery } from '../../area/task/task/task.calls.ts';

const shownTasks = 5;
const mine = { mine: 'true', sort: '-createdAt', limit: shownTasks } as const;

/** Tasks that this person created and that go on, and the last ones, whatever became of them. */
export const runningTasksQuery = queryOptions({
  ...taskListQuery({ ...mine, status: ['wait', 'process', 'downloadSuccess'] }),
  queryKey: ['task', 'running'],
});
export const lastTasksQuery = queryOptions({ ...taskListQuery(mine), queryKey: ['task', 'last'] });

/** How much of what this person started goes on, in whichever of his tabs he did. */
export function useRunning(): number {
  const access = useAccess();
  const tasks = useQuery({ ...runningTasksQuery, enabled: useGranted('/task/list') }).data;
  const exports = useQuery({ ...exportsQuery, enabled: access.can('exportDevice') }).data;
  return (tasks?.total ?? 0) + (exports?.filter((e) => e.status === 'process').length ?? 0);
}
