import { queryOptions, useQuery } from '@tanstack/react-query';
import { filesQuery } from '../../kit/grid/list-file.calls.ts';
import { useGranted } from '../../kit/session/access.ts';
import { taskListQuery } from '../../area/task/task/task.calls.ts';

const shownTasks = 5;
const mine = { mine: 'true', sort: '-createdAt', limit: shownTasks } as const;

/**
 * Tasks that this person created and that go on, and the last ones, whatever became of them. One that waits for its
 * time, or for an approval, does not go on yet.
 */
export const runningTasksQuery = queryOptions({
  ...taskListQuery({ ...mine, status: ['process', 'downloadSuccess'] }),
  queryKey: ['task', 'running'],
});
export const lastTasksQuery = queryOptions({ ...taskListQuery(mine), queryKey: ['task', 'last'] });

/** How much of what this person started goes on, in whichever of his tabs he did. */
export function useRunning(): number {
  const tasks = useQuery({ ...runningTasksQuery, enabled: useGranted('/task/list') }).data;
  const files = useQuery(filesQuery).data;
  return (tasks?.total ?? 0) + (files?.filter((e) => e.status === 'process').length ?? 0);
}
