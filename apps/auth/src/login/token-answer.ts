import type { z } from 'zod';
import type { tokenAnswer } from '@carillon/contracts';
import type { TokenPair } from '../session/session.service.ts';
import type { OpenVisit } from '../support-access/visit.service.ts';
import type { LoginUser } from './login.queries.ts';

export type TokenAnswer = z.output<typeof tokenAnswer>;

/** The default picture (AUTH-03), inlined so that every client can show it. */
const stockAvatar = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#888379"/><circle cx="16" cy="12" r="6" fill="#fff"/><path d="M4 32a12 10 0 0 1 24 0" fill="#fff"/></svg>')}`;

export function answer(user: LoginUser, tokens: TokenPair): TokenAnswer {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: tokens.expiresIn,
    scope: 'all',
    companyId: user.companyId,
    orgId: user.defaultOrgId,
    createSubLimit: user.createSubLimit,
    fcsLimit: user.fcsLimit,
    countryId: user.countryId,
    timezoneId: user.timezoneId,
    zoneChosen: user.zoneChosen,
    avatar: user.avatar ?? stockAvatar,
    userId: user.id,
    username: user.username,
    nickname: user.nickname,
    mustChangePassword: user.mustChangePassword,
  };
}

/** Token fields of a visiting session: the customer's company and limits, the user's own name. */
export const visiting = (host: LoginUser, visit: OpenVisit) => ({
  companyId: host.companyId,
  orgId: host.defaultOrgId,
  createSubLimit: host.createSubLimit,
  fcsLimit: host.fcsLimit,
  userId: visit.visitId,
  visit: { customer: visit.customer, allowedBy: visit.allowedBy, until: visit.until },
});
