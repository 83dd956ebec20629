import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '@carillon/contracts';

/**
 * The acting user, company, organizations and language: one object for HTTP (from the API gateway's signed header), the
 * bus (from the envelope) and timers (stored when the work was ordered).
 */
export interface Context {
  /** Null: the system itself. */
  userId: string | null;
  username: string;
  companyId: string;
  /** Organizations whose objects are visible; `*` is the whole company. */
  orgIds: readonly string[] | '*';
  /** The ids are all organizations of the company, and future ones are visible too. */
  allOrgs?: true;
  /** Organization of new objects when none is named. */
  orgId: string | null;
  permissions: readonly string[];
  language: Language;
  timezoneId: number;
  /** Absent for the system, and for a user whose country is unknown. */
  countryId?: number;
  sessionId: string | null;
  address: string | null;
  requestId: string | null;
  /** When the call was made, Unix time in milliseconds by the API gateway's clock; set for calls only. */
  askedAt?: number;
  /** Name of the calling developer token, when the caller is not a person (AUTH-17). */
  apiToken?: string;
  /** The caller belongs to the parent company and visits a customer's company that let them in (CHN-07). */
  visit?: Visit;
}

/** Both sides of a visit to a customer's company. */
export interface Visit {
  accessId: string;
  /** The visitor, in their own company. */
  userId: string;
  username: string;
  companyId: string;
  company: string;
  /** The visited company, and the grantor. */
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

/** Returns the running context. Throws when there is none, which is a programming error. */
export function context(): Context {
  const current = storage.getStore();
  if (!current) throw new Error('no tenant context: run this inside a request, a message or runAs()');
  return current;
}

/** Returns the context of the system that acts for one company: for consumers and timers. */
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

/** Returns whether the caller sees every organization of the company, also when they currently look at one only. */
export function seesAll(): boolean {
  const { orgIds, allOrgs } = context();
  return orgIds === '*' || allOrgs === true;
}

export function can(permission: string): boolean {
  return context().permissions.includes(permission);
}
