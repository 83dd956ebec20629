import type { CallError } from '../session/call.ts';

/**
 * What can be taken back while its word is shown; answers what to say then. Asked again after a failure, it goes on
 * with what is left.
 */
export interface Undo {
  run: () => Promise<string>;
}
/** A call that failed, as nobody shows it where it was asked for. */
export interface Trouble {
  error: CallError;
  /** The call. */ of: string;
}
export interface Word {
  title: string;
  undo?: Undo | undefined;
}

/**
 * What was done to what, for five seconds, and for ten with a way back: "Harbor Hotels added". Who did it is looking
 * elsewhere by then, so it names its object.
 */
export function told(title: string, undo?: Undo): void {
  dispatchEvent(new CustomEvent('carillon-told', { detail: { title, undo } }));
}
