import type { getUserInfo, logout, RouteOutput, token, TwoStepMethod } from '@carillon/contracts';
import { currentLanguage } from '../browser/language.ts';
import { md5 } from '../browser/md5.ts';
import { background, newTraceparent } from '../browser/origin.ts';
import { basicHeader, settings } from './settings.ts';
import { setLocked } from './lock.ts';
import { keep, recall } from '../browser/storage.ts';

type TokenAnswer = RouteOutput<typeof token>;

/**
 * The logged-in user in the browser's storage. It contains no token: tokens are in memory and in the httpOnly cookies
 * that the token call sets (AUTH-07), so that a reload finds the session and a script finds nothing to steal.
 */
export interface Session {
  userId: string;
  username: string;
  nickname: string;
  companyId: string;
  orgId: string;
  timezoneId: number;
  /** False: times use the browser's zone. */
  zoneChosen?: boolean;
  countryId: number;
  /** Unix time in milliseconds. */
  expiresAt: number;
  /** The user logged in with a one-time password. */
  mustChangePassword?: boolean;
  /** The customer's company that the user has entered (CHN-07). */
  visit?: Visit;
}
type Visit = NonNullable<TokenAnswer['visit']> & { /** Start of the visit, Unix time in milliseconds. */ from: number };

interface Tokens {
  access: string;
  refresh: string;
}
let tokens: Tokens | undefined;
const channel = new BroadcastChannel('carillon-session');
channel.onmessage = (e: MessageEvent<Tokens | 'ended' | 'moved'>) => {
  if (e.data === 'ended') return leave();
  // A tab that is changing the company itself ignores this: its new token would be lost.
  if (e.data === 'moved') return changing ? undefined : move('/');
  tokens = e.data;
};

export const session = (): Session | undefined => recall<Session>('session');
/** Returns the chosen organization; `1` is all of the user's own (SYS-08). */
export const organization = (): string => recall<string>('organization') ?? '1';

/** The second step of a login after a correct password. */
export interface SecondStep {
  key: string;
  methods: readonly TwoStepMethod[];
  /** Id of the mail with the code. */
  mail?: string | undefined;
}

/** The server's error for a refused login. */
export class LoginError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly requestId: string | undefined,
    readonly error?: string,
    readonly second?: SecondStep,
  ) {
    super(message);
  }
}

const tokenPath: typeof token.path = '/api/f/auth/oauth/token';

async function askToken(fields: Record<string, string>, more: Record<string, string> = {}): Promise<TokenAnswer> {
  const response = await fetch(tokenPath, {
    method: 'POST',
    credentials: 'include',
    body: new URLSearchParams({ scope: 'all', ...fields }),
    headers: {
      authorization: basicHeader(await settings()),
      'carillon-language': currentLanguage(),
      'carillon-org': organization(),
      'carillon-timezone': String(session()?.timezoneId ?? 1),
      traceparent: newTraceparent(),
      ...more,
    },
  });
  const body = (await response.json().catch(() => ({}))) as TokenAnswer & {
    error_description?: string;
    msg?: string;
    requestId?: string;
    error?: string;
    key?: string;
    methods?: TwoStepMethod[];
    mail?: string;
  };
  if (!response.ok || typeof body.access_token !== 'string')
    throw new LoginError(
      body.error_description ?? body.msg ?? '',
      response.status,
      body.requestId,
      body.error,
      body.key !== undefined && body.methods ? { key: body.key, methods: body.methods, mail: body.mail } : undefined,
    );
  return body;
}

function settle(answer: TokenAnswer): void {
  tokens = { access: answer.access_token, refresh: answer.refresh_token };
  channel.postMessage(tokens);
  keep('session', {
    userId: answer.userId,
    username: answer.username,
    nickname: answer.nickname,
    companyId: answer.companyId,
    orgId: answer.orgId,
    timezoneId: answer.timezoneId,
    zoneChosen: answer.zoneChosen,
    countryId: answer.countryId,
    expiresAt: Date.now() + answer.expires_in * 1000,
    mustChangePassword: answer.mustChangePassword,
    ...(answer.visit ? { visit: { ...answer.visit, from: session()?.visit?.from ?? Date.now() } } : {}),
  } satisfies Session);
}

export async function logIn(
  username: string,
  password: string,
  captcha?: { key: string; code: string },
): Promise<void> {
  keep('organization', undefined);
  await askToken(
    { grant_type: 'captcha', username, password: md5(password) },
    captcha ? { 'captcha-key': captcha.key, 'captcha-code': captcha.code } : {},
  ).then(settle);
  if (session()?.mustChangePassword) oneTime = password;
}

/** Applies another time zone or country. */
export function setPlace(place: { timezoneId: number; zoneChosen: boolean } | { countryId: number }): void {
  const current = session();
  if (current) keep('session', { ...current, ...place });
}

export async function logInSecond(step: SecondStep, code: string): Promise<void> {
  settle(await askToken({ grant_type: 'captcha', key: step.key, code }));
}

/** Takes over a session after a login through a provider (OIDC), of which only the cookies exist. */
export async function takeUpSession(): Promise<void> {
  keep('organization', undefined);
  settle(await askToken({ grant_type: 'refresh_token' }, background));
}

const marginMs = 60_000;
let refreshing: Promise<void> | undefined;

