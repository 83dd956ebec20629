import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listLdapAccounts = remote('listLdapAccounts', 'GET /api/f/provisioning/ldapAccount/list');
const devices = remote('listPhonebookDevices', 'GET /api/f/provisioning/phonebook');
const links = remote('getPhonebookLinks', 'GET /api/f/provisioning/phonebook/{id}');
export const renewPhonebookLinks = remote('renewPhonebookLinks', 'POST /api/f/provisioning/phonebook/renew');
export const withdrawPhonebookLinks = remote('withdrawPhonebookLinks', 'DELETE /api/f/provisioning/phonebook');

export type PhonebookLinks = RouteOutput<typeof links>;

export const phonebookDevicesQuery = (search: string) =>
  queryOptions({
    queryKey: ['device', 'phonebook', search],
    queryFn: ({ signal }) => call(devices, { query: { search } }, { signal }),
  });
/** Called once for each chosen device, because viewing the links is logged. */
export const getPhonebookLinks = (id: string): Promise<PhonebookLinks> => call(links, { params: { id } });
