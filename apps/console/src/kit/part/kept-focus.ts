const modals = '[role=dialog][aria-modal=true]';
/** Dialogs handle the focus themselves a moment after they open or close. */
const soonMs = 100;
const places = 'a[href],button,input:not([type=hidden]),select,textarea,[tabindex="0"]';

/**
 * Keeps the focus inside a dialog whose focused element is removed or disabled, which would leave keyboard users
 * without a position (SHELL-20). Focuses that element when it is available again, otherwise the first element. Returns
 * a function that ends it.
 */
export function keepFocusInDialogs(): () => void {
  /** The last focused element of each dialog: when an upper dialog closes, the lower one continues there. */
  const last = new WeakMap<Element, HTMLElement>();
  let waiting: number | undefined;
  const hear = ({ target }: FocusEvent) => {
    const dialog = target instanceof HTMLElement && target.closest(modals);
    if (dialog) last.set(dialog, target as HTMLElement);
  };
  const look = () => {
    waiting = undefined;
    if (document.activeElement !== document.body) return;
    const dialog = [...document.querySelectorAll<HTMLElement>(modals)].findLast((el) => el.checkVisibility());
    if (dialog === undefined) return;
    const able = (el: HTMLElement) => !el.matches(':disabled') && el.checkVisibility();
    const before = last.get(dialog);
    const was = before !== undefined && dialog.contains(before) ? before : undefined;
    // Temporary: the pressed button is enabled again soon.
    if (was?.matches(':disabled')) return;
    const place =
      was ??
      [...dialog.querySelectorAll<HTMLElement>('[data-autofocus]')].find(able) ??
      [...dialog.querySelectorAll<HTMLElement>(places)].find(able);
    (place ?? dialog).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    // Cheap for a list that changes all the time: nothing is queried while an element has the focus.
    if (document.activeElement === document.body) waiting ??= window.setTimeout(look, soonMs);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  addEventListener('focusin', hear);
  return () => {
    observer.disconnect();
    removeEventListener('focusin', hear);
    clearTimeout(waiting);
  };
}
