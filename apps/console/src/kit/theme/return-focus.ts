/**
 * A ref of every dialog: one that is taken away leaves the focus nowhere, so it goes back to where it was, or to what
 * opened the menu that it was in (SHELL-20). One that closes by itself does so already.
 */
export function returnFocus(node: HTMLElement | null): (() => void) | undefined {
  if (node === null) return undefined;
  const before = document.activeElement as HTMLElement | null;
  const menu = before?.closest('[role=menu]');
  const back = (menu && document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`)) ?? before;
  return () => {
    setTimeout(() => {
      if (document.activeElement === document.body) back?.focus();
    });
  };
}
