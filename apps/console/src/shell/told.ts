/** What can be taken back while its word is shown; answers what to say then. */
export interface Undo { run: () => Promise<string> }
export interface Word { title: string; undo?: Undo | undefined }

/** Something that was done, for five seconds, and for ten with a way back; or another word that no page shows itself. */
export function told(kind: 'success', title: string, undo?: Undo): void {
  dispatchEvent(new CustomEvent('carillon-told', { detail: { kind, title, undo } }));
}
