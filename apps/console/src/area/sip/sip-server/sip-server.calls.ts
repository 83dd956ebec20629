import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listSipServers = remote('listSipServers', 'GET /api/f/provisioning/sipServer/list');
const names = remote('listSipServerNames', 'GET /api/f/provisioning/sipServer');
const get = remote('getSipServer', 'GET /api/f/provisioning/sipServer/{id}');
export const addSipServer = remote('addSipServer', 'POST /api/f/provisioning/sipServer');
export const editSipServer = remote('editSipServer', 'PUT /api/f/provisioning/sipServer');
export const deleteSipServer = remote('deleteSipServer', 'DELETE /api/f/provisioning/sipServer');
export const restoreSipServers = remote('restoreSipServers', 'POST /api/f/provisioning/sipServer/restore');

export type SipServer = RouteOutput<typeof listSipServers>['records'][number];

export const sipServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['sipServer', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
export const sipServerNamesQuery = () =>
  queryOptions({ queryKey: ['sipServer', 'names'], queryFn: ({ signal }) => call(names, {}, { signal }) });
