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

/** Developers' tokens, for the API gateways. Of the token itself only the SHA-256 of its 256 random bits. */
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

/** A company whose first administrator auth has made: org makes the company with these ids (its owner from then on). */
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
      /** Of a channel account; absent before there were any. */
      channel: channelGrants.optional(),
    }),
    /** Who logs in for the company, whom the one above it knows: after each change of that account. */
    account: channelAccount,
  },
});

/**
 * Sessions that have entered a customer's company (CHN-07). Whose rights they have follows from `auth.access.v1`: what
 * who entered and who allowed it have in common.
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
      /** Who entered. */
      userId: id,
      hostCompanyId: id,
      hostCompany: z.string(),
      /** The customer's company, and who of it allowed the access. */
      companyId: id,
      customer: z.string(),
      allowedById: id,
      allowedBy: z.string(),
      accessId: id,
      level: z.enum(supportAccessLevels),
      /** Epoch ms. */
      until: z.number(),
      ended: z.boolean(),
    }),
  },
});

/** Only what is not plain: a session that was ended or locked. Kept longer than any token lives. */
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
