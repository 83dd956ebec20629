import { expect, it } from 'vitest';
import { fillLogin, useProduct } from '../../test/browser.ts';

const product = useProduct();

it('the login page takes at most 130 kB of script and 35 kB of style, and the device list 70 kB more', async () => {
  const { context, page } = await product.visit();
  const sizes = new Map<string, number>([['js', 0], ['css', 0]]);
  const urls = new Map<string, string>();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', (e) => urls.set(e.requestId, e.response.url));
  cdp.on('Network.loadingFinished', (e) => { const kind = /\.(js|css)$/.exec(urls.get(e.requestId) ?? '')?.[1]; if (kind) sizes.set(kind, sizes.get(kind)! + e.encodedDataLength); });
  await page.goto('/login?to=/device/list', { waitUntil: 'networkidle' });
  const first = new Map(sizes);
  await fillLogin(page, product.platform.ready.admin);
  await page.locator('[data-id]').first().waitFor();
  const more = sizes.get('js')! - first.get('js')! + sizes.get('css')! - first.get('css')!;
  console.log(`login: ${first.get('js')} B script, ${first.get('css')} B style; the device list adds ${more} B`);
  // As received, headers of the answers included.
  expect(first.get('js')).toBeLessThanOrEqual(130_500);
  expect(first.get('css')).toBeLessThanOrEqual(35_000);
  expect(more).toBeLessThanOrEqual(70_000);
});
