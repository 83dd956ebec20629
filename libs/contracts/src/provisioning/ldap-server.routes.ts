import { z } from 'zod';
import { choice, filters, flag, moment, text } from '../define/filter.ts';
import { hostName, port } from '../define/host.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { ldapCycles, ldapFields, ldapSecurities, ldapSyncStatuses } from './ldap.ts';

const attributes = z.object(
  Object.fromEntries(ldapFields.map((f) => [f, z.string()])) as Record<(typeof ldapFields)[number], z.ZodString>,
);

/** Result of the last sync; the counts are also set while it runs. */
export const ldapSync = z.object({
  status: z.enum(ldapSyncStatuses),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  read: z.number(),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  /** Error of a failed sync, in the caller's language. */
  msg: z.string().nullable(),
});

/** The record without the password: only whether there is one. */
export const ldapServerRecord = z
  .object({
    id,
    name: z.string(),
    enabled: z.boolean(),
    host: z.string(),
    port: z.number(),
    security: z.enum(ldapSecurities),
    checkCertificate: z.boolean(),
    ca: z.string().nullable(),
    userName: z.string(),
    passwordSet: z.boolean(),
    base: z.string(),
    filter: z.string(),
    attributes,
    cycle: z.enum(ldapCycles),
    time: z.string(),
    weekday: z.number(),
    timeZone: z.string(),
    accounts: z.number(),
    /** Accounts that the last sync did not find, and kept because they are more than a tenth. */
    missing: z.number(),
    sync: ldapSync.nullable(),
    nextSyncAt: z.string().nullable(),
    updatedAt: z.string(),
  })
  .meta({ id: 'LdapServer' });

const attribute = z
  .string()
  .trim()
  .max(128)
  .regex(/^([A-Za-z][A-Za-z0-9-]*|\d+(\.\d+)+)$/, 'ldapServer.attributeWrong');
/** Empty: not read. */
const optional = z.union([z.literal(''), attribute], 'ldapServer.attributeWrong').default('');
const place = {
  host: hostName,
  port,
  security: z.enum(ldapSecurities),
  checkCertificate: z.boolean().default(true),
  /** Certificate of a private authority, besides the public ones. */
  ca: z.string().trim().max(16_384).nullable().default(null),
  userName: z.string().trim().min(1).max(255),
  /** Absent keeps the stored one if the server is the same. A login requires one. */
  password: z.string().min(1, 'ldapServer.passwordEmpty').max(255).optional(),
  base: z.string().trim().min(1).max(1_024),
  filter: z.string().trim().max(1_024).default('(objectClass=person)'),
  attributes: z.strictObject({
    name: attribute,
    number: attribute,
    mailbox: optional,
    department: optional,
    supervisor: optional,
    adAccount: optional,
  }),
};
const fields = {
  name: z.string().trim().min(1).max(64),
  enabled: z.boolean(),
  ...place,
  cycle: z.enum(ldapCycles),
  /** For an hourly cycle only its minutes count. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  /** For a weekly cycle: 1 is Monday. */
  weekday: z.number().int().min(1).max(7).default(1),
  /** Zone of the tz database for `time`; by default the one of the user, or of the unchanged schedule. */
  timeZone: z.string().max(64).optional(),
};
const wrong = [
  'common.fieldValue',
  'common.hostName',
  'ldapServer.filterWrong',
  'ldapServer.attributeWrong',
  'ldapServer.certificateFormat',
  'ldapServer.passwordEmpty',
  'ldapServer.narrowed',
] as const;

export const listLdapServers = route({
  method: 'GET',
  path: '/api/f/provisioning/ldapServer/list',
  summary: 'LDAP servers, a page at a time',
  permission: 'ldapServer',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      host: text(253),
      enabled: flag,
      security: choice(z.enum(ldapSecurities)),
      cycle: choice(z.enum(ldapCycles)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'host', 'enabled', 'security', 'cycle', 'accounts', 'nextSyncAt', 'updatedAt']),
  }),
  response: listOf(ldapServerRecord),
  errors: [],
});

/** Lists the servers that accounts can be filtered by. */
export const listLdapServerNames = route({
  method: 'GET',
  path: '/api/f/provisioning/ldapServer',
  summary: 'Names of the LDAP servers',
  permission: 'ldapAccount',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string() })),
  errors: [],
});

