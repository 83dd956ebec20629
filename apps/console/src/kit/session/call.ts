import type * as contracts from '@carillon/contracts';
import type { RouteDefinition } from '@carillon/contracts';
import { CallError, createClient } from '@carillon/contracts/client';
import { background, isBackground, newTraceparent } from './origin.ts';
import { called } from './idle.ts';
import { isLocked, justUnlocked, showLock } from './lock.ts';
import { endSession, freshen, headers, LoginError, loseSession, mustChangePassword, session } from './session.ts';

type Routes = {
  [K in keyof typeof contracts as (typeof contracts)[K] extends RouteDefinition ? K : never]: (typeof contracts)[K];
};
type Address<R> = R extends { method: infer M extends string; path: infer P extends string } ? `${M} ${P}` : never;

/**
 * A call of the contract by its name and address. The address is checked against the contract by the compiler, and the
 * contract's schemas, which only the server needs, stay out of the browser.
 */
export function remote<K extends keyof Routes>(_name: K, address: Address<Routes[K]>): Routes[K] {
  const [method, path] = (address as string).split(' ');
  return { method, path } as unknown as Routes[K];
}

type Told = (error: CallError) => void;
let tell: Told = () => {};
/** Who shows what no caller handles: the shell's red toast (SHELL-16). */
export const onCallError = (told: Told) => {
  tell = told;
};

const client = createClient({
  baseUrl: '',
  onError: (error, init) => {
    if (error.code === 401) endSession();
    else if (error.code === 423) {
      if (!justUnlocked()) showLock();
    } else if (error.error === 'auth.passwordChangeRequired') {
      if (session()?.mustChangePassword !== false) mustChangePassword();
    } else if (error.code !== 400 && !init?.told) tell(error);
  },
});

const retryMs = 200;
const mostRetries = 15;

/**
 * Whether another gateway than the one that unlocked the session, or changed the password, may not have heard of it
 * yet.
 */
const isOutdated = (e: unknown): boolean =>
  e instanceof CallError &&
  ((e.code === 423 && !isLocked() && justUnlocked()) ||
    (e.error === 'auth.passwordChangeRequired' && session()?.mustChangePassword === false));

/** Headers of one call, which its repetitions send again: session, organization and a trace of its own. */
async function headersFor(path: string, inBackground: boolean): Promise<Record<string, string>> {
  return {
    ...(await headers()),
    // The organizations to choose from are not narrowed by the chosen one.
    ...(path === '/api/f/mc/org' ? { 'carillon-org': '1' } : {}),
    traceparent: newTraceparent(),
    ...(inBackground ? background : {}),
  };
}

/**
 * {@link createClient}'s call, with the session's headers and renewal and a trace of its own. Throws {@link CallError}.
 */
export const call = (async (...[route, input, init]: Parameters<typeof client>) => {
  const inBackground = isBackground(init?.signal);
  if (session() === undefined) {
    // What the console asks by itself waits for the person's next step.
    if (!inBackground) loseSession();
    throw new CallError(401, '', 'common.tokenInvalid', undefined);
  }
  if (!inBackground) called();
  // Only a refusal ends the session: a server that is away for a moment does not.
  await freshen().catch((e: unknown) => {
    if (e instanceof LoginError && e.status < 500) endSession();
  });
  const ownInit = { ...init, headers: await headersFor(route.path, inBackground) };
  for (let retries = 0; ; retries++) {
    try {
      return await client(route, input, ownInit);
    } catch (e) {
      if (retries === mostRetries || !isOutdated(e)) throw e;
      await new Promise((resolve) => {
        setTimeout(resolve, retryMs);
      });
    }
  }
}) as typeof client;

export { CallError };
export const isCallError = (e: unknown): e is CallError => e instanceof CallError;
