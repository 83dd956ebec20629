/** Returns the button of the menu that contains an element, or null. */
function menuButtonOf(element: Element): HTMLElement | null {
  const menu = element.closest('[role=menu]');
  return menu && document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`);
}

/**
 * The button of the last focused menu, until an element outside of menus gets the focus. A closing menu leaves the
 * focus on the body for 10 ms, during which its dialog may open.
 */
let menuButton: HTMLElement | null = null;
// The build reads the theme in Node, where nothing has the focus.
globalThis.addEventListener?.('focusin', ({ target }) => {
  menuButton = target instanceof Element ? menuButtonOf(target) : null;
});

/**
 * A ref for every dialog. A dialog that is removed returns the focus to the previously focused element, or to the
 * button of its menu (SHELL-20). A dialog that closes by itself already does this.
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
