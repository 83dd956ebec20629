import type { Fault } from './fault.ts';

/** A publish that cannot be taken: its connection is closed and it is not acknowledged. */
export class Broken extends Error {
  constructor(readonly fault: Fault) {
    super(fault);
  }
}
