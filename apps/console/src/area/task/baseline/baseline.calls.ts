import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BaselineState, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import type { Scope } from '../action/scope.ts';

export const listBaselines = remote('listBaselines', 'GET /api/f/task/baseline/list');
const one = remote('getBaseline', 'GET /api/f/task/baseline/{id}');
const devices = remote('listBaselineDevices', 'GET /api/f/task/baseline/{id}/device/list');
const ofDevice = remote('getDeviceBaseline', 'GET /api/f/task/device/{id}/baseline');
export const addBaseline = remote('addBaseline', 'POST /api/f/task/baseline');
export const editBaseline = remote('editBaseline', 'PUT /api/f/task/baseline');
export const retryBaseline = remote('retryBaseline', 'POST /api/f/task/baseline/{id}/retry');
export const deleteBaseline = remote('deleteBaseline', 'DELETE /api/f/task/baseline');
export const restoreBaselines = remote('restoreBaselines', 'POST /api/f/task/baseline/restore');

export type Baseline = RouteOutput<typeof listBaselines>['records'][number];

export type BaselineScope = Scope | 'mac';
/** Returns what a baseline is for; by default a model. */
export const scopeOf = (baseline: Pick<Baseline, 'mac' | 'siteId' | 'groupId'> | undefined): BaselineScope =>
  baseline?.mac ? 'mac' : baseline?.groupId ? 'group' : baseline?.siteId ? 'site' : 'model';

export const deviceBaselineQuery = (id: string) =>
  queryOptions({
    queryKey: ['baseline', 'device', id],
    queryFn: ({ signal }) => call(ofDevice, { params: { id } }, { signal }),
  });
export const baselineQuery = (id: string) =>
  queryOptions({
    queryKey: ['baseline', 'one', id],
    queryFn: ({ signal }) => call(one, { params: { id } }, { signal }),
  });
export const baselineDevicesQuery = (
  id: string,
  query: { page: number; limit: number; search?: string; state?: BaselineState[] },
) =>
  queryOptions({
    queryKey: ['baseline', 'devices', id, query],
    queryFn: ({ signal }) => call(devices, { params: { id }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
