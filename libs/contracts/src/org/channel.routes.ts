import { z } from 'zod';
import { userStatuses } from '../auth/auth.schemas.ts';
import { route } from '../define/route.ts';
import { choice, filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { languages } from '../define/language.ts';
import { companyStates } from './company.routes.ts';
import { channelGrants, companyStatuses, companyTypes } from './org.schemas.ts';

/** A channel account (CHN-01), as its parent company sees it. */
export const channelRecord = z
  .object({
    id,
    name: z.string(),
    type: z.enum(companyTypes),
    status: z.enum(companyStatuses),
    addressId: id.nullable(),
    /** Names from the root of the address tree. */
    address: z.array(z.string()),
    createSubLimit: z.number(),
    subs: z.number(),
    fcsLimit: z.number(),
    licenseGranting: z.boolean(),
    fcsEnabled: z.boolean(),
    localSync: z.boolean(),
    fcsUrl: z.string(),
    fcsDomain: z.string(),
    username: z.string(),
    nickname: z.string(),
    email: z.string().nullable(),
    accountStatus: z.enum(userStatuses),
    language: z.enum(languages).nullable(),
    timezoneId: z.number().nullable(),
    countryId: z.number(),
    remarks: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Channel' });

/** Lists the channels directly below the caller's company (CHN-01, CHN-02). */
export const listChannels = route({
  method: 'GET',
  path: '/api/f/org/channel/list',
  summary: 'The channels directly below the own company',
  permission: 'channel',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(),
      type: choice(z.enum(companyTypes)),
      status: choice(z.enum(companyStatuses)),
      addressId: orEmpty(choice(id)),
      createSubLimit: number,
      subs: number,
      fcsLimit: number,
      licenseGranting: flag,
      fcsEnabled: flag,
      localSync: flag,
      fcsUrl: orEmpty(text(256)),
      fcsDomain: orEmpty(text(253)),
      username: text(),
      nickname: text(),
      email: orEmpty(text(254)),
      accountStatus: choice(z.enum(userStatuses)),
      language: orEmpty(choice(z.enum(languages))),
      timezoneId: orEmpty(choice(z.coerce.number().int().min(1).max(99))),
      countryId: choice(z.coerce.number().int().min(1).max(999)),
      remarks: orEmpty(text(512)),
      createdAt: moment,
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'type',
      'status',
      'createSubLimit',
      'subs',
      'fcsLimit',
      'licenseGranting',
      'fcsEnabled',
      'localSync',
      'fcsUrl',
      'fcsDomain',
      'username',
      'nickname',
      'email',
      'accountStatus',
      'remarks',
      'createdAt',
      'updatedAt',
    ]),
  }),
  response: listOf(channelRecord),
  errors: [],
});

export const getChannel = route({
  method: 'GET',
  path: '/api/f/org/channel/{id}',
  summary: 'One channel directly below the own company',
  permission: 'channel',
  audit: 'none',
  params: z.object({ id }),
  response: channelRecord,
  errors: [],
});

/** Returns the limits of the caller's company and what it has granted: the rest can be granted to a channel. */
export const getChannelRoom = route({
  method: 'GET',
  path: '/api/f/org/channel/room',
  summary: 'What the own company may still give to channels',
  permission: 'channel',
  audit: 'none',
  response: z.object({
    createSubLimit: z.number(),
    subsLeft: z.number(),
    fcsLimit: z.number(),
    fcsLeft: z.number(),
    licenseGranting: z.boolean(),
    fcsEnabled: z.boolean(),
    localSync: z.boolean(),
    /** Whether it is the installation's own company: it has no parent, and unbound companies move below it. */
    top: z.boolean(),
    /** Whether a channel needs an address, because addresses exist. */
    addresses: z.boolean(),
  }),
  errors: [],
});

const limitErrors = [
  'channel.superiorAddressEmpty',
  'channel.subLimit',
  'channel.fcsLimit',
  'channel.limitInUse',
  'channel.flagNotHeld',
] as const;

export const editChannel = route({
  method: 'PUT',
  path: '/api/f/org/channel',
  summary: 'Edit a channel directly below the own company',
  permission: 'editChannel',
  audit: 'channel.edit',
  body: channelGrants.extend({
    id,
    name: z.string().trim().min(1).max(128),
    type: z.enum(companyTypes),
    remarks: z.string().trim().max(512),
  }),
  response: channelRecord,
  errors: ['org.companyNameTaken', ...limitErrors],
});

/**
 * Sets the status. A channel that is not normal refuses the logins of its users; its phones and its own channels keep
 * working.
 */
export const setChannelStatus = route({
  method: 'POST',
  path: '/api/f/org/channel/status',
  summary: 'Disable, lock or enable a channel directly below the own company',
  permission: 'disableChannel',
  audit: 'channel.status',
  body: z.strictObject({ id, status: z.enum(companyStates) }),
  response: channelRecord,
  errors: ['channel.closedAbove'],
});

/** Creates a binding code. It is shown once; a new one replaces it. */
export const offerChannel = route({
  method: 'POST',
  path: '/api/f/org/channel/code',
  summary: 'Make a code by which another company can bind the own one as a sub-channel',
  permission: 'offerChannel',
  audit: 'channel.offer',
  status: 201,
  body: z.strictObject({}),
  response: z.object({ code: z.string(), expiresAt: z.string() }),
  errors: ['channel.bound', 'channel.ownParent'],
});

/**
 * Binds the company that created the code. An unknown, used, replaced or expired code (after a day) gives the same
 * error.
 */
export const bindChannel = route({
  method: 'POST',
  path: '/api/f/org/channel/bind',
  summary: 'Bind an existing company as a sub-channel, by the code that it made',
  permission: 'bindChannel',
  audit: 'channel.bind',
  body: z.strictObject({ code: z.string().trim().min(1).max(64), addressId: id.nullable() }),
  response: channelRecord,
  errors: [
    'channel.companyMissing',
    'channel.ownParent',
    'channel.alreadySub',
    'channel.bound',
    'channel.superiorAddressEmpty',
    'channel.subLimit',
    'common.tooMany',
  ],
});

/** Unbinds a channel. It becomes a child of the installation's own company, and its grants are revoked. */
export const unbindChannel = route({
  method: 'POST',
  path: '/api/f/org/channel/unbind',
  summary: 'Unbind a sub-channel',
  permission: 'unbindChannel',
  audit: 'channel.unbind',
  body: z.strictObject({ id }),
  response: z.null(),
  errors: ['channel.top'],
});
