import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ApprovalState, listTasks as Tasks, RouteCall, TaskRecord, TaskStatus } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listTasks = remote('listTasks', 'GET /api/f/task/task/list');

export type TaskQuery = NonNullable<RouteCall<typeof Tasks>['query']>;

export const taskStatuses = [
  'wait',
  'process',
  'downloadSuccess',
  'success',
  'fail',
  'timeout',
  'operated',
  'cancel',
  'stop',
  'finished',
] as const satisfies readonly TaskStatus[];
export const taskTypes = ['now', 'timer', 'cycle'] as const satisfies readonly TaskRecord['type'][];
export const approvalStates = ['asked', 'approved', 'refused'] as const satisfies readonly ApprovalState[];
export const taskListQuery = (query: TaskQuery) =>
  queryOptions({
    queryKey: ['task', 'list', query],
    queryFn: ({ signal }) => call(listTasks, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
/** The number of tasks that wait for an answer: a list like the others, so that live events refetch it. */
export const askedTasksQuery = () => taskListQuery({ approval: ['asked'], limit: 1 });
