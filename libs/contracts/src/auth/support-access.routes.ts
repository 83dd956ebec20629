import { z } from 'zod';
import { choice, filters, moment, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { route } from '../define/route.ts';
import { supportAccessLevels } from './auth.schemas.ts';

export const supportAccessStates = ['active', 'expired', 'ended'] as const;
/** Longest duration of a support access in hours: 30 days. */
export const supportAccessHours = 720;

export const supportAccessRecord = z
  .object({
    id,
    level: z.enum(supportAccessLevels),
    state: z.enum(supportAccessStates),
    /** The company that may enter. */
    company: z.string(),
    reason: z.string(),
    createdBy: z.string(),
    createdAt: z.string(),
    until: z.string(),
    endedBy: z.string().nullable(),
    endedAt: z.string().nullable(),
    /** Number of visits, and time of the last one. */
    visits: z.number().int(),
    visitedAt: z.string().nullable(),
  })
  .meta({ id: 'SupportAccess' });

export const listSupportAccess = route({
  method: 'GET',
  path: '/api/f/auth/supportAccess/list',
  summary: 'When the company above could enter, or can, a page at a time',
  permission: 'supportAccess',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      state: choice(z.enum(supportAccessStates)),
      level: choice(z.enum(supportAccessLevels)),
      reason: text(256),
      createdBy: text(128),
      createdAt: moment,
      until: moment,
    }),
    ...pageQuery,
    sort: sortBy(['level', 'createdBy', 'createdAt', 'until', 'visits', 'visitedAt']),
  }),
  response: listOf(supportAccessRecord),
  errors: [],
});

export const getSupportAccess = route({
  method: 'GET',
  path: '/api/f/auth/supportAccess',
  summary: 'Which company could be let in, and until when it is',
  permission: 'supportAccess',
  audit: 'none',
  response: z.object({ company: z.string().nullable(), until: z.string().nullable() }),
  errors: [],
});

/**
 * Allows the parent company in. A visitor has those of the caller's permissions and organizations that they also have
 * themselves.
 */
export const addSupportAccess = route({
  method: 'POST',
  path: '/api/f/auth/supportAccess',
  summary: 'Let users of the company above enter the own company for a stated time',
  permission: 'addSupportAccess',
  audit: 'supportAccess.add',
  status: 201,
  body: z.strictObject({
    level: z.enum(supportAccessLevels),
    hours: z.number().int().min(1).max(supportAccessHours),
    reason: z.string().trim().max(256),
  }),
  response: supportAccessRecord,
  errors: ['supportAccess.nobodyAbove', 'supportAccess.alreadyOpen'],
});

export const endSupportAccess = route({
  method: 'POST',
  path: '/api/f/auth/supportAccess/{id}/end',
  summary: 'End a support access; a visitor leaves the company within a second',
  permission: 'endSupportAccess',
  audit: 'supportAccess.end',
  params: z.object({ id }),
  response: supportAccessRecord,
  errors: [],
});

/** Returns the access that a channel has granted to its parent company. */
export const getChannelAccess = route({
  method: 'GET',
  path: '/api/f/auth/channel/{id}/access',
  summary: 'Whether a channel directly below lets users of the own company enter',
  permission: 'enterChannel',
  audit: 'none',
  params: z.object({ id }),
  response: z
    .object({
      level: z.enum(supportAccessLevels),
      until: z.string(),
      reason: z.string(),
      allowedBy: z.string(),
    })
    .nullable(),
  errors: [],
});

/**
 * Enters the customer's company: the session is in it from the next token that the token call gives for the refresh
 * token.
 */
export const enterChannel = route({
  method: 'POST',
  path: '/api/f/auth/channel/{id}/enter',
  summary: "Enter a customer's company, where the customer has allowed it",
  permission: 'enterChannel',
  audit: 'channel.enter',
  params: z.object({ id }),
  response: z.object({ until: z.string() }),
  errors: ['supportAccess.none'],
});

/** Leaves the customer's company: the next token is for the user's own company again. */
export const leaveChannel = route({
  method: 'POST',
  path: '/api/f/auth/channel/leave',
  summary: "Leave the customer's company that was entered",
  permission: 'session',
  visitors: true,
  audit: 'channel.leave',
  response: z.null(),
  errors: ['supportAccess.ended'],
});
