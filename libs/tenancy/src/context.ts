import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '@carillon/contracts';

/**
 * Who acts, for which company and organizations, in which language: one object for HTTP (from the API gateway's signed
 * header), the bus (from the envelope) and timers (stored when the work was ordered).
 */
export interface Context {
  /** Null: the system itself. */
  userId: string | null;
  username: string;
  companyId: string;
  /** Organizations whose objects may be seen; `*` is all of the company. */
  orgIds: readonly string[] | '*';
  /** The ids are all that the company has, also those that come later. */
  allOrgs?: true;
  /** Where new objects go when none is named. */
  orgId: string | null;
  permissions: readonly string[];
  language: Language;
  timezoneId: number;
  sessionId: string | null;
  address: string | null;
  requestId: string | null;
  /** Name of the developer's token that calls, instead of a person (AUTH-17). */
  apiToken?: string;
}

const storage = new AsyncLocalStorage<Context>();

export function runAs<T>(context: Context, fn: () => T): T {
  return storage.run(context, fn);
}

export function maybeContext(): Context | undefined {
  return storage.getStore();
}

/** The running context; work outside of one is a mistake in the program. */
export function context(): Context {
  const current = storage.getStore();
  if (!current) throw new Error('no tenant context: run this inside a request, a message or runAs()');
  return current;
}

/** The system acting for one company: consumers and timers. */
export function systemContext(companyId: string): Context {
  return {
    userId: null,
    username: 'system',
    companyId,
    orgIds: '*',
    orgId: null,
    permissions: [],
    language: 'en_US',
    timezoneId: 1,
    sessionId: null,
    address: null,
    requestId: null,
  };
}

export function can(permission: string): boolean {
  return context().permissions.includes(permission);
}
