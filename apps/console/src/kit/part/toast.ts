import type { CallError } from '../api/call.ts';

/**
 * An undo, offered while its message is shown; returns the message to show then. After a failure it can run again and
 * continues with the rest.
 */
export interface Undo {
  run: () => Promise<string>;
}
/** A failed call whose caller does not show the error. */
export interface Trouble {
  error: CallError;
  /** Name of the call. */ of: string;
}
export interface Word {
  title: string;
  undo?: Undo | undefined;
}

/**
 * Confirms an action for five seconds, or for ten with an undo: "Harbor Hotels added". The text names the object,
 * because the user may look elsewhere by then.
 */
export function showToast(title: string, undo?: Undo): void {
  dispatchEvent(new CustomEvent('carillon-toast', { detail: { title, undo } }));
}
