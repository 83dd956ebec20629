import { z } from 'zod';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { phonebookFiles } from './ldap.ts';

/** The paths of a device's phonebook, one per phone manufacturer. A path alone gives access to the phonebook. */
const links = z.object({
  /** Null: the device has none yet. */
  links: z
    .object(
      Object.fromEntries(phonebookFiles.map((f) => [f, z.string()])) as Record<
        (typeof phonebookFiles)[number],
        z.ZodString
      >,
    )
    .nullable(),
  /** When a phone last loaded it, rounded to the hour. */
  loadedAt: z.string().nullable(),
  /** LDAP accounts that no phone gets, because their number cannot be dialed. */
  leftOut: z.number().int(),
});

/** Lists the devices that the dialog offers: those that the caller sees. */
export const listPhonebookDevices = route({
  method: 'GET',
  path: '/api/f/provisioning/phonebook',
  summary: 'Devices that can have a link to the phonebook',
  permission: 'ldapAccount',
  audit: 'none',
  query: z.object({ search: z.string().trim().max(64).default('') }),
  response: z.array(z.object({ id, name: z.string(), mac: z.string() })),
  errors: [],
});

/** Returns the links. They open the phonebook, so the operation log records who read them. */
export const getPhonebookLinks = route({
  method: 'GET',
  path: '/api/f/provisioning/phonebook/{id}',
  summary: "A device's links to the phonebook",
  permission: 'ldapAccount',
  showsSecret: true,
  audit: 'phonebook.show',
  params: z.object({ id }),
  response: links,
  errors: [],
});

/** Creates the links, or replaces them: the previous ones stop working. */
export const renewPhonebookLinks = route({
  method: 'POST',
  path: '/api/f/provisioning/phonebook/renew',
  summary: "Make or renew a device's links to the phonebook",
  permission: 'editDevice',
  showsSecret: true,
  audit: 'phonebook.renew',
  body: z.strictObject({ id }),
  response: links,
  errors: [],
});

export const withdrawPhonebookLinks = route({
  method: 'DELETE',
  path: '/api/f/provisioning/phonebook',
  summary: "Withdraw a device's links to the phonebook",
  permission: 'editDevice',
  showsSecret: true,
  audit: 'phonebook.withdraw',
  query: z.object({ id }),
  response: links,
  errors: [],
});

/**
 * Returns the phonebook to a phone: the token identifies the device, and with it the company. A wrong token gives 404
 * like any unknown path.
 */
export const getPhonebook = route({
  method: 'GET',
  path: '/api/f/phonebook/{token}/{file}',
  summary: 'The phonebook as phones load it',
  permission: 'public',
  audit: 'none',
  passive: true,
  flat: true,
  file: 'text/xml',
  params: z.object({ token: z.string().max(128), file: z.string().max(64) }),
  /** Part of a name or number. */
  query: z.object({ search: z.string().trim().max(64).optional() }),
  response: z.any(),
  errors: [],
});
