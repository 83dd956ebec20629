import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { channelGrants, companyTypes } from '../org/org.schemas.ts';
import { accessView, channelAccount, supportAccessLevels } from './auth.schemas.ts';

export const authAccess = topic({
  name: 'auth.access.v1',
  writers: ['auth'],
  readers: ['auth', 'org', 'task', 'gateway'],
  key: 'user id',
  partitions: 6,
  cleanup: 'compact',
  events: { access: accessView },
});

/** Developer tokens, for the API gateways. A token itself is present only as the SHA-256 of its 256 random bits. */
export const authApiToken = topic({
  name: 'auth.apiToken.v1',
  writers: ['auth'],
  readers: ['auth', 'gateway'],
  key: 'token id',
  partitions: 6,
  cleanup: 'compact',
  events: {
    apiToken: z.object({
      tokenId: id,
      hash: z.string(),
      userId: id,
      name: z.string(),
      scopes: z.array(z.string()),
      expiresAt: z.number(),
      revoked: z.boolean(),
    }),
  },
});

/**
 * A company whose first administrator auth has created: org creates the company with these ids and owns it from then
 * on.
 */
export const authCompany = topic({
  name: 'auth.company.v1',
  writers: ['auth'],
  readers: ['org'],
  key: 'company id',
  partitions: 3,
  cleanup: 'delete',
  retentionMs: 30 * 86_400_000,
  events: {
    made: z.object({
      companyId: id,
      orgId: id,
      name: z.string(),
      organizationName: z.string(),
      type: z.enum(companyTypes),
      remarks: z.string(),
      parentId: id,
      /** Grants of a channel account; absent in messages from before grants existed. */
      channel: channelGrants.optional(),
    }),
    /** The account that logs in for the company, for its parent company; repeated after each change of the account. */
    account: channelAccount,
  },
});

/**
 * Sessions that have entered a customer's company (CHN-07). Their permissions follow from `auth.access.v1`: the
 * intersection of those of the visitor and of the grantor.
 */
export const authVisit = topic({
  name: 'auth.customerVisit.v1',
  writers: ['auth'],
  readers: ['gateway'],
  key: 'visit id',
  partitions: 6,
  cleanup: 'compact',
  events: {
    visit: z.object({
      visitId: id,
      sessionId: id,
      /** The visitor. */
      userId: id,
      hostCompanyId: id,
      hostCompany: z.string(),
      /** The customer's company, and its user who allowed the access. */
      companyId: id,
      customer: z.string(),
      allowedById: id,
      allowedBy: z.string(),
      accessId: id,
      level: z.enum(supportAccessLevels),
      /** Unix time in milliseconds. */
      until: z.number(),
      ended: z.boolean(),
    }),
  },
});

/** Only exceptional states: sessions that were ended or locked. Kept longer than any token lives. */
export const authSession = topic({
  name: 'auth.session.v1',
  writers: ['auth'],
  readers: ['gateway'],
  key: 'session id',
  partitions: 6,
  cleanup: 'delete',
  retentionMs: 2 * 86_400_000,
  events: {
    ended: z.object({ sessionId: id, userId: id }),
    locked: z.object({ sessionId: id, userId: id }),
    unlocked: z.object({ sessionId: id, userId: id }),
  },
});
