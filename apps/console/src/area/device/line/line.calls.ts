import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LineStatus, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

const listLines = remote('listDeviceLines', 'GET /api/f/device/line');
const listNames = remote('listAccountNames', 'GET /api/f/device/line/account');
export const assignAccount = remote('assignAccount', 'POST /api/f/device/line');
export const unassignAccount = remote('unassignAccount', 'DELETE /api/f/device/line');

export type DeviceLine = RouteOutput<typeof listLines>[number];

/** In the order in which a person looks for trouble. */
export const lineStatuses = [
  'failed',
  'abnormal',
  'unregistered',
  'registered',
  'calling',
  'unassigned',
] as const satisfies readonly LineStatus[];

/** Told anew with the device. */
export const deviceLinesQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device', 'lines', deviceId],
    queryFn: ({ signal }) => call(listLines, { query: { deviceId } }, { signal }),
  });
/** The device service hears of an account a moment after it is there: what was asked before that lacks it. */
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

/** What is asked for anew when a line has another account. */
export const lineKeys = [['device'], ['sipAccount'], ['sipServer']] as const;
