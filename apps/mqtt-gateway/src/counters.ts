import type { Fault } from './codec/fault.ts';

/** Why a CONNECT or a socket was not taken, for counting. */
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

/** Why a connection ended. `taken` has no offline message: the online of the one that took it says it. */
export type EndReason = 'closed' | 'lost' | 'taken' | 'drain' | 'refused';

/** Why a command did not go out. */
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

/** What happened since the start, for metrics and health. */
export class Counters {
  accepted = 0;
  received = 0;
  invalid = 0;
  written = 0;
  frozen = 0;
  /** Faults of the gateway's own, closed with the connection they met. */
  defects = 0;
  readonly refused: Partial<Record<Refusal, number>> = {};
  readonly faults: Partial<Record<Fault, number>> = {};
  readonly dropped: Partial<Record<Drop, number>> = {};
  readonly ended: Partial<Record<EndReason, number>> = {};
}

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