export const getLdapServer = route({
  method: 'GET',
  path: '/api/f/provisioning/ldapServer/{id}',
  summary: 'One LDAP server',
  permission: 'ldapServer',
  audit: 'none',
  params: z.object({ id }),
  response: ldapServerRecord,
  errors: [],
});

export const addLdapServer = route({
  method: 'POST',
  path: '/api/f/provisioning/ldapServer',
  summary: 'Add an LDAP server',
  permission: 'addLdapServer',
  audit: 'ldapServer.add',
  status: 201,
  body: z.strictObject(fields),
  response: ldapServerRecord,
  errors: [...wrong, 'ldapServer.nameTaken'],
});

export const editLdapServer = route({
  method: 'PUT',
  path: '/api/f/provisioning/ldapServer',
  summary: 'Edit an LDAP server',
  permission: 'editLdapServer',
  audit: 'ldapServer.edit',
  body: z.strictObject({ id, ...fields }),
  response: ldapServerRecord,
  errors: [...wrong, 'ldapServer.nameTaken'],
});

/** Deletes a server and its accounts. */
export const deleteLdapServer = route({
  method: 'DELETE',
  path: '/api/f/provisioning/ldapServer',
  summary: 'Delete an LDAP server with its accounts',
  permission: 'deleteLdapServer',
  audit: 'ldapServer.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['ldapServer.narrowed'],
});

export const restoreLdapServers = route({
  method: 'POST',
  path: '/api/f/provisioning/ldapServer/restore',
  summary: 'Take back a deletion of LDAP servers',
  permission: 'deleteLdapServer',
  audit: 'ldapServer.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'ldapServer.nameTaken', 'ldapServer.narrowed'],
});

export const ldapEntry = z.object({
  dn: z.string(),
  ...(Object.fromEntries(ldapFields.map((f) => [f, z.string()])) as Record<(typeof ldapFields)[number], z.ZodString>),
});

/** Tests the server of the form: returns ten entries as they would be read, or the reason for a failure. */
export const testLdapServer = route({
  method: 'POST',
  path: '/api/f/provisioning/ldapServer/test',
  summary: 'Connect to an LDAP server and show ten entries as they would be read',
  permission: 'editLdapServer',
  audit: 'ldapServer.test',
  ownTransaction: true,
  body: z.strictObject({
    /** Id of a stored server: its password is used when none is given. */
    id: id.optional(),
    ...place,
    /** Text in the name or number of an entry. */
    search: z.string().trim().max(128).default(''),
  }),
  response: z.object({ entries: z.array(ldapEntry) }),
  errors: [
    ...wrong,
    'ldapServer.targetRefused',
    'ldapServer.unreachable',
    'ldapServer.tooSlow',
    'ldapServer.certificateWrong',
    'ldapServer.tlsFailed',
    'ldapServer.unavailable',
    'ldapServer.credentialsWrong',
    'ldapServer.baseWrong',
    'ldapServer.accessRefused',
    'ldapServer.encryptionNeeded',
    'ldapServer.limitReached',
    'ldapServer.refused',
  ],
});

/** Starts a sync in the background; the record shows its progress. A running one is not started again. */
export const syncLdapServer = route({
  method: 'POST',
  path: '/api/f/provisioning/ldapServer/sync',
  summary: 'Sync the accounts of an LDAP server now',
  permission: 'syncLdapServer',
  audit: 'ldapServer.sync',
  status: 202,
  body: z.strictObject({ id }),
  response: ldapServerRecord,
  errors: ['ldapServer.disabled', 'ldapServer.passwordEmpty', 'ldapServer.narrowed'],
});

export const deleteMissingLdapAccounts = route({
  method: 'POST',
  path: '/api/f/provisioning/ldapServer/deleteMissing',
  summary: 'Delete accounts that were kept back because the directory has them no longer',
  permission: 'syncLdapServer',
  audit: 'ldapServer.deleteMissing',
  body: z.strictObject({ id }),
  response: z.object({ deleted: z.number() }),
  errors: ['ldapServer.narrowed'],
});
