import { expect, it } from 'vitest';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it(
  'Enter that ends a composition of an input method chooses nothing, and the next one does',
  { tags: 'slow' },
  async () => {
    const { page, context } = await product.administrator();
    const devtools = await context.newCDPSession(page);
    const press = async (code: number) => {
      const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: code };
      await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
      await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    };
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Model', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Model' });
    const search = dialog.getByRole('textbox', { name: 'Find a value' });
    await search.click();
    const choices = dialog.getByRole('checkbox');
    await choices.first().waitFor();
    const models = await dialog.locator('label:has([type=checkbox]) span[title]').allInnerTexts();
    // One that is no part of another's name.
    const model = models.find((name) => models.filter((other) => other.includes(name)).length === 1)!;
    for (let end = 1; end <= model.length; end++)
      await devtools.send('Input.imeSetComposition', {
        text: model.slice(0, end),
        selectionStart: end,
        selectionEnd: end,
      });
    await expect.poll(() => choices.count()).toBe(1);
    await press(229);
    expect(await choices.isChecked()).toBe(false);
    await devtools.send('Input.insertText', { text: model });
    await press(13);
    await expect.poll(() => page.url()).toContain('model=');
  },
);
