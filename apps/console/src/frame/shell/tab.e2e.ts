import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { fillLogin, useProduct } from '../../../test/browser.ts';

const product = useProduct();
const bar = (page: Page) => page.getByRole('navigation', { name: 'Open pages' });
const names = (page: Page) => bar(page).getByRole('link').allInnerTexts();

it('the tabs are empty after a logout, and the next user of the browser has their own', async () => {
  const { page } = await product.loggedIn('/system/users');
  await expect.poll(() => names(page)).toEqual(['Home', 'Users']);
  await page.getByRole('button', { name: /^User:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login*');
  expect(await page.evaluate(() => sessionStorage.getItem('carillon-tabs'))).toBeNull();
  await fillLogin(page, product.platform.ready.admin);
  await page.waitForURL('**/wel/home');
  await expect.poll(() => names(page)).toEqual(['Home']);

  // Tabs of another user in this window are not shown, however their session ended.
  await page.goto('/about');
  await expect.poll(() => names(page)).toEqual(['Home', 'About']);
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('carillon-tabsOf')!) as { value: string };
    sessionStorage.setItem('carillon-tabsOf', JSON.stringify({ ...kept, value: 'somebody-else' }));
  });
  await page.goto('/task/list');
  await expect.poll(() => names(page)).toEqual(['Home', 'Tasks']);
});

it('a tab uses the current language', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/task/list');
  await expect.poll(() => names(page)).toEqual(['Home', 'Tasks']);
  await page.evaluate(() =>
    localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value: 'pt_BR', time: 1 })),
  );
  await page.goto('/about');
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Páginas abertas' }).getByRole('link').allInnerTexts())
    .toEqual(['Início', 'Tarefas', 'Sobre']);
});

it('a tab with unsaved input asks before it closes, and a saved form closes its tab', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  await page.goto('/system/users/addRole');
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('Half a role');
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await bar(page).getByRole('button', { name: 'Close Add role' }).click();
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await asked.waitFor({ state: 'hidden' });
  expect(await names(page)).toEqual(['Home', 'Add role']);
  expect(await field.inputValue()).toBe('Half a role');
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('menuitem', { name: 'Close all tabs' }).click();
  await asked.waitFor();
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'hidden' });
  expect(await names(page)).toEqual(['Home', 'Add role']);

  await field.fill('Tab keeper');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Add role' }).last().click();
  await page.waitForURL('**/system/roles');
  await expect.poll(() => names(page)).toEqual(['Home', 'Roles']);

  await page.goto('/system/users/addRole');
  await field.fill('Half a role');
  await bar(page).getByRole('button', { name: 'Close Add role' }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL('**/system/roles');
  expect(await names(page)).toEqual(['Home', 'Roles']);
});

it('the active tab is visible beside a fixed home, and a menu has the hidden ones', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  await page.setViewportSize({ width: 1024, height: 800 });
  const paths = ['/task/list', '/alarm', '/about', '/site/list', '/device/deviceLog', '/info', '/system/roles'];
  for (const path of [...paths, '/system/users', '/system/time', '/system/twoStep', '/system/operationLog']) {
    await page.goto(path);
    await bar(page).locator(`a[href^="${path}"]`).waitFor();
  }
  const shown = async (name: string) => {
    const box = (await bar(page).getByRole('link', { name, exact: true }).boundingBox())!;
    return box.x >= 0 && box.x + box.width <= 1024;
  };
  expect(await shown('Activity log')).toBe(true);
  expect(await shown('Home')).toBe(true);
  await bar(page)
    .getByRole('button', { name: /more tabs$/ })
    .click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  await page.waitForURL('**/task/list');
  await expect.poll(() => shown('Tasks')).toBe(true);
  expect(await shown('Home')).toBe(true);
});
