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
  /** When the call was asked for, epoch ms by the API gateway's clock; of a call alone. */
  askedAt?: number;
  /** Name of the developer's token that calls, instead of a person (AUTH-17). */
  apiToken?: string;
  /** Who acts comes from the company above, and is here because the company let them in (CHN-07). */
  visit?: Visit;
}

/** Both sides of a visit to a customer's company. */
export interface Visit {
  accessId: string;
  /** Who came, by their own company. */
  userId: string;
  username: string;
  companyId: string;
  company: string;
  /** Where they are, and who let them in. */
  customer: string;
  allowedBy: string;
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

/** Whether the caller sees every organization of the company, also when they look at one only. */
export function seesAll(): boolean {
  const { orgIds, allOrgs } = context();
  return orgIds === '*' || allOrgs === true;
}

export function can(permission: string): boolean {
  return context().permissions.includes(permission);
}
