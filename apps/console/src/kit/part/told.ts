/**
 * What can be taken back while its word is shown; answers what to say then. Asked again after a failure, it goes on
 * with what is left.
 */
export interface Undo {
  run: () => Promise<string>;
}
/** For the calls that take back: where it is asked for, a failure is told and a second try stays. */
export const toldThere = { told: true };
export interface Word {
  title: string;
  undo?: Undo | undefined;
}

/**
 * Something that was done, for five seconds, and for ten with a way back; or another word that no page shows itself.
 */
export function told(kind: 'success', title: string, undo?: Undo): void {
  dispatchEvent(new CustomEvent('carillon-told', { detail: { kind, title, undo } }));
}
