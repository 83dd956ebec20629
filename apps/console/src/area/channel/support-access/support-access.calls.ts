import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listSupportAccess = remote('listSupportAccess', 'GET /api/f/auth/supportAccess/list');
const current = remote('getSupportAccess', 'GET /api/f/auth/supportAccess');
export const addSupportAccess = remote('addSupportAccess', 'POST /api/f/auth/supportAccess');
export const endSupportAccess = remote('endSupportAccess', 'POST /api/f/auth/supportAccess/{id}/end');
const ofChannel = remote('getChannelAccess', 'GET /api/f/auth/channel/{id}/access');
export const enterChannel = remote('enterChannel', 'POST /api/f/auth/channel/{id}/enter');

export type SupportAccess = RouteOutput<typeof listSupportAccess>['records'][number];

/** The company that can be allowed to enter, and until when it may. */
export const currentAccessQuery = () =>
  queryOptions({ queryKey: ['supportAccess', 'current'], queryFn: ({ signal }) => call(current, {}, { signal }) });

/** The access that a channel allows. The live stream refetches it after a change. */
export const channelAccessQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'access', id],
    queryFn: ({ signal }) => call(ofChannel, { params: { id } }, { signal }),
  });
