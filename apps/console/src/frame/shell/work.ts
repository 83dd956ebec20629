import { queryOptions, useQuery } from '@tanstack/react-query';
import { filesQuery } from '../../kit/grid/list-file.calls.ts';
import { useGranted } from '../../kit/api/access.ts';
import { taskListQuery } from '../../area/task/task/task.calls.ts';

const shownTasks = 5;
const mine = { mine: 'true', sort: '-createdAt', limit: shownTasks } as const;

/**
 * The user's running tasks, and the last ones with any result. A task that waits for its time or for approval is not
 * running.
 */
export const runningTasksQuery = queryOptions({
  ...taskListQuery({ ...mine, status: ['process', 'downloadSuccess'] }),
  queryKey: ['task', 'running'],
});
export const lastTasksQuery = queryOptions({ ...taskListQuery(mine), queryKey: ['task', 'last'] });

/** Returns how much of the user's work is running, started in any tab. */
export function useRunning(): number {
  const tasks = useQuery({ ...runningTasksQuery, enabled: useGranted('/task/list') }).data;
  const files = useQuery(filesQuery).data;
  return (tasks?.total ?? 0) + (files?.filter((e) => e.status === 'process').length ?? 0);
}
