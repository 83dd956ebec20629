import type * as contracts from '@carillon/contracts';
import type { RouteDefinition } from '@carillon/contracts';
import { CallError, createClient } from '@carillon/contracts/client';
import { background, isBackground, newTraceparent } from '../browser/origin.ts';
import { called } from '../session/idle.ts';
import { platformClock } from './platform-clock.ts';
import { isLocked, justUnlocked, showLock } from '../session/lock.ts';
import {
  endSession,
  freshen,
  headers,
  justMoved,
  leaveCustomer,
  LoginError,
  loseSession,
  mustChangePassword,
  session,
} from '../session/session.ts';

type Routes = {
  [K in keyof typeof contracts as (typeof contracts)[K] extends RouteDefinition ? K : never]: (typeof contracts)[K];
};
type Address<R> = R extends { method: infer M extends string; path: infer P extends string } ? `${M} ${P}` : never;

/**
 * Returns a call of the contract by its name and address. The compiler checks the address against the contract, whose
 * schemas, which only the server needs, stay out of the browser.
 */
export function remote<K extends keyof Routes>(_name: K, address: Address<Routes[K]>): Routes[K] {
  const [method, path] = (address as string).split(' ');
  return { method, path } as unknown as Routes[K];
}

interface Watcher {
  /** Called when no caller showed the error of a failed call. */
  failed: (error: CallError, name: string) => void;
  /** Called when a failure is resolved: the call succeeded, or a form shows the error now. */
  settled: (what: CallError | string) => void;
}
let watcher: Watcher | undefined;
/** Registers the handler of errors that no caller shows: the shell's red toast (SHELL-16). */
export const onCallError = (watches: Watcher) => {
  watcher = watches;
};

const placed = new WeakSet<CallError>();
/**
 * Marks an error as shown beside its cause: under a field, in a form, at a button. It is then not also shown as a
 * toast.
 */
export function placeError(error: CallError): void {
  placed.add(error);
  watcher?.settled(error);
}
/** Reports an error after the caller had a chance to show it. */
function reportError(error: unknown, name: string): void {
  if (!(error instanceof CallError) || [400, 401, 423].includes(error.code)) return;
  if (error.error === 'auth.passwordChangeRequired' || error.error === 'supportAccess.ended') return;
  setTimeout(() => {
    if (!placed.has(error)) watcher?.failed(error, name);
  });
}

const client = createClient({
  baseUrl: '',
  fetch: async (...asked: Parameters<typeof fetch>) => {
    const response = await fetch(...asked);
    platformClock.hear(response.headers.get('date'));
    return response;
  },
  onError: (error) => {
    if (error.code === 401) endSession();
    else if (error.code === 423) {
      if (!justUnlocked()) showLock();
    } else if (error.error === 'auth.passwordChangeRequired') {
      if (session()?.mustChangePassword !== false) mustChangePassword();
    } else if (error.error === 'supportAccess.ended') leaveCustomer();
  },
});

const retryMs = 200;
const mostRetries = 15;

/** Returns whether the error may come from a gateway that has not yet received an unlock or a password change. */
const isOutdated = (e: unknown): boolean =>
  e instanceof CallError &&
  ((e.code === 423 && !isLocked() && justUnlocked()) ||
    (e.code === 503 && justMoved()) ||
    (e.error === 'auth.passwordChangeRequired' && session()?.mustChangePassword === false));

/**
 * Returns the headers of one call, which its retries repeat: session, organization, time of the request for a change,
 * and its own trace.
 */
async function headersFor(
  { method, path }: RouteDefinition,
  askedAt: number | undefined,
  inBackground: boolean,
): Promise<Record<string, string>> {
  return {
    ...(await headers()),
    // The selectable organizations are not limited to the chosen one.
    ...(path === '/api/f/mc/org' ? { 'carillon-org': '1' } : {}),
    traceparent: newTraceparent(),
    ...(method === 'GET' || askedAt === undefined ? {} : { 'carillon-asked-at': String(askedAt) }),
    ...(inBackground ? background : {}),
  };
}

/** The call of {@link createClient} with the session's headers, renewal and its own trace. Throws {@link CallError}. */
export const call = (async (...[route, input, init]: Parameters<typeof client>) => {
  const inBackground = isBackground(init?.signal);
  const askedAt = platformClock.now();
  if (session() === undefined) {
    // A call of the console itself does not end the session: it waits for the user's next action.
    if (!inBackground) loseSession();
    throw new CallError(401, '', 'common.tokenInvalid', undefined);
  }
  if (!inBackground) called();
  // Only a refusal ends the session: a server that is down for a moment does not.
  await freshen().catch((e: unknown) => {
    if (e instanceof LoginError && e.status < 500) endSession();
  });
  const name = `${route.method} ${route.path}`;
  const ownInit = { ...init, headers: await headersFor(route, askedAt, inBackground) };
  for (let retries = 0; ; retries++) {
    try {
      const answer = await client(route, input, ownInit);
      watcher?.settled(name);
      return answer;
    } catch (e) {
      if (retries === mostRetries || !isOutdated(e)) {
        if (!init?.quiet) reportError(e, name);
        throw e;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, retryMs);
      });
    }
  }
}) as typeof client;

export { CallError };
export const isCallError = (e: unknown): e is CallError => e instanceof CallError;
