import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { apiTokenPrefix, toLanguage, type RouteDefinition } from '@carillon/contracts';
import { defaultOrgId } from '@carillon/contracts/constants';
import { cookieNames, parseCookies, verifyAccessToken, type AccessToken, type Context } from '@carillon/tenancy';
import { Failure } from '@carillon/service';
import type { AccessCopy, Caller } from './access.service.ts';

/** Header names of the spec's section 7, as requirement AUTH-04 settles them. */
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
  /** Host and scheme as the client used them. */
  host: string;
  secure: boolean;
  address: string;
  id: string;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/**
 * When a person asked for this, by our clock: the caller may say that it was earlier than it came here, as a browser
 * does whose network stood still. What is for its moment alone is over by then. A later time than ours is none.
 */
export function askedAtOf(headers: IncomingHttpHeaders, now = Date.now()): number {
  const said = one(headers[header.askedAt]);
  return said !== undefined && /^\d{1,15}$/.test(said) ? Math.min(Number(said), now) : now;
}

/** Tokens of the headers; a malformed one stands for itself, so that it is refused and not passed over. */
function headerTokens(headers: IncomingHttpHeaders): Set<string> {
  const tokens = new Set<string>();
  const auth = one(headers[header.auth])?.trim();
  if (auth) tokens.add(bearer.exec(auth)?.[1] ?? auth);
  const token = one(headers[header.token])?.trim();
  if (token) tokens.add(bearer.exec(token)?.[1] ?? token);
  const authorization = headers.authorization?.trim();
  // `Basic` names the client and is no token.
  if (authorization && /^bearer\b/i.test(authorization)) tokens.add(bearer.exec(authorization)?.[1] ?? '');
  return tokens;
}

/**
 * A cookie comes along whoever made the browser ask, so it speaks only for a page of our own origin: the browser says
 * so (Fetch Metadata), or the Origin is ours, or there is a header that a foreign page cannot set without our consent
 * to a preflight, which nobody gets (browsers leave Fetch Metadata out over plain http to other machines).
 */
export function fromOwnPage({ headers, host, secure }: Request, changes = false): boolean {
  const site = headers['sec-fetch-site'];
  // An address that a page of ours opens in a frame, as a picture or in a tab was perhaps written by somebody else: it
  // may show something, and changes nothing. What a script of ours asks for has no destination.
  if (site !== undefined)
    return site === 'same-origin' && !(changes && (headers['sec-fetch-dest'] ?? 'empty') !== 'empty');
  if (headers.origin !== undefined) return headers.origin === `${secure ? 'https' : 'http'}://${host}`;
  return headers[header.language] !== undefined;
}

/** The session's token by AUTH-04. No token, two that differ, and a forged or dead one are all the same 401. */
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
  /** Of a person's session; a program has none. */
  token: AccessToken | undefined;
  /** The one organization that the client narrows to. */
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

/**
 * A program with a developer's token: the rights that the token names and its maker has, none of what belongs to a
 * person's session (AUTH-17).
 */
function developer(request: Request, copy: AccessCopy, route: RouteDefinition): Admitted {
  const [text, ...more] = headerTokens(request.headers);
  if (more.length > 0) throw new Failure('common.tokenInvalid');
  const found = copy.apiToken(createHash('sha256').update(text!).digest('base64url'));
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
      username: `${user.username} · ${token.name}`.slice(0, 128),
      permissions: user.permissions.filter((key) => token.scopes.includes(key)),
      apiToken: token.name,
    },
  };
}

/** Absent or 1 is the user's default organization and no narrowing; another of his own narrows to it. */
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
    sessionId,
    address: request.address,
    requestId: request.id,
  };
}

export function languageOf(headers: IncomingHttpHeaders, stored?: Context['language'] | null): Context['language'] {
  const asked = one(headers[header.language]);
  return asked === undefined && stored ? stored : toLanguage(asked ?? one(headers['accept-language']));
}

/** Who calls without a session: no company, no right; signed all the same, so that a service answers nobody but us. */
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
