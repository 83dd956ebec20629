import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { listTaskDevices as TaskDevices, RouteCall, TaskDeviceRecord, TaskStatus } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

// Calls for a single task. The frame shows only lists of tasks, so it loads without these.

const one = remote('getTask', 'GET /api/f/task/task/{id}');
const devices = remote('listTaskDevices', 'GET /api/f/task/task/{id}/device/list');
const reasons = remote('listTaskReasons', 'GET /api/f/task/task/{id}/reason/list');
const ofDevice = remote('listDeviceTasks', 'GET /api/f/task/device/{id}/list');
const target = remote('getTaskTarget', 'GET /api/f/task/task/{id}/target');
const runs = remote('listTaskRuns', 'GET /api/f/task/task/{id}/run/list');
export const runTask = remote('runTask', 'POST /api/f/task/task/{id}/run');
export const rerunTask = remote('rerunTask', 'POST /api/f/task/task/{id}/rerun');
export const reportTaskDevices = remote('reportTaskDevices', 'POST /api/f/task/task/{id}/device/report');
export const stopTask = remote('stopTask', 'POST /api/f/task/task/{id}/stop');
export const cancelTask = remote('cancelTask', 'POST /api/f/task/task/{id}/cancel');

export const pauseTask = remote('pauseTask', 'POST /api/f/task/task/{id}/pause');
export const resumeTask = remote('resumeTask', 'POST /api/f/task/task/{id}/resume');
export const approveTask = remote('approveTask', 'POST /api/f/task/task/{id}/approve');
export const refuseTask = remote('refuseTask', 'POST /api/f/task/task/{id}/refuse');
const meant = remote('listMeantDevices', 'GET /api/f/task/task/{id}/meant/list');
const rollback = remote('getTaskRollback', 'GET /api/f/task/task/{id}/rollback');
export const rollbackTask = remote('rollbackTask', 'POST /api/f/task/task/{id}/rollback');

export type TaskDeviceQuery = NonNullable<RouteCall<typeof TaskDevices>['query']>;

/** Whether the state is final. */
export const isOver = (s: TaskStatus) => !['wait', 'process', 'downloadSuccess'].includes(s);

/** Returns why a device ended in its state: a text, or the code when there is none. */
export const reasonOf = ({ message, code }: TaskDeviceRecord): string | undefined => message ?? code ?? undefined;

export const taskQuery = (id: string) =>
  queryOptions({ queryKey: ['task', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });
/** The target, for a copy of the task. */
export const taskTargetQuery = (id: string) =>
  queryOptions({
    queryKey: ['taskTarget', id],
    queryFn: ({ signal }) => call(target, { params: { id } }, { signal }),
  });
export const taskRunsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['task', 'runs', id, page],
    queryFn: ({ signal }) => call(runs, { params: { id }, query: { page, limit: 5 } }, { signal }),
    placeholderData: keepPreviousData,
  });
export const meantDevicesQuery = (id: string, query: { page: number; limit: number; search?: string }) =>
  queryOptions({
    queryKey: ['task', 'meant', id, query],
    queryFn: ({ signal }) => call(meant, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const taskRollbackQuery = (id: string, only: 'all' | 'failed') =>
  queryOptions({
    queryKey: ['task', 'rollback', id, only],
    queryFn: ({ signal }) => call(rollback, { params: { id }, query: { only } }, { signal }),
    placeholderData: keepPreviousData,
  });
export const taskDevicesQuery = (id: string, query: TaskDeviceQuery) =>
  queryOptions({
    queryKey: ['taskDevice', id, query],
    queryFn: ({ signal }) => call(devices, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const taskReasonsQuery = (id: string, run: number | undefined) =>
  queryOptions({
    queryKey: ['taskDevice', id, 'reasons', run],
    queryFn: ({ signal }) => call(reasons, { params: { id }, query: run === undefined ? {} : { run } }, { signal }),
  });
export const deviceTasksQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', 'ofDevice', id],
    queryFn: ({ signal }) => call(ofDevice, { params: { id }, query: { limit: 50 } }, { signal }),
  });
