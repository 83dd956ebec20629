export interface Seen {
  name: string;
  reached: boolean;
  ring: boolean;
  inSight: boolean;
  dialog: boolean;
  roving: boolean;
  menuItem: boolean;
  /** Row of a list that contains it; Tab reaches at least one row. */
  row: string | undefined;
  /** Group of radios: Tab reaches one, and arrows the others. */
  radios: string | undefined;
  /** A text field that always has the focus. */
  only: boolean;
}
interface Watch {
  all: HTMLElement[];
  seen: Seen[];
  within: boolean;
  look(el: HTMLElement): string;
}
declare global {
  interface Window {
    watch?: Watch;
    /** The last element pressed with a pointer. */ pressedLast?: HTMLElement | undefined;
  }
}

/** Runs in each page before its own code: records what opens a dialog, which must get the focus back. */
export function noteOpener(): void {
  addEventListener(
    'click',
    (event) => {
      window.pressedLast =
        event.target instanceof Element
          ? (event.target.closest<HTMLElement>('a[href],button,[role=menuitem],[role=link]') ?? undefined)
          : undefined;
    },
    true,
  );
}

/** Runs in the page: disables transitions, because a changing colour cannot be compared. */
export function atOnce(): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  const before = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [...before, sheet];
  window.endWatch = () => {
    document.adoptedStyleSheets = before;
  };
  return new Promise((go) => {
    requestAnimationFrame(() => requestAnimationFrame(() => go()));
  });
}

/** Runs in the page: collects each element that a pointer could press, and marks it when it gets the focus. */
export function begin(): {
  count: number;
  inside: number;
  within: boolean;
  modal: boolean;
  pointerOnly: string[];
  dead: string[];
} {
  const pressed =
    'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=menuitem],[role=option],[role=tab],[role=checkbox],[role=switch],[contenteditable=true]';
  const shown = (el: Element) => {
    const box = el.getBoundingClientRect();
    return (
      box.width > 0 &&
      box.height > 0 &&
      el.checkVisibility({ visibilityProperty: true }) &&
      el.closest('[inert],[aria-hidden=true]') === null
    );
  };
  // The link that skips the menu appears with the focus.
  const all = [...document.querySelectorAll<HTMLElement>(pressed)].filter(
    (el) =>
      shown(el) &&
      !el.matches(':disabled,[aria-disabled=true],[type=hidden],[type=file]') &&
      el.parentElement!.closest(pressed) === null,
  );
  const name = (el: Element) =>
    `<${el.localName}> "${(el.getAttribute('aria-label') ?? el.textContent?.trim() ?? '').slice(0, 40) || el.getAttribute('name') || el.className}"`;
  const look = (el: HTMLElement) =>
    [el, el.nextElementSibling, el.previousElementSibling, el.parentElement, el.parentElement?.parentElement]
      .map((e) => {
        if (!e) return '';
        const s = getComputedStyle(e);
        return [
          s.outlineStyle === 'none' ? '' : `${s.outlineWidth} ${s.outlineColor}`,
          s.boxShadow,
          s.borderColor,
          s.backgroundColor,
          s.textDecorationLine,
        ].join(' ');
      })
      .join('|');
  const before = new Map(all.map((el) => [el, look(el)]));
  const first = document.activeElement;
  const dialog = document.activeElement?.closest('[role=dialog],[role=menu]') ?? null;
  const seen = all.map((el): Seen => ({
    name: name(el),
    reached: el === first,
    ring: false,
    inSight: el === first,
    dialog: dialog?.contains(el) === true,
    // Tab reaches one row of a list, one match of the palette, one key of a phone, one radio of a group, and arrows
    // the others.
    roving: el.closest('[data-id],[data-action],[data-key]') !== null && el.tabIndex === -1,
    menuItem: el.closest('[role=menu],[role=listbox]') !== null,
    row: el.closest<HTMLElement>('[data-id]')?.dataset['id'],
    radios: el.matches('[type=radio]') ? `radios ${(el as HTMLInputElement).name}` : undefined,
    only:
      el === first &&
      el.matches('input:not([type=checkbox],[type=radio]),textarea') &&
      [...(dialog?.querySelectorAll<HTMLElement>(pressed) ?? [])].filter((e) => e.tabIndex >= 0).length === 1,
  }));
  const watch: Watch = { all, seen, within: dialog !== null, look };
  window.watch = watch;
  const onFocus = (event: FocusEvent): void => {
    const el = event.target as HTMLElement;
    if (dialog !== null && !dialog.contains(el)) watch.within = false;
    const at = all.indexOf(el);
    if (at === -1) return;
    const s = seen[at]!;
    s.reached = true;
    s.ring ||= look(el) !== before.get(el);
    const box = el.getBoundingClientRect();
    s.inSight ||= box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  };
  document.addEventListener('focusin', onFocus);
  const { endWatch } = window;
  window.endWatch = () => {
    endWatch?.();
    document.removeEventListener('focusin', onFocus);
    window.watch = undefined;
  };
  // The initially focused element is compared when it loses the focus.
  const lit = first instanceof HTMLElement ? look(first) : '';
  first?.addEventListener('focusout', () => {
    const at = all.indexOf(first as HTMLElement);
    if (at !== -1) seen[at]!.ring ||= look(first as HTMLElement) !== lit;
  });
  if (dialog === null) {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  }
  // Finds pointer handlers in React's properties; the overlay behind a dialog closes it like Esc does.
  const hears = (el: Element) => {
    const key = Object.keys(el).find((k) => k.startsWith('__reactProps$'));
    const props = (key === undefined ? undefined : (el as unknown as Record<string, object>)[key]) ?? {};
    const heard = ['onClick', 'onDoubleClick', 'onMouseDown', 'onMouseUp', 'onPointerDown', 'onPointerUp'];
    return (
      ((el as HTMLElement).onclick || heard.some((on) => typeof Reflect.get(props, on) === 'function')) &&
      !el.matches('[class*=verlay]')
    );
  };
  // A pointer cursor or a pointer handler, without a focusable element inside.
  const pointerOnly = [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((el) => {
      const hand =
        getComputedStyle(el).cursor === 'pointer' && getComputedStyle(el.parentElement!).cursor !== 'pointer';
      if ((!hand && !hears(el)) || !shown(el)) return false;
      if (el.closest(`${pressed},label,[tabindex],option`) !== null) return false;
      // A row that opens by pointer has a name that opens it too.
      return el.matches('tr[data-id]')
        ? hand && el.querySelector('[data-name]') === null
        : el.querySelector(`${pressed},label`) === null;
    })
    .map(name);
  // Elements that the browser itself activates with Enter or Space; options are chosen from their field.
  const dead = all
    .filter((el) => !el.matches('a[href],button,input,select,textarea,summary,[contenteditable=true],[role=option]'))
    .map(name);
  return {
    count: all.length,
    inside: dialog === null ? all.length : seen.filter((s) => s.dialog).length,
    within: dialog !== null,
    modal: [...document.querySelectorAll('[role=dialog][aria-modal=true]')].some(shown),
    pointerOnly,
    dead,
  };
}

/** Runs in the page: returns whether Tab has reached everything that it can reach. */
export function allReached(): boolean {
  const { seen, within } = window.watch!;
  return seen.every((s) => s.reached || s.roving || (within && !s.dialog));
}
