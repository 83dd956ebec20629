import { expect, it } from 'vitest';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

declare global {
  interface Window {
    /** URLs that were loaded before the first row of a list appeared. */
    loadedFirst?: string[];
  }
}

const product = useProduct();

it('the login page loads at most 120 kB of script and 35 kB of style, and the device list 65 kB more', async () => {
  const { page } = await product.visit();
  // Compressed, as the server sends it, without headers.
  const files = new Map<string, number>();
  page.on('response', (r) => {
    if (/\.(js|css)$/.test(r.url())) files.set(r.url(), Number(r.headers()['content-length']));
  });
  const sum = (kind: RegExp, names: Iterable<string> = files.keys()) =>
    [...names].filter((url) => kind.test(url)).reduce((bytes, url) => bytes + files.get(url)!, 0);
  // What is loaded after the first row delays nobody, and its time depends on the machine's load.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('main [data-id]') === null) return;
      observer.disconnect();
      window.loadedFirst = performance.getEntriesByType('resource').map((entry) => entry.name);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/login?to=/device/list', { waitUntil: 'networkidle' });
  const [script, style, before] = [sum(/\.js$/), sum(/\.css$/), new Set(files.keys())];
  await fillLogin(page, product.platform.ready.admin);
  const loaded = await page.waitForFunction(() => window.loadedFirst);
  const more = sum(
    /\.(js|css)$/,
    (await loaded.jsonValue())!.filter((url) => !before.has(url)),
  );
  console.log(`login: ${script} B script, ${style} B style; the device list adds ${more} B`);
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThanOrEqual(120_000);
  expect(style).toBeLessThanOrEqual(35_000);
  expect(more).toBeGreaterThan(0);
  expect(more).toBeLessThanOrEqual(65_000);
});
