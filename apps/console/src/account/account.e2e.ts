import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { startMailServer, type MailServer } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { chromium, type Browser } from 'playwright-core';
import { executablePath, fillLogin, flags } from '../../test/page.ts';

let mail: MailServer;
let platform: Platform;
let browser: Browser;
const first = 'First-Secret-1';
const second = 'Second-Secret-2';

beforeAll(async () => {
  mail = await startMailServer();
  const { smtpHost, smtpPort, smtpUser, smtpPassword, smtpFrom, smtpCa } = mail.settings;
  platform = await Platform.start({ name: 'account', devices: 0, env: { CARILLON_SMTP_HOST: smtpHost, CARILLON_SMTP_PORT: String(smtpPort), CARILLON_SMTP_USER: smtpUser, CARILLON_SMTP_PASSWORD: smtpPassword, CARILLON_SMTP_FROM: smtpFrom, CARILLON_SMTP_CA: smtpCa } });
  browser = await chromium.launch({ executablePath, args: flags });
});
afterAll(async () => { await browser?.close(); await platform?.close(); await mail?.close(); });

async function visit(path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: platform.ready.url, viewport: { width: 1440, height: 940 }, locale: 'en-US' });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}
async function logIn(to: string, username: string, password: string): Promise<Page> {
  const page = await visit(to);
  await fillLogin(page, { username, password });
  await page.waitForURL(`**${to}`);
  return page;
}
async function choose(page: Page, password: string): Promise<void> {
  await page.locator('[name=newPassword]').fill(password);
  await page.locator('[name=confirmation]').fill(password);
  await page.locator('button[type=submit]').click();
}
/** In the list that opens below the nth field of several choices. */
async function pick(page: Page, nth: number, option: string): Promise<void> {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option', { name: option }).click();
  await page.keyboard.press('Escape');
}

it('a user who is added by mail activates his account by its link, forgets his password and sets a new one, and each link works once [AUTH-10/journey] [AUTH-12/journey]', async () => {
  const admin = await logIn('/system/users', platform.ready.admin.username, platform.ready.admin.password);
  await admin.getByRole('link', { name: 'Add user' }).click();
  await admin.locator('[name=username]').fill('anna');
  await admin.locator('[name=nickname]').fill('Anna');
  await admin.locator('[name=email]').fill('anna@example.com');
  await pick(admin, 0, 'viewer');
  await pick(admin, 1, 'Head office');
  await admin.locator('button[type=submit]').click();
  await admin.getByText('on its way to anna@example.com').waitFor();

  const { link: activation } = await mail.next('anna@example.com', 30_000);
  const anna = await visit(activation!);
  await anna.getByText('for the account anna').waitFor();
  expect(new URL(anna.url()).hash).toBe('');
  await choose(anna, 'weak');
  expect(await anna.locator('[name=newPassword]').getAttribute('aria-invalid')).toBe('true');
  await choose(anna, first);
  await anna.getByRole('timer').waitFor();
  await anna.waitForURL('**/login', { timeout: 20_000 });
  await (await visit(activation!)).getByText('The activation link is invalid or has expired.').waitFor();

  const forgot = await visit('/login');
  await forgot.getByRole('link', { name: 'Forgot password?' }).click();
  await forgot.locator('[name=name]').fill('anna');
  await forgot.locator('button[type=submit]').click();
  await forgot.waitForURL('**/forgetPasswordActive');
  expect(await forgot.getByRole('button', { name: /Send again in/ }).isDisabled()).toBe(true);
  const { link: reset } = await mail.next('anna@example.com', 30_000);
  const again = await visit(reset!);
  await again.getByText('For the account anna.').waitFor();
  await choose(again, second);
  await again.waitForURL('**/resetPassSuccess');
  await again.getByRole('timer').waitFor();
  await again.waitForURL('**/login', { timeout: 20_000 });
  await (await visit(reset!)).getByText('The reset link is invalid or has expired.').waitFor();
  await logIn('/wel/home', 'anna', second);
});

it('a change of email goes by a link to the new address and leads to the login [AUTH-11/journey]', async () => {
  const anna = await logIn('/info', 'anna', second);
  await anna.getByRole('link', { name: 'Change email' }).click();
  await anna.locator('[name=email]').fill('new@example.com');
  await anna.locator('[name=password]').fill(second);
  await anna.locator('button[type=submit]').click();
  await anna.waitForURL('**/resetEmailActive');
  const { link } = await mail.next('new@example.com', 30_000);
  const page = await visit(link!);
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByText('The account\'s email is new@example.com now.').waitFor();
  await page.waitForURL('**/login', { timeout: 20_000 });
  await (await visit(link!)).getByText('is invalid or has expired').waitFor();
  await logIn('/wel/home', 'new@example.com', second);
});
