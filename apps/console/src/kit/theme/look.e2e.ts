import { afterAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { editSysConfig } from '@carillon/contracts';
import { ico } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();
const set = (configKey: 'abbreviatedName' | 'favicon', value: string | null) =>
  product.platform.call(editSysConfig, { body: { configKey, value } });
afterAll(async () => {
  await set('abbreviatedName', null);
  await set('favicon', null);
});

const look = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    const property = (name: string) => getComputedStyle(root).getPropertyValue(name).trim();
    return {
      theme: root.dataset['theme'],
      accent: root.dataset['accent'],
      scheme: root.dataset['mantineColorScheme'],
      line: property('--line'),
      accentColour: property('--accent'),
      canvas: property('--canvas'),
      bar: getComputedStyle(document.querySelector('header')!.parentElement!).backgroundColor,
    };
  });
const head = (page: Page) =>
  page.evaluate(() => [document.title, document.querySelector('link[rel=icon]')!.getAttribute('href')]);
const served = (page: Page, key: string) =>
  expect.poll(async () => ((await (await page.request.get('/carillon.json')).json()) as Record<string, unknown>)[key]);

it('themes, colours, dark mode, title and icon apply and survive a reload [SHELL-10]', async () => {
  const { page } = await product.loggedIn('/about');
  await page.locator('dl').waitFor();
  expect(await head(page)).toEqual(['About · Carillon', '/favicon.svg']);
  expect((await page.request.get('/favicon.svg')).headers()['content-type']).toBe('image/svg+xml');
  const begun = await look(page);
  expect([begun.theme, begun.accent, begun.scheme]).toEqual(['carillon', 'verdigris', 'light']);
  const choose = async (...names: string[]) => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: 'Theme and color' })
      .or(page.getByRole('banner').locator('button:has(.tabler-icon-palette)'))
      .first()
      .click();
    for (const name of names) await page.getByRole('menuitem', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  // Each theme and each colour differs, and they are independent.
  const lines = new Set([begun.line]);
  for (const [name, theme] of [
    ['Slate', 'slate'],
    ['High contrast', 'contrast'],
  ] as const) {
    await choose(name);
    const now = await look(page);
    expect([now.theme, now.accentColour]).toEqual([theme, begun.accentColour]);
    lines.add(now.line);
  }
  expect(lines.size).toBe(3);
  await choose('Carillon');
  expect(await look(page)).toEqual(begun);
  const accents = new Set([begun.accentColour]);
  for (const name of ['Cobalt', 'Plum', 'Brass', 'Graphite']) {
    await choose(name);
    accents.add((await look(page)).accentColour);
  }
  expect(accents.size).toBe(5);
  // Dark mode with a theme and a colour, also after a reload and in a page opened later.
  await choose('Slate', 'Plum');
  await page.getByRole('banner').locator('button:has(.tabler-icon-sun)').click();
  const chosen = await look(page);
  expect([chosen.theme, chosen.accent, chosen.scheme]).toEqual(['slate', 'plum', 'dark']);
  expect([chosen.canvas, chosen.bar]).not.toEqual([begun.canvas, begun.bar]);
  await page.reload();
  await page.locator('dl').waitFor();
  expect(await look(page)).toEqual(chosen);
  const later = await page.context().newPage();
  await later.goto('/about');
  await later.locator('dl').waitFor();
  expect(await look(later)).toEqual(chosen);

  // The stored short name and icon.
  await set('abbreviatedName', 'Glocke');
  const { value: icon } = (await set('favicon', ico.toString('base64'))) as { value: string };
  await served(page, 'favicon').toBe(icon);
  await page.reload();
  await page.locator('dl').waitFor();
  await expect.poll(() => head(page)).toEqual(['About · Glocke', icon]);
  expect(Buffer.compare(await (await page.request.get(icon)).body(), ico)).toBe(0);
  // The next page starts with them before the server has answered.
  let answer = () => {};
  await later.route('**/carillon.json', async (route) => {
    await new Promise<void>((done) => {
      answer = done;
    });
    await route.continue();
  });
  await later.goto('/404', { waitUntil: 'commit' });
  await later.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await head(later)).toEqual(['Page not found · Glocke', icon]);
  answer();
  // Removed, the product's own return.
  await set('abbreviatedName', null);
  await set('favicon', null);
  await served(page, 'favicon').toBeNull();
  await page.reload();
  await page.locator('dl').waitFor();
  await expect.poll(() => head(page)).toEqual(['About · Carillon', '/favicon.svg']);
});
