import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  listTaskDevices as TaskDevices,
  listTasks as Tasks,
  RouteCall,
  TaskDeviceRecord,
  TaskRecord,
  TaskStatus,
} from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

export const listTasks = remote('listTasks', 'GET /api/f/task/task/list');
const one = remote('getTask', 'GET /api/f/task/task/{id}');
const devices = remote('listTaskDevices', 'GET /api/f/task/task/{id}/device/list');
const ofDevice = remote('listDeviceTasks', 'GET /api/f/task/device/{id}/list');
export const stopTask = remote('stopTask', 'POST /api/f/task/task/{id}/stop');
export const cancelTask = remote('cancelTask', 'POST /api/f/task/task/{id}/cancel');

export type TaskQuery = NonNullable<RouteCall<typeof Tasks>['query']>;
type TaskDeviceQuery = NonNullable<RouteCall<typeof TaskDevices>['query']>;

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
/** States from which nothing goes on. */
export const isOver = (s: TaskStatus) => !['wait', 'process', 'downloadSuccess'].includes(s);

/** Why a device ended so: in words, or the code for which nobody has words. */
export const reasonOf = ({ message, code }: TaskDeviceRecord): string | undefined => message ?? code ?? undefined;

export const taskListQuery = (query: TaskQuery) =>
  queryOptions({
    queryKey: ['task', 'list', query],
    queryFn: ({ signal }) => call(listTasks, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const taskQuery = (id: string) =>
  queryOptions({ queryKey: ['task', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });
export const taskDevicesQuery = (id: string, query: TaskDeviceQuery) =>
  queryOptions({
    queryKey: ['taskDevice', id, query],
    queryFn: ({ signal }) => call(devices, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const deviceTasksQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', 'ofDevice', id],
    queryFn: ({ signal }) => call(ofDevice, { params: { id }, query: { limit: 50 } }, { signal }),
  });
