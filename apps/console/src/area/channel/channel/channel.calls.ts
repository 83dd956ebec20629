import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listChannels = remote('listChannels', 'GET /api/f/org/channel/list');
const get = remote('getChannel', 'GET /api/f/org/channel/{id}');
const room = remote('getChannelRoom', 'GET /api/f/org/channel/room');
export const addChannel = remote('addChannel', 'POST /api/f/auth/channel');
export const editChannel = remote('editChannel', 'PUT /api/f/org/channel');
export const editChannelAccount = remote('editChannelAccount', 'PUT /api/f/auth/channel/account');
export const resendChannelActivation = remote(
  'resendChannelActivation',
  'POST /api/f/auth/channel/{id}/resendActivation',
);
const activation = remote('getChannelActivation', 'GET /api/f/auth/channel/{id}/activation');
export const setChannelStatus = remote('setChannelStatus', 'POST /api/f/org/channel/status');
export const offerChannel = remote('offerChannel', 'POST /api/f/org/channel/code');
export const bindChannel = remote('bindChannel', 'POST /api/f/org/channel/bind');
export const unbindChannel = remote('unbindChannel', 'POST /api/f/org/channel/unbind');

export type Channel = RouteOutput<typeof listChannels>['records'][number];
export type Room = RouteOutput<typeof room>;

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
/** The last mail with the activation link of a channel's account. */
export const activationQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'activation', id],
    queryFn: ({ signal }) => call(activation, { params: { id } }, { signal }),
    staleTime: 0,
  });
/** The limits that are left for channels. */
export const roomQuery = () =>
  queryOptions({ queryKey: ['channel', 'room'], queryFn: ({ signal }) => call(room, {}, { signal }), staleTime: 0 });
