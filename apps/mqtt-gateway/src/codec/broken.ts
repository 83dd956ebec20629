import type { Fault } from './fault.ts';

/** A publish that breaks the protocol: it is not acknowledged and its connection is closed. */
export class Broken extends Error {
  constructor(readonly fault: Fault) {
    super(fault);
  }
}
