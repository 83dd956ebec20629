/** Returns the button of the menu that an element is in, or null when it is in none. */
function menuButtonOf(element: Element): HTMLElement | null {
  const menu = element.closest('[role=menu]');
  return menu && document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`);
}

/**
 * The button of the menu that had the focus last, until something outside of a menu has it. A menu that closes leaves
 * the focus nowhere for 10 ms, and the dialog that it opens may come within this time.
 */
let menuButton: HTMLElement | null = null;
// The build reads the theme in Node, where nothing has the focus.
globalThis.addEventListener?.('focusin', ({ target }) => {
  menuButton = target instanceof Element ? menuButtonOf(target) : null;
});

/**
 * A ref of every dialog. A dialog that is removed leaves the focus nowhere, so it goes back to what had it before, or
 * to the button of the menu that had it (SHELL-20). A dialog that closes by itself gives it back already.
 */
export function returnFocus(node: HTMLElement | null): (() => void) | undefined {
  if (node === null) return undefined;
  const before = menuButton ?? (document.activeElement as HTMLElement | null);
  return () => {
    setTimeout(() => {
      if (document.activeElement === document.body) before?.focus();
    });
  };
}
