// @module-tag slow
import { expect, it } from 'vitest';
import { activateByPassword, addRole, addUser, listErrors, listOrganizationNames } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('the header names the company, the bell needs no permission, and a logout reports browser errors', async () => {
  const { platform } = product;
  const role = await platform.call(addRole, {
    body: { name: 'Header reader', description: '', permissions: ['home', 'device'] },
  });
  const [office] = await platform.call(listOrganizationNames);
  const own = { username: 'header.reader', password: 'Own-Secret-1' };
  await platform.call(addUser, {
    body: {
      username: own.username,
      nickname: 'Hedda Reader',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: 'First-Secret-1',
      roleIds: [role.id],
      allOrgs: false,
      orgIds: [office!.id],
    },
  });
  await platform.plainClient()(activateByPassword, {
    body: {
      username: own.username,
      password: 'First-Secret-1',
      newPassword: own.password,
      confirmation: own.password,
    },
  });
  const { page } = await product.loggedIn('/wel/home', own);
  const bar = page.getByRole('banner').first();
  await bar.getByRole('button', { name: 'Organization: Head office' }).waitFor();
  await bar.getByText('Carillon Demo', { exact: true }).waitFor();
  await bar.getByRole('button', { name: 'No notifications' }).click();
  await page.getByRole('dialog', { name: 'Notifications', exact: true }).waitFor();
  await page.keyboard.press('Escape');

  const fault = `Header fault ${Date.now()}`;
  await page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, fault);
  await bar.getByRole('button', { name: '1 error in this browser' }).waitFor();
  await bar.getByRole('button', { name: 'User: Hedda Reader' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('carillon-error-log'))).toBeNull();
  expect((await platform.call(listErrors, { query: { search: fault } })).total).toBe(1);

  const { page: admin } = await product.administrator('/system/operationLog');
  await admin.getByRole('navigation', { name: 'Activity log' }).getByText('Browser errors').click();
  await admin.locator('[data-id]').filter({ hasText: fault }).first().click();
  const drawer = admin.getByRole('dialog', { name: new RegExp(fault) });
  await drawer.getByText('header.reader').waitFor();
  await drawer.getByText('/wel/home').first().waitFor();

  await admin.goto('/menu/index');
  await admin.getByRole('heading', { name: 'Menus' }).waitFor();
  expect(new URL(admin.url()).pathname).toBe('/menu/index');
});
