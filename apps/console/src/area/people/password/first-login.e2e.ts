import { expect, it } from 'vitest';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const product = useProduct({ name: 'first', devices: 0, env: { CARILLON_KEEP_FIRST_PASSWORD: '0' } });

it('the first administrator must replace the one-time password before everything else [AUTH-13/first]', async () => {
  const { admin } = product.platform.ready;
  const { context, page } = await product.visit();
  await page.goto('/device/list');
  await fillLogin(page, admin);
  await page.waitForURL('**/resetPassword');
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  for (const path of ['/wel/home', '/device/list', '/system/operationLog']) {
    await page.goto(path);
    await page.waitForURL('**/resetPassword');
  }
  const refused = await context.request.get('/api/f/device/device/list', { headers: { 'carillon-language': 'en_US' } });
  expect([refused.status(), ((await refused.json()) as { error: string }).error]).toEqual([
    403,
    'auth.passwordChangeRequired',
  ]);

  // After the reload the one-time password is required, because it is not stored.
  const field = (name: string) => page.locator(`[name=${name}]`);
  const save = () => page.getByRole('button', { name: 'Save password' }).click();
  await field('oldPassword').fill(admin.password);
  await field('newPassword').fill('short1A');
  await save();
  await page.getByText('The password doesn’t meet all requirements.').waitFor();
  await field('newPassword').fill(admin.password);
  await field('confirmation').fill(admin.password);
  await save();
  await page.getByText('The new password is the same as the old one.').waitFor();
  await field('newPassword').fill('My-own-password-1');
  await save();
  await page.getByText('The passwords don’t match.').waitFor();
  await field('confirmation').fill('My-own-password-1');
  await field('oldPassword').fill('not this');
  await save();
  await page.getByText('The current password is wrong.').waitFor();
  await field('oldPassword').fill(admin.password);
  await save();
  await page.waitForURL('**/wel/home');
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /Devices/ })
    .click();
  await page.getByRole('heading', { level: 1, name: /Devices/ }).waitFor();

  const { page: other } = await product.visit();
  await other.goto('/login');
  await fillLogin(other, admin);
  await other.getByText('Wrong username or password.').waitFor();
  await fillLogin(other, { ...admin, password: 'My-own-password-1' });
  await other.waitForURL('**/wel/home');
});
