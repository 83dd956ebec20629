import { expect, it } from 'vitest';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('Enter that ends a composition of an input method chooses nothing, and the next one does', async () => {
  const { page, context } = await product.administrator();
  const devtools = await context.newCDPSession(page);
  const press = async (code: number) => {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: code };
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  };
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'Model', exact: true }).click();
  const search = page.getByRole('textbox', { name: 'Find a value' });
  await search.click();
  const choice = page.getByRole('checkbox', { name: /^X7A/ });
  for (const text of ['X', 'X7', 'X7A'])
    await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1);
  await press(229);
  expect(await choice.isChecked()).toBe(false);
  await devtools.send('Input.insertText', { text: 'X7A' });
  await press(13);
  await expect.poll(() => page.url()).toContain('model=');
});
