import { useEffect } from 'react';

/** In a menu whose items come a moment after it opened: it has the focus itself until then, and its first item after. */
export function FocusFirst() {
  useEffect(() => {
    const menu = document.activeElement;
    if (menu?.getAttribute('role') === 'menu') menu.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, []);
  return null;
}
