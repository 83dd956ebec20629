import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listSipAccounts = remote('listSipAccounts', 'GET /api/f/provisioning/sipAccount/list');
const get = remote('getSipAccount', 'GET /api/f/provisioning/sipAccount/{id}');
export const addSipAccount = remote('addSipAccount', 'POST /api/f/provisioning/sipAccount');
export const addSipAccountRange = remote('addSipAccountRange', 'POST /api/f/provisioning/sipAccount/range');
export const editSipAccount = remote('editSipAccount', 'PUT /api/f/provisioning/sipAccount');
export const deleteSipAccounts = remote('deleteSipAccounts', 'DELETE /api/f/provisioning/sipAccount');
export const restoreSipAccounts = remote('restoreSipAccounts', 'POST /api/f/provisioning/sipAccount/restore');
export const revealSipAccount = remote('revealSipAccount', 'POST /api/f/provisioning/sipAccount/{id}/reveal');

export type SipAccount = RouteOutput<typeof listSipAccounts>['records'][number];

/** Number of accounts on more than one line. */
export const severalCountQuery = (fcs: boolean) =>
  queryOptions({
    queryKey: ['sipAccount', 'several', fcs],
    queryFn: async ({ signal }) =>
      (
        await call(
          listSipAccounts,
          { query: { several: ['true'], fcs: [fcs ? 'true' : 'false'], limit: 1 } },
          { signal },
        )
      ).total,
  });

export const sipAccountQuery = (id: string) =>
  queryOptions({
    queryKey: ['sipAccount', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
