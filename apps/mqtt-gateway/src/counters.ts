import type { Refusal } from './admission.ts';
import type { Fault } from './codec/fault.ts';
import type { EndReason } from './connection.ts';

/** Why a command did not go out. */
export type Drop = 'expired' | 'clock' | 'tooLong' | 'withdrawn' | 'notConnected' | 'owner' | 'era' | 'unreadable';

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

export function countOf<K extends string>(of: Partial<Record<K, number>>, key: K): void {
  of[key] = (of[key] ?? 0) + 1;
}
