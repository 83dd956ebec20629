// @module-tag slow
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { readPicture } from '@carillon/testing/captcha-picture';
import { axeFaults } from '../../../../test/axe.ts';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const product = useProduct();
const always = useProduct({ name: 'captcha', devices: 0, env: { CARILLON_CAPTCHA_MODE: 'on' } });
const picture = (page: Page) => page.getByAltText('Picture with five characters');

it('a captcha appears after three failures or in captcha mode, by picture or by computing [AUTH-02]', async () => {
  const {
    viewer,
    ready: { url, client },
  } = product.platform;
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const needed = async (name: string) =>
    ((await (await fetch(`${url}/api/f/auth/oauth/showCaptcha?username=${name}`)).json()) as { data: boolean }).data;
  const log = async (headers: Record<string, string> = {}) =>
    (await (
      await fetch(`${url}/api/f/auth/oauth/token`, {
        method: 'POST',
        headers: { authorization: basic, 'carillon-language': 'en_US', ...headers },
        body: new URLSearchParams({
          grant_type: 'captcha',
          scope: 'all',
          username: viewer.username,
          password: md5(viewer.password),
        }),
      })
    ).json()) as Record<string, unknown>;
  const fail = async (page: Page) => {
    await fillLogin(page, { ...viewer, password: 'wrong' });
    await page.getByRole('alert').getByText('Wrong username or password.').waitFor();
    for (let i = 0; i < 2; i++) {
      // Not before the third failure.
      expect([await needed(viewer.username), await picture(page).count()]).toEqual([false, 0]);
      const [answer] = await Promise.all([
        page.waitForResponse('**/oauth/token'),
        page.locator('button[type=submit]').click(),
      ]);
      expect(answer.status()).toBe(400);
    }
    await picture(page).waitFor();
  };

  const { page } = await product.visit();
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect(await needed(viewer.username)).toBe(false);
  expect(await picture(page).count()).toBe(0);
  await fail(page);
  expect(await needed(viewer.username)).toBe(true);
  expect(await log()).toMatchObject({
    code: 400,
    error: 'auth.captchaRequired',
    error_description: 'The verification code is required.',
  });
  const own = 'chosen-by-the-client';
  const drawn = async () => readPicture(await (await fetch(`${url}/api/code?key=${own}`)).text());
  expect(await log({ 'captcha-key': own, 'captcha-code': await drawn() })).toMatchObject({ username: viewer.username });
  expect(await needed(viewer.username)).toBe(false);

  await page.reload();
  const seen = page.waitForResponse('**/api/f/auth/oauth/captcha');
  await fail(page);
  await drawn();
  // The fourth failure; a fifth one, also without a code, would lock the account.
  expect(await log({ 'captcha-key': own, 'captcha-code': '00000' })).toMatchObject({
    code: 400,
    error: 'auth.captchaWrong',
    error_description: 'The verification code is wrong.',
  });
  const { data: given } = (await (await seen).json()) as { data: { key: string; image: string } };
  const image = await picture(page).getAttribute('src');
  expect(image, 'the picture of the call').toBe(given.image);
  const code = readPicture(Buffer.from(image!.split(',')[1]!, 'base64').toString());
  await page.locator('[name=password]').fill(viewer.password);
  await page.getByLabel('Characters in the picture').fill(code);
  const [sent] = await Promise.all([
    page.waitForRequest('**/oauth/token'),
    page.locator('button[type=submit]').click(),
  ]);
  expect([sent.headers()['captcha-code'], sent.headers()['captcha-key']]).toEqual([code, given.key]);
  await page.waitForURL('**/wel/home');

  const { admin } = always.platform.ready;
  const asks = await fetch(`${always.platform.ready.url}/api/f/auth/oauth/showCaptcha?username=${admin.username}`);
  expect(((await asks.json()) as { data: boolean }).data).toBe(true);
  const { page: other } = await always.visit();
  await other.goto('/login');
  await picture(other).waitFor();
  expect(await axeFaults(other)).toEqual([]);
  await fillLogin(other, admin);
  await other.getByText('Enter the characters, or let this device solve a puzzle.').waitFor();
  const first = await picture(other).getAttribute('src');
  await other.getByLabel('Characters in the picture').fill('00000');
  await other.locator('button[type=submit]').click();
  await other.getByRole('alert').getByText('The verification code is wrong.').waitFor();
  await expect.poll(() => picture(other).getAttribute('src')).not.toBe(first);
  const second = await picture(other).getAttribute('src');
  await other.getByRole('button', { name: 'Another picture' }).click();
  await expect.poll(() => picture(other).getAttribute('src')).not.toBe(second);
  await other.getByRole('button', { name: /let this device solve/i }).focus();
  await other.keyboard.press('Enter');
  await other.getByRole('status').getByText('Done. You can sign in.').waitFor();
  expect(await axeFaults(other)).toEqual([]);
  await other.locator('button[type=submit]').click();
  await other.waitForURL('**/wel/home');
});
