import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listFreezePeriods = remote('listFreezePeriods', 'GET /api/f/task/freezePeriod/list');
export const addFreezePeriod = remote('addFreezePeriod', 'POST /api/f/task/freezePeriod');
export const editFreezePeriod = remote('editFreezePeriod', 'PUT /api/f/task/freezePeriod');
export const deleteFreezePeriod = remote('deleteFreezePeriod', 'DELETE /api/f/task/freezePeriod');
export const restoreFreezePeriods = remote('restoreFreezePeriods', 'POST /api/f/task/freezePeriod/restore');
const siteNames = remote('listSiteNames', 'GET /api/f/device/site');

/** The sites to choose from. Refetched by each dialog, because a new site is known a moment later. */
export const siteNamesQuery = queryOptions({
  queryKey: ['device', 'sites'],
  queryFn: ({ signal }) => call(siteNames, {}, { signal }),
  staleTime: 0,
});

export type FreezePeriod = RouteOutput<typeof listFreezePeriods>['records'][number];
