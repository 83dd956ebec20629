import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { apiTokenPrefix, toLanguage, type RouteDefinition } from '@carillon/contracts';
import { defaultOrgId } from '@carillon/contracts/constants';
import { cookieNames, parseCookies, verifyAccessToken, type AccessToken, type Context } from '@carillon/tenancy';
import { Failure } from '@carillon/service';
import type { AccessCopy, Caller, Program } from './access.service.ts';

/** Header names (SYS-06), as AUTH-04 specifies them. */
const header = {
  auth: 'carillon-auth',
  token: 'carillon-token',
  language: 'carillon-language',
  org: 'carillon-org',
  timezone: 'carillon-timezone',
  askedAt: 'carillon-asked-at',
} as const;
const bearer = /^bearer\s+(\S+)$/i;

interface Request {
  headers: IncomingHttpHeaders;
  /** Host and scheme that the client used. */
  host: string;
  secure: boolean;
  address: string;
  id: string;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/**
 * Returns when the user asked, by the gateway's clock. A caller may name an earlier time than the arrival, like a
 * browser whose network hung, so that calls for the moment expire. A later time is ignored.
 */
export function askedAtOf(headers: IncomingHttpHeaders, now = Date.now()): number {
  const said = one(headers[header.askedAt]);
  return said !== undefined && /^\d{1,15}$/.test(said) ? Math.min(Number(said), now) : now;
}

/** Returns the tokens of the headers. A malformed one is kept as it is, so that it is refused and not ignored. */
function headerTokens(headers: IncomingHttpHeaders): Set<string> {
  const tokens = new Set<string>();
  const auth = one(headers[header.auth])?.trim();
  if (auth) tokens.add(bearer.exec(auth)?.[1] ?? auth);
  const token = one(headers[header.token])?.trim();
  if (token) tokens.add(bearer.exec(token)?.[1] ?? token);
  const authorization = headers.authorization?.trim();
  // `Basic` identifies the client and is no token.
  if (authorization && /^bearer\b/i.test(authorization)) tokens.add(bearer.exec(authorization)?.[1] ?? '');
  return tokens;
}

/**
 * Tells whether a request comes from a page of our own origin. Browsers attach cookies to every site's requests, so a
 * cookie counts only when Fetch Metadata or the Origin says so, or when a header is present that a foreign page could
 * set only after a preflight, which nobody gets (browsers omit Fetch Metadata over plain http to other machines).
 */
export function fromOwnPage({ headers, host, secure }: Request, changes = false): boolean {
  const site = headers['sec-fetch-site'];
  // A URL that our page opens in a frame, as a picture or in a tab may come from an attacker: it may read but not
  // change. Requests by a script have no destination.
  if (site !== undefined)
    return site === 'same-origin' && !(changes && (headers['sec-fetch-dest'] ?? 'empty') !== 'empty');
  if (headers.origin !== undefined) return headers.origin === `${secure ? 'https' : 'http'}://${host}`;
  return headers[header.language] !== undefined;
}

/**
 * Returns the session's token by AUTH-04. No token, differing tokens, and a forged or expired one are all the same 401.
 */
export function tokenOf(request: Request, key: Buffer, changes = false, now = Date.now()): AccessToken {
  const tokens = headerTokens(request.headers);
  if (tokens.size === 0 && request.headers.cookie && fromOwnPage(request, changes)) {
    const cookie = parseCookies(request.headers.cookie).get(cookieNames(key, request.secure).access);
    if (cookie) tokens.add(cookie);
  }
  const [only] = tokens;
  const token = tokens.size === 1 ? verifyAccessToken(only!, key, now) : undefined;
  if (!token) throw new Failure('common.tokenInvalid');
  return token;
}

export interface Admitted {
  context: Context;
  /** The token of a user's session; a program has none. */
  token: AccessToken | undefined;
  /** The one organization that the client has selected. */
  chosenOrgId: string | undefined;
}

export function authenticate(request: Request, key: Buffer, copy: AccessCopy, route: RouteDefinition): Admitted {
  const [program] = headerTokens(request.headers);
  if (program?.startsWith(apiTokenPrefix)) return developer(request, copy, route);
  const token = tokenOf(request, key, route.audit !== 'none');
  const refusal = copy.refusal(token);
  const allowed =
    (refusal === 'common.locked' && route.whileLocked) ||
    (refusal === 'auth.passwordChangeRequired' && route.beforePasswordChange);
  if (refusal && !allowed) throw new Failure(refusal);
  const user = copy.user(token.userId);
  if (!user) throw new Failure('supportAccess.ended');
  const chosenOrgId = chosenOf(request, user);
  return { token, chosenOrgId, context: contextOf(request, token.sessionId, user, chosenOrgId) };
}

/** Returns the hash of a request's API token; undefined when it has none, or several tokens. */
export function apiTokenHash(headers: IncomingHttpHeaders): string | undefined {
  const [text, ...more] = headerTokens(headers);
  if (!text?.startsWith(apiTokenPrefix) || more.length > 0) return undefined;
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns the name of a program in the operation log: its maker and its token. */
export const programName = ({ user, token }: Program): string => `${user.username} · ${token.name}`.slice(0, 128);

/**
 * Authenticates a program with an API token: it has the permissions that the token names and its maker has, and nothing
 * of a user's session (AUTH-17).
 */
function developer(request: Request, copy: AccessCopy, route: RouteDefinition): Admitted {
  const hash = apiTokenHash(request.headers);
  if (hash === undefined) throw new Failure('common.tokenInvalid');
  const found = copy.apiToken(hash);
  if (typeof found === 'string') throw new Failure(found);
  if (route.permission === 'session' && !route.programs)
    throw new Failure('common.forbidden', { permission: 'session' });
  const { token, user } = found;
  const chosenOrgId = chosenOf(request, user);
  return {
    token: undefined,
    chosenOrgId,
    context: {
      ...contextOf(request, null, user, chosenOrgId),
      username: programName(found),
      permissions: user.permissions.filter((key) => token.scopes.includes(key)),
      apiToken: token.name,
    },
  };
}

/** Returns the selected organization. Absent or 1 means no selection; otherwise it must be one of the user's own. */
function chosenOf(request: Request, user: Caller): string | undefined {
  const chosen = one(request.headers[header.org])?.trim();
  if (chosen === undefined || chosen === '' || chosen === defaultOrgId) return undefined;
  if (!user.orgIds.includes(chosen)) throw new Failure('common.notFound');
  return chosen;
}

const visitOf = (visit: NonNullable<Caller['visit']>): NonNullable<Context['visit']> => ({
  accessId: visit.accessId,
  userId: visit.userId,
  username: visit.username,
  companyId: visit.hostCompanyId,
  company: visit.hostCompany,
  customer: visit.customer,
  allowedBy: visit.allowedBy,
});

function contextOf(request: Request, sessionId: string | null, user: Caller, chosenOrgId: string | undefined): Context {
  const timezone = Number(one(request.headers[header.timezone]));
  return {
    userId: user.userId,
    username: user.username,
    companyId: user.companyId,
    orgIds: chosenOrgId === undefined ? user.orgIds : [chosenOrgId],
    ...(user.allOrgs && chosenOrgId === undefined ? { allOrgs: true as const } : {}),
    orgId: chosenOrgId ?? user.defaultOrgId,
    permissions: user.permissions,
    ...(user.visit ? { visit: visitOf(user.visit) } : {}),
    language: languageOf(request.headers, user.language),
    timezoneId: Number.isInteger(timezone) && timezone > 1 && timezone < 1_000 ? timezone : user.timezoneId,
    ...(user.countryId === undefined ? {} : { countryId: user.countryId }),
    sessionId,
    address: request.address,
    requestId: request.id,
  };
}

export function languageOf(headers: IncomingHttpHeaders, stored?: Context['language'] | null): Context['language'] {
  const asked = one(headers[header.language]);
  return asked === undefined && stored ? stored : toLanguage(asked ?? one(headers['accept-language']));
}

/**
 * Returns the context of a call without a session: no company and no permissions. It is signed as well, so that
 * services answer only the gateway.
 */
export function anonymous(request: Request): Context {
  return {
    userId: null,
    username: '',
    companyId: '00000000-0000-0000-0000-000000000000',
    orgIds: [],
    orgId: null,
    permissions: [],
    language: languageOf(request.headers),
    timezoneId: 1,
    sessionId: null,
    address: request.address,
    requestId: request.id,
  };
}
export type { Request as EdgeRequest };