/**
 * Renews the session a minute before it ends. One tab of the browser does it at a time: a refresh token works once, and
 * a second use ends the whole session (AUTH-07).
 */
export function freshen(): Promise<void> {
  const now = session();
  if (now === undefined || now.expiresAt - Date.now() > marginMs) return Promise.resolve();
  refreshing ??= navigator.locks
    .request('carillon-refresh', async () => {
      const current = session();
      if (current === undefined || current.expiresAt - Date.now() > marginMs) return;
      settle(
        await askToken(
          { grant_type: 'refresh_token', ...(tokens ? { refresh_token: tokens.refresh } : {}) },
          background,
        ),
      );
    })
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}

/** Removes all data of the current company when the session moves to another one. */
function move(to: string): void {
  for (const key of ['organization', 'user']) keep(key, undefined);
  for (const key of ['tabs', 'tabsOf']) keep(key, undefined, sessionStorage);
  location.replace(to);
}

const hearsWithinMs = 5_000;
/** Waits until the API gateway has received a new visit, a moment after its token exists. */
async function isHeardOf({ access_token: token }: TokenAnswer): Promise<void> {
  const path: typeof getUserInfo.path = '/api/f/mc/user/info';
  const until = Date.now() + hearsWithinMs;
  for (;;) {
    // The chosen organization belongs to the company that is left.
    const own = { 'carillon-auth': `bearer ${token}`, 'carillon-token': token, 'carillon-org': '1' };
    const { status } = await fetch(path, { headers: { ...(await headers()), ...own, ...background } });
    if (status !== 503 || Date.now() > until) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

/** Returns whether the visit is so new that other gateways may not have received it yet. */
export const justMoved = (): boolean => Date.now() - (session()?.visit?.from ?? 0) < hearsWithinMs;

let changing = false;
/**
 * Moves the session to another company with its next token: to an entered customer's, or back to their own. All tabs
 * follow. `first` is the call that requests it; a tab that learns of the move before its own response waits.
 */
export async function changeCompany(
  to: string,
  first: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  if (changing) return;
  changing = true;
  const from = session()?.companyId;
  const ask = async () => {
    // Another tab was faster.
    if (session()?.companyId !== from) return;
    const answer = await askToken({
      grant_type: 'refresh_token',
      ...(tokens ? { refresh_token: tokens.refresh } : {}),
    });
    await isHeardOf(answer);
    settle(answer);
  };
  try {
    await first();
    await navigator.locks.request('carillon-refresh', ask);
  } catch (e) {
    changing = false;
    throw e;
  }
  channel.postMessage('moved');
  move(to);
}

/** Returns to the user's own company, because the access to the customer's one has ended. */
export function leaveCustomer(): void {
  if (session()?.visit !== undefined) void changeCompany('/channel/boundChannelList').catch(() => endSession());
}

/** Returns the headers of every call (AUTH-04). Without a token in memory the cookie identifies the session. */
export async function headers(): Promise<Record<string, string>> {
  return {
    authorization: basicHeader(await settings()),
    ...(tokens ? { 'carillon-auth': `bearer ${tokens.access}`, 'carillon-token': tokens.access } : {}),
    'carillon-language': currentLanguage(),
    'carillon-org': organization(),
    'carillon-timezone': String(session()?.timezoneId ?? 1),
  };
}

/** The one-time password from the login until the user has chosen their own: in memory only. */
let oneTime: string | undefined;
export const oneTimePassword = (): string | undefined => oneTime;

/** Records that the password was changed. */
export function passwordChanged(): void {
  oneTime = undefined;
  const current = session();
  if (current) keep('session', { ...current, mustChangePassword: false });
}

/** Records that the server requires a change of the one-time password. */
export function mustChangePassword(): void {
  const current = session();
  if (current) keep('session', { ...current, mustChangePassword: true });
  if (location.pathname !== '/resetPassword') location.replace('/resetPassword');
}

let toRoot = false;
function leave(to = '/'): void {
  // An ended session goes to the root page, even when a call finds the storage empty before the page is left (AUTH-08).
  if (to === '/') toRoot = true;
  else if (toRoot) return;
  tokens = undefined;
  oneTime = undefined;
  for (const key of ['session', 'user', 'lockPassword']) keep(key, undefined);
  // The next user of this browser may be another person.
  for (const key of ['tabs', 'tabsOf']) keep(key, undefined, sessionStorage);
  setLocked(false);
  location.replace(to);
}

/** Forgets the session in all tabs and goes to the root page, which asks for a new login (AUTH-08). */
export function endSession(): void {
  if (session() === undefined && tokens === undefined) return;
  channel.postMessage('ended');
  leave();
}

/** Goes to the login, because the browser has no session any more (an emptied storage; AUTH-08). */
export function loseSession(): void {
  leave(
    location.pathname === '/login' ? '/login' : `/login?to=${encodeURIComponent(location.pathname + location.search)}`,
  );
}

/** Ends an idle session on the server too, which would notice only at the next call. */
export async function leaveIdle(): Promise<void> {
  const path: typeof logout.path = '/api/f/auth/oauth/logout';
  const end = fetch(path, {
    credentials: 'include',
    keepalive: true,
    headers: { ...(await headers()), ...background },
  });
  await Promise.race([
    end.catch(() => {}),
    new Promise((r) => {
      setTimeout(r, 1_000);
    }),
  ]);
  endSession();
}
