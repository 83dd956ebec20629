import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listLdapServers = remote('listLdapServers', 'GET /api/f/provisioning/ldapServer/list');
const names = remote('listLdapServerNames', 'GET /api/f/provisioning/ldapServer');
const get = remote('getLdapServer', 'GET /api/f/provisioning/ldapServer/{id}');
export const addLdapServer = remote('addLdapServer', 'POST /api/f/provisioning/ldapServer');
export const editLdapServer = remote('editLdapServer', 'PUT /api/f/provisioning/ldapServer');
export const deleteLdapServer = remote('deleteLdapServer', 'DELETE /api/f/provisioning/ldapServer');
export const restoreLdapServers = remote('restoreLdapServers', 'POST /api/f/provisioning/ldapServer/restore');
export const testLdapServer = remote('testLdapServer', 'POST /api/f/provisioning/ldapServer/test');
export const syncLdapServer = remote('syncLdapServer', 'POST /api/f/provisioning/ldapServer/sync');
export const deleteMissing = remote('deleteMissingLdapAccounts', 'POST /api/f/provisioning/ldapServer/deleteMissing');

export type LdapServer = RouteOutput<typeof listLdapServers>['records'][number];
export type LdapEntry = RouteOutput<typeof testLdapServer>['entries'][number];

export const ldapServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['ldapServer', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
export const ldapServerNamesQuery = () =>
  queryOptions({ queryKey: ['ldapServer', 'names'], queryFn: ({ signal }) => call(names, {}, { signal }) });
