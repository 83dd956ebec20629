import { expect, it } from 'vitest';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('a row opens its drawer in several lists, with a link to its page if there is one', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  for (const [path, parameter, pageOf] of [
    ['/system/users', 'user', '/system/users/editUser'],
    ['/system/roles', 'role', '/system/users/editRole'],
    ['/system/organization', 'organization', undefined],
  ] as const) {
    await page.goto(path);
    const row = page.locator('[data-id]').first();
    const id = (await row.getAttribute('data-id'))!;
    await row.locator('td').last().locator('xpath=preceding-sibling::td[1]').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('definition').first().waitFor();
    expect(new URL(page.url()).searchParams.get(parameter)).toBe(id);
    if (pageOf === undefined) await drawer.getByRole('button', { name: 'Edit' }).waitFor();
    else {
      await drawer.getByRole('link', { name: 'Open page' }).click();
      await page.waitForURL(`**${pageOf}?id=${id}`);
      await page.goBack();
      await drawer.getByRole('definition').first().waitFor();
    }
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get(parameter)).toBeNull();
  }
});
