import { z } from 'zod';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { hostName, port } from '../define/host.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { sipTransports } from './sip.ts';

export const sipServerRecord = z
  .object({
    id,
    name: z.string(),
    address: z.string(),
    port: z.number(),
    transport: z.enum(sipTransports),
    domain: z.string(),
    proxyAddress: z.string().nullable(),
    proxyPort: z.number().nullable(),
    backupAddress: z.string().nullable(),
    backupPort: z.number().nullable(),
    /** Counts of the accounts that the caller sees. */
    accounts: z.number(),
    assigned: z.number(),
    unassigned: z.number(),
    /** How many devices have chosen it, of those that the caller sees. */
    devices: z.number(),
    updatedAt: z.string(),
  })
  .meta({ id: 'SipServer' });

/** A URL of section 3 is reduced to its host: `sip:pbx.example.com` becomes `pbx.example.com`. */
const address = z.preprocess((text) => (typeof text === 'string' ? text.replace(/^\s*sips?:/i, '') : text), hostName);
const fields = {
  name: z.string().trim().min(1).max(64),
  address,
  port,
  transport: z.enum(sipTransports),
  /** When empty, the device registers with the address as its domain. */
  domain: z.union([z.literal(''), hostName]),
  proxyAddress: address.nullable(),
  proxyPort: port.nullable(),
  backupAddress: address.nullable(),
  backupPort: port.nullable(),
};
type Addresses = Partial<Record<'proxyAddress' | 'backupAddress', string | null>>;
const withAddress = <S extends z.ZodObject>(body: S): S =>
  (['proxy', 'backup'] as const).reduce(
    (checked, which) =>
      checked.refine(
        (b) => (b as Record<string, unknown>)[`${which}Port`] === null || (b as Addresses)[`${which}Address`] !== null,
        { message: 'sipServer.portWithoutAddress', path: [`${which}Address`] },
      ),
    body,
  );
const errors = [
  'common.hostName',
  'sipServer.portWithoutAddress',
  'sipServer.nameTaken',
  'sipServer.narrowed',
] as const;

export const listSipServers = route({
  method: 'GET',
  path: '/api/f/provisioning/sipServer/list',
  summary: 'SIP servers, a page at a time',
  permission: 'sipServer',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      transport: choice(z.enum(sipTransports)),
      name: text(64),
      address: text(253),
      domain: orEmpty(text(253)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'address',
      'port',
      'transport',
      'domain',
      'proxy',
      'backup',
      'accounts',
      'assigned',
      'unassigned',
      'updatedAt',
    ]),
  }),
  response: listOf(sipServerRecord),
  errors: [],
});

/** Lists the servers that a form offers. */
export const listSipServerNames = route({
  method: 'GET',
  path: '/api/f/provisioning/sipServer',
  summary: 'Names of the SIP servers, the FCS servers among them',
  permission: 'sipAccount',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string(), address: z.string(), fcs: z.boolean() })),
  errors: [],
});

export const getSipServer = route({
  method: 'GET',
  path: '/api/f/provisioning/sipServer/{id}',
  summary: 'One SIP server',
  permission: 'sipServer',
  audit: 'none',
  params: z.object({ id }),
  response: sipServerRecord,
  errors: [],
});

export const addSipServer = route({
  method: 'POST',
  path: '/api/f/provisioning/sipServer',
  summary: 'Add a SIP server',
  permission: 'addSipServer',
  audit: 'sipServer.add',
  status: 201,
  body: withAddress(z.strictObject(fields)),
  response: sipServerRecord,
  errors,
});

export const editSipServer = route({
  method: 'PUT',
  path: '/api/f/provisioning/sipServer',
  summary: 'Edit a SIP server',
  permission: 'editSipServer',
  audit: 'sipServer.edit',
  body: withAddress(z.strictObject({ id, ...fields })),
  response: sipServerRecord,
  errors,
});

export const deleteSipServer = route({
  method: 'DELETE',
  path: '/api/f/provisioning/sipServer',
  summary: 'Delete a SIP server that no account and no device uses',
  permission: 'deleteSipServer',
  audit: 'sipServer.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['sipServer.inUse', 'sipServer.narrowed'],
});

export const restoreSipServers = route({
  method: 'POST',
  path: '/api/f/provisioning/sipServer/restore',
  summary: 'Take back a deletion of SIP servers',
  permission: 'deleteSipServer',
  audit: 'sipServer.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'sipServer.nameTaken', 'sipServer.narrowed'],
});
