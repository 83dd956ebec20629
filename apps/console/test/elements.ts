import type { Locator, Page } from 'playwright-core';
import type { AnyRouter } from '@tanstack/react-router';
import { allTexts } from '../src/texts.ts';
import { settled } from './screen/screen.ts';

declare global {
  interface Window {
    __TSR_ROUTER__?: AnyRouter;
  }
}
export const english = allTexts('en_US');

/** A part of the page whose entries are all known: an entry that belongs to no element is a fault. */
export type Part = 'row menu' | 'selection' | 'drawer' | 'page menu';

/** An element that depends on permissions, and how it is found: as an entry of a part, or by `find`. */
export interface Element {
  keys: readonly string[];
  part?: Part;
  names?: readonly string[];
  find?: (page: Page) => Locator;
}
export interface Place {
  path: string;
  elements: Element[];
  /** An element that exists with any permissions once the page is complete; by default the row of a list. */
  whole?: string;
  /** Parts without an element that depends on permissions. */
  parts?: readonly Part[];
  /** Further entries that depend on no button key. */
  free?: readonly string[];
}

/** Describes an entry of a part, or a button of the page. */
export type Entry = (keys: string | readonly string[], name: string) => Element;

const main = (page: Page) => page.locator('main');
export const at = (key: string | readonly string[], find: (page: Page) => Locator): Element => ({
  keys: [key].flat(),
  find,
});
export const add = (key: string | readonly string[], name: string) =>
  at(key, (p) =>
    main(p)
      .getByRole('link', { name, exact: true })
      .or(main(p).getByRole('button', { name, exact: true })),
  );
const entry =
  (part: Part) =>
  (key: string | readonly string[], ...names: string[]): Element => ({ keys: [key].flat(), part, names });
/** An entry in the menu of a row. */
export const row = entry('row menu');
/** An action for the selected rows. */
export const selected = entry('selection');
/** A button or link of the drawer, which may have several names. */
export const drawer = entry('drawer');
/** An entry in the menu of further actions of a page. */
export const more = entry('page menu');

/** Cached pages stay in the document, hidden. */
export const rows = 'main [data-id]:visible';

/** Navigates like a click: permissions were loaded with the first page. */
export async function go(page: Page, path: string, whole: string): Promise<void> {
  await page.evaluate(async (href) => {
    const router = window.__TSR_ROUTER__!;
    await router.navigate({ href });
  }, path);
  await page.waitForFunction(() => {
    const { status, location, resolvedLocation } = window.__TSR_ROUTER__!.state;
    return status === 'idle' && resolvedLocation?.href === location.href;
  });
  await page.locator(whole).first().waitFor();
  await settled(page);
}

const timeout = 3_000;
/** Opens a menu by its button and returns its entries; without the button there are none. */
async function menuOf(page: Page, button: Locator): Promise<string[]> {
  if ((await button.count()) === 0) return [];
  await button.click({ timeout });
  // A row that was rendered again has closed the menu, so this retries.
  await page.getByRole('menuitem').first().waitFor({ timeout });
  const items = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached', timeout });
  return items;
}
const firstRow = (page: Page) => page.locator(rows).first();
const entries: Record<Part, (page: Page) => Promise<string[]>> = {
  'row menu': (page) => menuOf(page, firstRow(page).getByRole('button', { name: /^Actions for / })),
  'page menu': (page) =>
    menuOf(
      page,
      main(page).getByRole('button', { name: english['common.more']!, exact: true }).filter({ visible: true }),
    ),
  async selection(page) {
    const box = firstRow(page).getByRole('checkbox');
    if ((await box.count()) === 0) return [];
    await box.check({ timeout });
    const bar = page.getByRole('region', { name: english['grid.selection']!, exact: true });
    await bar.getByRole('button').first().waitFor({ timeout });
    const names = await bar.getByRole('button').allInnerTexts();
    await box.uncheck({ timeout });
    await bar.waitFor({ state: 'detached', timeout });
    return names;
  },
  /** Opens the drawer of the first row, unless the address has opened one. */
  async drawer(page) {
    const dialog = page.getByRole('dialog');
    const opens = (await dialog.count()) === 0;
    if (opens) await firstRow(page).locator('[data-name]').click({ timeout });
    await dialog.locator('dl').first().waitFor({ timeout });
    const names = await dialog
      .locator(':is(button, a):visible:not(dl *)')
      .evaluateAll((all) => all.map((e) => e.getAttribute('aria-label') ?? e.textContent.trim()));
    if (opens) {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached', timeout });
    }
    return names;
  },
};
/** Entries of the parts that every user has. */
const free = ['grid.open', 'grid.export', 'grid.clearSelection', 'common.close'].map((key) => english[key]!);
/** Buttons that copy a value, and filters of a drawer's own list with their counts. */
const isRead = (name: string) => /^Copy .|^All \d|^Compare version \d/.test(name);

/** Returns whether each element of a place is there, and the entries of its parts that no element explains. */
export async function seen(page: Page, place: Place): Promise<string[]> {
  const { elements } = place;
  const found: Partial<Record<Part, string[]>> = {};
  for (const part of new Set([...elements.flatMap((e) => e.part ?? []), ...(place.parts ?? [])]))
    found[part] = await entries[part](page);
  const there = async ({ part, names, find }: Element) =>
    part === undefined
      ? (await find!(page).filter({ visible: true }).count()) > 0
      : names!.some((name) => found[part]!.includes(name));
  const known = (part: string, name: string) =>
    [...free, ...(place.free ?? []), ...elements.flatMap((e) => (e.part === part ? e.names! : []))].includes(name);
  const unknown = Object.entries(found).flatMap(([part, names]) =>
    names.filter((name) => !known(part, name) && !isRead(name)).map((name) => `${part}: "${name}" has no key`),
  );
  return [...(await Promise.all(elements.map(async (e) => textOf(e, await there(e))))), ...unknown];
}
const textOf = ({ keys, part, names }: Element, isThere: boolean) =>
  `${[part, names?.[0]].filter(Boolean).join(' ')} ${keys.join('+')} ${isThere}`.trim();

/** Returns what `seen` must return for these permissions. */
export const expectedOf = ({ elements }: Place, granted: readonly string[]): string[] =>
  elements.map((e) =>
    textOf(
      e,
      e.keys.every((key) => granted.includes(key)),
    ),
  );
