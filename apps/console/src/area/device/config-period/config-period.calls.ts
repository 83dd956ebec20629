import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const list = remote('listConfigPeriods', 'GET /api/f/provisioning/deviceConfig/{id}/period');
const get = remote('getConfigPeriod', 'GET /api/f/provisioning/deviceConfig/{id}/period/{period}');

export type ConfigPeriod = RouteOutput<typeof list>[number];
export type FormerConfig = RouteOutput<typeof get>;
export type LineChange = FormerConfig['lines'][number];

/** The configurations that a device had, or the one that it had at a time. A live change of the device refreshes it. */
export const configPeriodsQuery = (id: string, at: string | undefined) =>
  queryOptions({
    queryKey: ['device', 'configPeriods', id, at],
    queryFn: ({ signal }) => call(list, { params: { id }, query: at === undefined ? {} : { at } }, { signal }),
  });

/** A former configuration beside the present one. */
export const formerConfigQuery = (id: string, period: string) =>
  queryOptions({
    queryKey: ['device', 'configPeriod', id, period],
    queryFn: ({ signal }) => call(get, { params: { id, period } }, { signal }),
  });
