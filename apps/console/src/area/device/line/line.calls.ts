import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LineStatus, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const listLines = remote('listDeviceLines', 'GET /api/f/device/line');
const listNames = remote('listAccountNames', 'GET /api/f/device/line/account');
export const assignAccount = remote('assignAccount', 'POST /api/f/device/line');
export const unassignAccount = remote('unassignAccount', 'DELETE /api/f/device/line');

export type DeviceLine = RouteOutput<typeof listLines>[number];

/** In the order of severity. */
export const lineStatuses = [
  'failed',
  'abnormal',
  'unregistered',
  'registered',
  'calling',
  'unassigned',
] as const satisfies readonly LineStatus[];

/** Refetched with the device. */
export const deviceLinesQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', 'lines', deviceId],
    queryFn: ({ signal }) => call(listLines, { query: { deviceId } }, { signal }),
  });
/** The device service learns of a new account a moment later, so an earlier result may lack it. */
export const accountNamesQuery = (search: string, serverId?: string) =>
  queryOptions({
    queryKey: ['sipAccount', 'names', search, serverId],
    queryFn: ({ signal }) =>
      call(
        listNames,
        { query: { ...(search === '' ? {} : { search }), ...(serverId === undefined ? {} : { serverId }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Queries to refetch when a line gets another account. */
export const lineKeys = [['device'], ['sipAccount'], ['sipServer']] as const;
