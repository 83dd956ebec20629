import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorKey } from '@carillon/contracts/errors';

export interface RedirectAccount {
  address: URL;
  userName: string;
  secret: string;
}
export interface RedirectCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Longest answer in bytes, if not the usual one. */
  mostBytes?: number;
}
export interface RedirectAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Calls of one account. */
export interface RedirectSession {
  account: RedirectAccount;
  /** Sends a call. Throws {@link RedirectFault} without an answer of the protocol, also for a wrong secret. */
  send(call: RedirectCall): Promise<RedirectAnswer>;
  /** What was learned from earlier answers, for some minutes. */
  memory: Map<string, string>;
}

/**
 * The protocol of a redirect service. Each call may be repeated: registering a registered MAC and taking off an unknown
 * one succeed. MACs have twelve lower-case digits.
 */
export interface RedirectMaker {
  /** Has the service send the phone with this MAC to the server. */
  register(session: RedirectSession, mac: string, server: URL): Promise<void>;
  remove(session: RedirectSession, mac: string): Promise<void>;
  /** Signs in and changes nothing. */
  check(session: RedirectSession): Promise<void>;
}

/** Why a service did not take a call: an error of the catalogue. */
export class RedirectFault extends Error {
  constructor(
    readonly key: ErrorKey & `redirectService.${string}`,
    readonly values: Record<string, string> = {},
  ) {
    super(key);
  }
}

const mostReason = 120;
// oxlint-disable-next-line no-control-regex -- What a service answers is shown as text.
const unprintable = /[\u0000-\u001f\u007f\ufffd]+/g;

/** Returns the fault for an error of the service that has no meaning here; its words are cut, and have no secret. */
export const refusedWith = (text: string, { secret }: RedirectAccount): RedirectFault =>
  new RedirectFault('redirectService.refused', {
    reason: text.replaceAll(secret, '…').replace(unprintable, ' ').trim().slice(0, mostReason) || '?',
  });

export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
