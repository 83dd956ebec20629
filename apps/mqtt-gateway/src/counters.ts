import type { Fault } from './codec/fault.ts';

/** Reasons for refusing a CONNECT or a socket. */
export type Refusal =
  | 'connections'
  | 'halfOpen'
  | 'halfOpenPerAddress'
  | 'connectTimeout'
  | 'rate'
  | 'storing'
  | 'credentialFeed'
  | 'draining'
  | 'secret'
  | 'disabled'
  | 'userName'
  | 'certificate'
  | 'deviceRate';

/**
 * Reasons for the end of a connection. `taken` has no offline event, because the online of the new session replaces it.
 */
export type EndReason = 'closed' | 'lost' | 'taken' | 'drain' | 'refused';

/** Reasons for not sending a command. */
export type Drop =
  | 'expired'
  | 'clock'
  | 'repeated'
  | 'tooLong'
  | 'withdrawn'
  | 'notConnected'
  | 'owner'
  | 'era'
  | 'unreadable';

/** Counts since the start, for metrics and health. */
export class Counters {
  accepted = 0;
  received = 0;
  invalid = 0;
  written = 0;
  frozen = 0;
  /** Errors of the gateway itself, each of which closed one connection. */
  defects = 0;
  readonly refused: Partial<Record<Refusal, number>> = {};
  readonly faults: Partial<Record<Fault, number>> = {};
  readonly dropped: Partial<Record<Drop, number>> = {};
  readonly ended: Partial<Record<EndReason, number>> = {};
}

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
