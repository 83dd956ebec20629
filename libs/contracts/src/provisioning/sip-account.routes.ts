import { z } from 'zod';
import { filters, flag, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, many, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { lineStatuses } from '../link/link.schemas.ts';

/** A line of a device that has the account. */
const assignment = z.object({ deviceId: id, device: z.string(), mac: z.string(), line: z.number().int() });

/** The record without passwords: only whether there is one. */
export const sipAccountRecord = z
  .object({
    id,
    orgId: id,
    name: z.string(),
    number: z.string(),
    displayName: z.string(),
    server: z.object({ id, name: z.string() }),
    site: z.object({ id, name: z.string() }).nullable(),
    authUser: z.string(),
    authPasswordSet: z.boolean(),
    proxyUser: z.string(),
    proxyPasswordSet: z.boolean(),
    voicemailNumber: z.string(),
    voicemailPasswordSet: z.boolean(),
    /** The worst state of its lines; `unassigned` when no line has it. */
    status: z.enum(lineStatuses),
    devices: z.array(assignment),
    /** It registers with an FCS server of the installation, and counts towards the company's limit (ACC-03). */
    fcs: z.boolean(),
    /** Its company no longer has FCS, or its FCS server is gone: it cannot be assigned. */
    closed: z.boolean(),
    updatedAt: z.string(),
  })
  .meta({ id: 'SipAccount' });

/** Characters that the user part of a SIP address holds without escapes. */
const number = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9._+*#-]+$/, 'sipAccount.numberFormat');
const user = z.string().trim().max(128);
/** Absent keeps the stored one; null removes it. */
const password = z.string().min(1).max(128).nullable().optional();
const fields = {
  name: z.string().trim().min(1).max(64),
  number,
  displayName: z.string().trim().max(64).default(''),
  serverId: id,
  siteId: id.nullable().default(null),
  /** Empty: the number is used. */
  authUser: user.default(''),
  authPassword: password,
  proxyUser: user.default(''),
  proxyPassword: password,
  voicemailNumber: z.string().trim().max(64).default(''),
  voicemailPassword: password,
};
const errors = ['sipAccount.numberFormat', 'sipAccount.numberTaken', 'fcs.off', 'fcs.limit'] as const;

/** `none` of `site`: accounts without a site. */
export const sipAccountFilter = {
  search: z.string().trim().max(128).optional(),
  server: many(id),
  site: many(z.union([id, z.literal('none')])),
  status: many(z.enum(lineStatuses)),
  orgId: many(id),
  ...filters({
    name: text(64),
    number: text(64),
    displayName: orEmpty(text(64)),
    authUser: orEmpty(text()),
    fcs: flag,
    /** More than one line has the account. */
    several: flag,
    updatedAt: moment,
  }),
};

export const listSipAccounts = route({
  method: 'GET',
  path: '/api/f/provisioning/sipAccount/list',
  summary: 'SIP accounts, a page at a time',
  permission: 'sipAccount',
  audit: 'none',
  query: z.object({
    ...sipAccountFilter,
    ...pageQuery,
    sort: sortBy([
      'name',
      'number',
      'displayName',
      'server',
      'site',
      'authUser',
      'proxyUser',
      'voicemailNumber',
      'status',
      'lines',
      'updatedAt',
    ]),
  }),
  response: listOf(sipAccountRecord),
  errors: [],
});

export const getSipAccount = route({
  method: 'GET',
  path: '/api/f/provisioning/sipAccount/{id}',
  summary: 'One SIP account',
  permission: 'sipAccount',
  audit: 'none',
  params: z.object({ id }),
  response: sipAccountRecord,
  errors: [],
});

export const addSipAccount = route({
  method: 'POST',
  path: '/api/f/provisioning/sipAccount',
  summary: 'Add a SIP account',
  permission: 'addSipAccount',
  audit: 'sipAccount.add',
  status: 201,
  body: z.strictObject({ ...fields, orgId: id.optional() }),
  response: sipAccountRecord,
  errors,
});

/**
 * Returns the passwords of one account (ACC-02). The operation log records every call, also refused ones, and each user
 * has a limit per hour. A password that is not set is null.
 */
export const revealSipAccount = route({
  method: 'POST',
  path: '/api/f/provisioning/sipAccount/{id}/reveal',
  summary: 'Show the passwords of one SIP account',
  permission: 'revealSipAccount',
  showsSecret: true,
  audit: 'sipAccount.reveal',
  params: z.object({ id }),
  response: z.object({
    authPassword: z.string().nullable(),
    proxyPassword: z.string().nullable(),
    voicemailPassword: z.string().nullable(),
  }),
  errors: ['common.tooMany'],
});

/** Digits, so that the range can be counted. */
const rangeEnd = z
  .string()
  .trim()
  .regex(/^\d{1,15}$/, 'sipAccount.rangeFormat');
/** Number of accounts that one call may add. */
export const rangeMaximum = 1_000;
const { name: _, number: __, authUser: ___, ...ofRange } = fields;

/**
 * Adds one account per number from the first to the last: `8000` to `8199` are two hundred. Each name is the given name
 * followed by the number, and each account authenticates with its number. All are added, or none.
 */
export const addSipAccountRange = route({
  method: 'POST',
  path: '/api/f/provisioning/sipAccount/range',
  summary: 'Add a SIP account for each number of a range',
  permission: 'addSipAccount',
  audit: 'sipAccount.addRange',
  status: 201,
  body: z
    .strictObject({
      ...ofRange,
      name: z.string().trim().max(48).default(''),
      from: rangeEnd,
      to: rangeEnd,
      orgId: id.optional(),
    })
    // A value that is not a number is already refused at its field.
    .refine(({ from, to }) => !(Number(to) < Number(from)), { message: 'sipAccount.rangeOrder', path: ['to'] })
    .refine(({ from, to }) => !(Number(to) - Number(from) >= rangeMaximum), {
      message: 'sipAccount.rangeLong',
      path: ['to'],
    }),
  response: z.object({ added: z.number() }),
  errors: [
    'sipAccount.rangeFormat',
    'sipAccount.rangeOrder',
    'sipAccount.rangeLong',
    'sipAccount.rangeTaken',
    'fcs.off',
    'fcs.limit',
  ],
});

export const editSipAccount = route({
  method: 'PUT',
  path: '/api/f/provisioning/sipAccount',
  summary: 'Edit a SIP account',
  permission: 'editSipAccount',
  audit: 'sipAccount.edit',
  body: z.strictObject({ id, ...fields, orgId: id.optional() }),
  response: sipAccountRecord,
  errors,
});

/** Deletes accounts. Their lines become free. */
export const deleteSipAccounts = route({
  method: 'DELETE',
  path: '/api/f/provisioning/sipAccount',
  summary: 'Delete SIP accounts',
  permission: 'deleteSipAccount',
  audit: 'sipAccount.delete',
  query: z.object({ ids: z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(1000)) }),
  response: z.object({ deleted: z.number() }),
  errors: [],
});

/** Restores accounts with their passwords. They are on no line, because their lines may have other accounts now. */
export const restoreSipAccounts = route({
  method: 'POST',
  path: '/api/f/provisioning/sipAccount/restore',
  summary: 'Take back a deletion of SIP accounts',
  permission: 'deleteSipAccount',
  audit: 'sipAccount.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'sipAccount.numberTaken', 'fcs.off', 'fcs.limit'],
});
