import { expect, it } from 'vitest';
import AxeBuilder from '@axe-core/playwright';
import { fillLogin, useProduct } from '../../test/browser.ts';

const product = useProduct({ name: 'captcha', devices: 0, env: { CARILLON_CAPTCHA_MODE: 'on' } });

it('beside the picture an accessible other check is offered: this device computes for a moment, and the login goes on; the picture says what is missing or wrong [AUTH-02/screen]', async () => {
  const { admin } = product.platform.ready;
  const { page } = await product.visit();
  await page.goto('/login');
  const picture = page.getByAltText('Picture with five characters');
  await picture.waitFor();
  expect((await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()).violations).toEqual([]);
  await fillLogin(page, admin);
  await page.getByText('Enter the characters, or let this device compute.').waitFor();
  const first = await picture.getAttribute('src');
  await page.getByLabel('Characters in the picture').fill('00000');
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').getByText('The verification code is wrong.').waitFor();
  await expect.poll(() => picture.getAttribute('src')).not.toBe(first);
  const second = await picture.getAttribute('src');
  await page.getByRole('button', { name: 'Another picture' }).click();
  await expect.poll(() => picture.getAttribute('src')).not.toBe(second);
  await page.getByRole('button', { name: /let this device compute/i }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Done. You can sign in.').waitFor();
  expect((await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()).violations).toEqual([]);
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/wel/home');
});
