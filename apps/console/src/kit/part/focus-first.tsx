import { useEffect } from 'react';

/** Focuses the first item of a menu whose items load after it opened; until then the menu has the focus. */
export function FocusFirst() {
  useEffect(() => {
    const menu = document.activeElement;
    if (menu?.getAttribute('role') === 'menu') menu.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, []);
  return null;
}
