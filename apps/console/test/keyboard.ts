import type { Page } from 'playwright-core';
import { pressTimes } from './press.ts';

interface Seen {
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
function atOnce(): Promise<void> {
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
function begin(): {
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
function allReached(): boolean {
  const { seen, within } = window.watch!;
  return seen.every((s) => s.reached || s.roving || (within && !s.dialog));
}

/** Checks the palette, which keeps the focus in its field while arrows move through the matches in a circle. */
async function matchFaults(page: Page): Promise<string[]> {
  const matches = await page.locator('[role=dialog] [data-action]').count();
  if (matches === 0) return [];
  const chosen = new Set<number>();
  for (let i = 0; i < matches; i++) {
    await page.keyboard.press('ArrowDown');
    chosen.add(
      await page.evaluate(() =>
        [...document.querySelectorAll('[role=dialog] [data-action]')].findIndex((el) => el.matches('[data-selected]')),
      ),
    );
  }
  chosen.delete(-1);
  return chosen.size < matches ? [`arrows choose ${chosen.size} of ${matches} matches`] : [];
}

/**
 * Checks that everything in the row that Tab reaches is reachable; controls shown for a pointer only are also in the
 * row's menu.
 */
async function rowFaults(page: Page, seen: readonly Seen[]): Promise<string[]> {
  const at = seen.findIndex((s) => s.row !== undefined && s.roving === false && s.reached);
  const { row } = seen[at] ?? {};
  if (row === undefined) return [];
  const left = seen.filter((s) => s.row === row && !s.reached);
  if (left.length === 0) return [];
  const opened = await page.evaluate((i) => {
    const line = window.watch!.all[i]!.closest('[data-id]')!;
    const button = line.querySelector<HTMLElement>('button[aria-haspopup=menu]');
    button?.focus();
    return button !== null;
  }, at);
  // Kept, because opening the row's menu below must not count as what opened the drawer beside the list.
  const opener = await page.evaluateHandle(() => window.pressedLast);
  if (!opened) return left.map((s) => `${s.name} in a row is not reached by Tab`);
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  const there = await items
    .first()
    .waitFor({ timeout: 2_000 })
    .then(
      () => true,
      () => false,
    );
  if (!there) return ['Enter does not open the menu of a row'];
  const offered = await items.allInnerTexts();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached', timeout: 2_000 });
  await page.evaluate((before) => {
    window.pressedLast = before;
  }, opener);
  return left
    .filter((s) => !offered.some((text) => s.name.endsWith(`"${text.trim()}"`)))
    .map((s) => `${s.name} in a row is neither reached by Tab nor in the menu of the row`);
}

/**
 * Walks through a screen by keyboard alone and returns the faults (SHELL-20): elements that a pointer can press but Tab
 * does not reach, that are out of sight or show no focus; pointer-only actions; a dialog that does not take, hold or
 * return the focus or ignores Esc.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  // A menu holds the focus, and arrows move through it; otherwise no key would close it.
  if ((await page.getByRole('menu').count()) > 0) {
    const inside = await page
      .waitForFunction(() => document.activeElement?.closest('[role=menu]'), undefined, { timeout: 2_000 })
      .catch(() => undefined);
    if (!inside) return ['the menu that is open does not take the focus'];
  }
  // A dialog takes the focus a moment after it opens; a drawer beside the page does not.
  if ((await page.locator('[role=dialog]:not([aria-modal=false])').count()) > 0)
    await page
      .waitForFunction(
        () => document.activeElement?.closest('[role=dialog]') !== null && document.activeElement !== document.body,
        undefined,
        { timeout: (await page.locator('[role=dialog][aria-modal=true]').count()) > 0 ? 3_000 : 500 },
      )
      .catch(() => undefined);
  await page.evaluate(atOnce);
  const { count, inside, within, modal, pointerOnly, dead } = await page.evaluate(begin);
  const faults = [
    ...pointerOnly.map((name) => `${name} can be pressed with a pointer only`),
    ...dead.map((name) => `${name} is no element that a key presses`),
  ];
  if (modal && !within) faults.push('the dialog does not take the focus');
  const menu = await page.evaluate(
    () => document.activeElement?.closest('[role=menu]') !== null && document.activeElement !== document.body,
  );
  const press = (times: number) => pressTimes(page, menu ? 'ArrowDown' : 'Tab', times);
  // A time field has a tab stop for each of its parts.
  const beyond = 3 + (await page.locator('input[type=datetime-local]').count()) * 7;
  /** Ends early, `beyond` presses after the last element was reached: half of a list's elements are no tab stops. */
  const go = async (steps: number) => {
    for (let done = 0; done < steps; done += 8) {
      await press(Math.min(8, steps - done));
      const left = steps - done - 8;
      if (left > 0 && (await page.evaluate(allReached))) return press(Math.min(beyond, left));
    }
  };
  // In a modal dialog elements behind it are never reached: one round is enough.
  await go(inside + beyond);
  // A scrollable list that a field opens on focus is a tab stop too: then the round is longer.
  if (await page.evaluate(() => window.watch!.seen.some((s) => s.dialog && !s.reached && !s.roving)))
    await go(inside + 3);
  if (inside < count && !(await page.evaluate(() => window.watch!.within))) await go(count - inside);
  const { seen, caught } = await page.evaluate(() => {
    const { all, seen, within, look } = window.watch!;
    const last = document.activeElement as HTMLElement;
    const at = all.indexOf(last);
    // The only element of a dialog: compare it without the focus now.
    if (at !== -1 && !seen[at]!.ring) {
      const lit = look(last);
      last.blur();
      seen[at]!.ring = look(last) !== lit;
      last.focus();
    }
    return { seen, caught: within };
  });
  if (modal && within && !caught) faults.push('the dialog lets the focus out');
  if (modal) faults.push(...(await matchFaults(page)));
  const rows =
    !within &&
    (await page.evaluate(() => {
      const [first] = [...document.querySelectorAll<HTMLElement>('tr[data-id] [tabindex="0"]')];
      if (!first || document.querySelectorAll('tr[data-id]').length < 2) return false;
      first.focus();
      return true;
    }));
  if (rows) {
    const at = () => page.evaluate(() => document.activeElement?.closest('[data-id]')?.getAttribute('data-id'));
    const first = await at();
    // Rows are rendered when they come into view, and get the focus a moment later.
    const moved = (from: string | null | undefined) =>
      page
        .waitForFunction((id) => document.activeElement?.closest('[data-id]')?.getAttribute('data-id') !== id, from, {
          timeout: 1_000,
        })
        .catch(() => undefined);
    const [there, back] =
      first ===
      (await page.evaluate(() => [...document.querySelectorAll('tr[data-id]')].at(-1)?.getAttribute('data-id')))
        ? ['ArrowUp', 'ArrowDown']
        : ['ArrowDown', 'ArrowUp'];
    await page.keyboard.press(there!);
    await moved(first);
    const second = await at();
    await page.keyboard.press(back!);
    await moved(second);
    if (second === undefined || second === first || (await at()) !== first)
      faults.push('arrow keys do not go from row to row');
  }
  const reachedRows = seen.filter((s) => s.row !== undefined && s.reached && (!caught || s.dialog));
  if (!caught && seen.some((s) => s.row !== undefined) && reachedRows.length === 0)
    faults.push('no row of the list is reached by Tab');
  if (!menu) faults.push(...(await rowFaults(page, seen)));
  const radios = new Set(seen.map((s) => (s.reached ? s.radios : undefined)));
  for (const s of seen) {
    if (
      s.roving ||
      (!s.reached && s.radios !== undefined && radios.has(s.radios)) ||
      (caught && !s.dialog) ||
      (s.menuItem && !s.dialog)
    )
      continue;
    if (!s.reached) faults.push(`${s.name} is not reached by ${menu ? 'an arrow key' : 'Tab'}`);
    // A field that always has the focus shows it by its caret.
    else if (!s.ring && !(s.only && caught)) faults.push(`${s.name} does not show that it has the focus`);
    else if (!s.inSight) faults.push(`${s.name} has the focus out of sight`);
  }
  if (!within && count > 1 && seen.filter((s) => s.reached).length === 0) faults.push('Tab reaches nothing');
  // A drawer beside the page lets the focus leave: it must close from within too.
  const beside =
    !caught &&
    (await page.evaluate(() => {
      const box = [...document.querySelectorAll('[role=dialog],[role=menu]')].findLast((el) => el.checkVisibility());
      const inside = box?.querySelector<HTMLElement>('a[href],button:not(:disabled),input,[role=menuitem]');
      inside?.focus();
      return inside !== undefined && inside !== null;
    }));
  if (caught || beside) {
    // The first Esc closes a list of options that the focus opened.
    let closed: unknown;
    // A dialog in front of its drawer, which stays: it is closed when the focus is outside of it.
    const front = await page.evaluateHandle(() =>
      [...document.querySelectorAll('[role=dialog],[role=menu]')].findLast((el) => el.checkVisibility()),
    );
    for (let i = 0; i < 2 && !closed; i++) {
      await page.keyboard.press('Escape');
      closed = await page
        .waitForFunction((box) => box?.contains(document.activeElement) !== true, front, { timeout: 1_500 })
        .catch(() => undefined);
    }
    await front.dispose();
    if (!closed) faults.push('Esc does not close the dialog');
    // The opener may be gone, like an entry of a menu: then an element nearby has the focus, never none.
    else if (await page.evaluate(() => window.pressedLast !== undefined)) {
      const back = await page
        .waitForFunction(
          () => {
            const opener = window.pressedLast!;
            return opener.isConnected && opener.checkVisibility()
              ? document.activeElement === opener
              : document.activeElement !== document.body;
          },
          undefined,
          { timeout: 1_500 },
        )
        .catch(() => undefined);
      if (!back)
        faults.push(
          `after Esc the focus is at ${await page.evaluate(() => {
            const a = document.activeElement!;
            return `<${a.localName}> "${(a.getAttribute('aria-label') ?? a.textContent ?? '').slice(0, 40)}"`;
          })} and not at what opened the dialog`,
        );
    }
  }
  return faults;
}
