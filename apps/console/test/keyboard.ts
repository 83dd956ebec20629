import type { Page } from 'playwright-core';
import { pressTimes } from './press.ts';
import { allReached, atOnce, begin, type Seen } from './keyboard-watch.ts';

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

/** Waits until an open menu or dialog has the focus. Returns the fault of a menu that does not take it. */
async function focusFaults(page: Page): Promise<string[]> {
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
  return [];
}

interface Place {
  /** Number of elements of the page, and of those in the open dialog or menu. */
  count: number;
  inside: number;
  menu: boolean;
}
/** Presses the key that moves the focus until it has been everywhere. Returns what it reached. */
async function walk(page: Page, { count, inside, menu }: Place): Promise<{ seen: Seen[]; caught: boolean }> {
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
  return page.evaluate(() => {
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
}

/** Checks that arrow keys move the focus between the rows of a list. */
async function arrowFaults(page: Page): Promise<string[]> {
  const rows = await page.evaluate(() => {
    const [first] = [...document.querySelectorAll<HTMLElement>('tr[data-id] [tabindex="0"]')];
    if (!first || document.querySelectorAll('tr[data-id]').length < 2) return false;
    first.focus();
    return true;
  });
  if (!rows) return [];
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
    first === (await page.evaluate(() => [...document.querySelectorAll('tr[data-id]')].at(-1)?.getAttribute('data-id')))
      ? ['ArrowUp', 'ArrowDown']
      : ['ArrowDown', 'ArrowUp'];
  await page.keyboard.press(there!);
  await moved(first);
  const second = await at();
  await page.keyboard.press(back!);
  await moved(second);
  const moves = second !== undefined && second !== first && (await at()) === first;
  return moves ? [] : ['arrow keys do not go from row to row'];
}

/** Returns the elements that the focus does not reach, or that do not show it. */
function elementFaults(seen: readonly Seen[], caught: boolean, menu: boolean): string[] {
  const radios = new Set(seen.map((s) => (s.reached ? s.radios : undefined)));
  return seen.flatMap((s) => {
    if (
      s.roving ||
      (!s.reached && s.radios !== undefined && radios.has(s.radios)) ||
      (caught && !s.dialog) ||
      (s.menuItem && !s.dialog)
    )
      return [];
    if (!s.reached) return [`${s.name} is not reached by ${menu ? 'an arrow key' : 'Tab'}`];
    // A field that always has the focus shows it by its caret.
    if (!s.ring && !(s.only && caught)) return [`${s.name} does not show that it has the focus`];
    return s.inSight ? [] : [`${s.name} has the focus out of sight`];
  });
}

/** Moves the focus into the drawer beside the page, which lets it leave. Returns false when there is none. */
function enterDrawer(): boolean {
  const box = [...document.querySelectorAll('[role=dialog],[role=menu]')].findLast((el) => el.checkVisibility());
  const inside = box?.querySelector<HTMLElement>('a[href],button:not(:disabled),input,[role=menuitem]');
  inside?.focus();
  return inside !== undefined && inside !== null;
}

/** Checks that Esc closes the dialog with the focus, and that its opener gets the focus back. */
async function escapeFaults(page: Page): Promise<string[]> {
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
  if (!closed) return ['Esc does not close the dialog'];
  // The opener may be gone, like an entry of a menu: then an element nearby has the focus, never none.
  if (!(await page.evaluate(() => window.pressedLast !== undefined))) return [];
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
  if (back) return [];
  const at = await page.evaluate(() => {
    const a = document.activeElement!;
    return `<${a.localName}> "${(a.getAttribute('aria-label') ?? a.textContent ?? '').slice(0, 40)}"`;
  });
  return [`after Esc the focus is at ${at} and not at what opened the dialog`];
}

/**
 * Walks through a screen by keyboard alone and returns the faults (SHELL-20): elements that a pointer can press but Tab
 * does not reach, that are out of sight or show no focus; pointer-only actions; a dialog that does not take, hold or
 * return the focus or ignores Esc.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const first = await focusFaults(page);
  if (first.length > 0) return first;
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
  const { seen, caught } = await walk(page, { count, inside, menu });
  if (modal && within && !caught) faults.push('the dialog lets the focus out');
  if (modal) faults.push(...(await matchFaults(page)));
  if (!within) faults.push(...(await arrowFaults(page)));
  const reachedRows = seen.filter((s) => s.row !== undefined && s.reached && (!caught || s.dialog));
  if (!caught && seen.some((s) => s.row !== undefined) && reachedRows.length === 0)
    faults.push('no row of the list is reached by Tab');
  if (!menu) faults.push(...(await rowFaults(page, seen)));
  faults.push(...elementFaults(seen, caught, menu));
  if (!within && count > 1 && seen.filter((s) => s.reached).length === 0) faults.push('Tab reaches nothing');
  if (caught || (await page.evaluate(enterDrawer))) faults.push(...(await escapeFaults(page)));
  return faults;
}
