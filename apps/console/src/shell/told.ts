/** Something that was done, for five seconds; or another word that no page shows itself. */
export function told(kind: 'success', title: string): void {
  dispatchEvent(new CustomEvent('carillon-told', { detail: { kind, title } }));
}
