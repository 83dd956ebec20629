import { z } from 'zod';
import { filters, flag, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, many, pageQuery, sortBy } from '../define/list.ts';
import { route } from '../define/route.ts';

export const ldapAccountRecord = z
  .object({
    id,
    server: z.object({ id, name: z.string() }),
    name: z.string(),
    number: z.string(),
    mailbox: z.string(),
    department: z.string(),
    supervisor: z.string(),
    adAccount: z.string(),
    /** The directory no longer has it, and it was kept. */
    missing: z.boolean(),
    updatedAt: z.string(),
  })
  .meta({ id: 'LdapAccount' });

/** Read-only: accounts are changed in the directory. */
export const listLdapAccounts = route({
  method: 'GET',
  path: '/api/f/provisioning/ldapAccount/list',
  summary: 'Accounts of the LDAP servers, a page at a time',
  permission: 'ldapAccount',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    server: many(id),
    ...filters({
      missing: flag,
      name: text(),
      number: orEmpty(text()),
      mailbox: orEmpty(text()),
      department: orEmpty(text()),
      supervisor: orEmpty(text()),
      adAccount: orEmpty(text()),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'number',
      'mailbox',
      'department',
      'supervisor',
      'adAccount',
      'server',
      'missing',
      'updatedAt',
    ]),
  }),
  response: listOf(ldapAccountRecord),
  errors: [],
});
