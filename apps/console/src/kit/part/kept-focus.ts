const modals = '[role=dialog][aria-modal=true]';
/** A dialog that opens or closes sees to the focus by itself, a moment later. */
const soonMs = 100;
const places = 'a[href],button,input:not([type=hidden]),select,textarea,[tabindex="0"]';

/**
 * A dialog whose focused part is taken away, or cannot be pressed while something is sent, would leave whoever works by
 * keyboard nowhere (SHELL-20). The focus goes back to that part once it can have it, or else to what the dialog begins
 * with. Returns how to end it.
 */
export function keepFocusInDialogs(): () => void {
  /** What had the focus last, of each dialog: one that lies over another goes, and that one goes on where it was. */
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
    // It is on its way: what was pressed can be pressed again soon.
    if (was?.matches(':disabled')) return;
    const place =
      was ??
      [...dialog.querySelectorAll<HTMLElement>('[data-autofocus]')].find(able) ??
      [...dialog.querySelectorAll<HTMLElement>(places)].find(able);
    (place ?? dialog).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    // Cheap, for a list that changes all the time: nothing is asked of the page while something has the focus.
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
