/** Returns what the focus goes back to from here: an item of a menu is gone by then, so its menu's button. */
function placeOf(element: HTMLElement): HTMLElement {
  const menu = element.closest('[role=menu]');
  return (menu && document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`)) ?? element;
}

/**
 * What had the focus last. A menu that closes leaves it to nothing for 10 ms, and the dialog that it opens may come
 * within them.
 */
let last: HTMLElement | undefined;
globalThis.addEventListener?.('focusin', ({ target }) => {
  if (target instanceof HTMLElement) last = placeOf(target);
});

/**
 * A ref of every dialog. A dialog that is removed leaves the focus nowhere, so it goes back to what had it before
 * (SHELL-20). A dialog that closes by itself gives it back already.
 */
export function returnFocus(node: HTMLElement | null): (() => void) | undefined {
  if (node === null) return undefined;
  const before = last;
  return () => {
    setTimeout(() => {
      if (document.activeElement === document.body) before?.focus();
    });
  };
}
