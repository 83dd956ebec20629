import { expect, it } from 'vitest';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('the login page takes at most 120 kB of script and 35 kB of style, and the device list 65 kB more', async () => {
  const { page } = await product.visit();
  const sizes = { js: 0, css: 0 };
  // Compressed, as the server sends it; what of it is headers is none of the console's.
  page.on('response', (r) => {
    const kind = /\.(js|css)$/.exec(r.url())?.[1] as 'js' | 'css' | undefined;
    if (kind) sizes[kind] += Number(r.headers()['content-length']);
  });
  await page.goto('/login?to=/device/list', { waitUntil: 'networkidle' });
  const first = { ...sizes };
  await fillLogin(page, product.platform.ready.admin);
  await page.locator('[data-id]').first().waitFor();
  const more = sizes.js - first.js + sizes.css - first.css;
  console.log(`login: ${first.js} B script, ${first.css} B style; the device list adds ${more} B`);
  expect(first.js).toBeLessThanOrEqual(120_000);
  expect(first.css).toBeLessThanOrEqual(35_000);
  expect(more).toBeLessThanOrEqual(65_000);
});
