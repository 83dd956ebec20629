import { expect, it } from 'vitest';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it(
  "a dialog that opens before its menu returned the focus gives it back to the menu's button",
  { tags: 'slow' },
  async () => {
    const { page } = await product.administrator();
    const id = await page.locator('[data-id]').first().getAttribute('data-id');
    // The library's menu returns the focus 10 ms after it closes: here it never does.
    await page.addInitScript(() => {
      const { setTimeout } = window;
      window.setTimeout = ((run: () => void, ms?: number) =>
        ms === 10 ? 0 : setTimeout(run, ms)) as typeof setTimeout;
    });
    await page.goto(`/device/deviceDetail?id=${id}`);
    const button = page.locator('main header button[aria-haspopup=menu]');
    await button.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((el) => el === document.activeElement)).toBe(true);
  },
);
