// @module-tag slow
import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { activateByPassword, addCompany } from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { authSql } from '@carillon/testing/platform';
import { fillLogin, useProduct, type Visit } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';
import type { Person } from '../../../../test/page.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'two-step', devices: 2, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

const codeOf = async (to: string): Promise<string> => /\b\d{6}\b/.exec((await mail.next(to)).text)![0];
/** A passkey needs a host name, not an IP address. */
const site = () => `http://localhost:${new URL(product.platform.ready.url).port}`;

async function at(path: string, who: Person): Promise<Visit> {
  const visitor = await product.visit({ baseURL: site() });
  await visitor.page.goto(path);
  await fillLogin(visitor.page, who);
  return visitor;
}
const inside = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).waitFor();

it('a company opens and closes two-step login for itself by a mailed code after a warning [AUTH-14]', async () => {
  const { admin } = product.platform.ready;
  const { page } = await at('/system/twoStep', admin);
  await page.getByText('Your account has no email to send the code to.').waitFor();
  await authSql(product.platform, `update user_account set email = 'admin@example.com' where username = 'admin'`);
  await page.reload();
  await page.getByRole('status').getByText('Two-step verification is off').waitFor();
  await page.getByText('1 user has no email and would be unable to sign in').waitFor();
  await page.getByText('viewer', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send a code to turn it on' }).click();
  await page.getByText('The code goes to admin@example.com.').waitFor();
  await page.locator('[data-mail=sent]').waitFor();
  await page.getByLabel('Code from the email').fill('000000');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('The two-step verification code is wrong.').waitFor();
  await page.getByLabel('Code from the email').fill(await codeOf('admin@example.com'));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByRole('status').getByText('Two-step verification is on').waitFor();

  const { page: shut } = await at('/login', product.platform.viewer);
  await shut.getByRole('alert').getByText('this account has no email, authenticator app or passkey').waitFor();
  // Users of another company need no second step, with or without an email.
  const { platform } = product;
  const chief = { username: 'tower.chief', password: 'Second-Secret-2' };
  await platform.call(addCompany, {
    body: {
      name: 'Towers',
      type: 'enterprise',
      organizationName: 'Tower',
      remarks: '',
      username: chief.username,
      nickname: 'Tower',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: 'First-Secret-1',
      language: 'en_US',
      timezoneId: 1,
      countryId: 1,
    },
  });
  const chosen = { newPassword: chief.password, confirmation: chief.password };
  await platform.plainClient()(activateByPassword, {
    body: { username: chief.username, password: 'First-Secret-1', ...chosen },
  });
  await inside((await at('/wel/home', chief)).page);

  mail.refuse(550);
  const { page: refused } = await at('/device/list', admin);
  await refused.getByText('The email with the code was refused.').waitFor();
  mail.refuse(undefined);
  const { page: next } = await at('/device/list', admin);
  await next.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await next.getByRole('button', { name: 'Sign in', exact: true }).click();
  await next.getByText('Enter the code.').waitFor();
  await next.getByLabel('Code from the email').fill('1');
  await next.keyboard.press('Enter');
  await next.getByText('The two-step verification code is wrong.').waitFor();
  expect(await next.getByRole('button', { name: /Send a new code in \d+ s/ }).isDisabled()).toBe(true);
  await next.getByLabel('Code from the email').fill(await codeOf('admin@example.com'));
  await next.keyboard.press('Enter');
  await next.waitForURL('**/device/list');
  await inside(next);

  await page.getByRole('button', { name: 'Send a code to turn it off' }).click();
  await page.getByLabel('Code from the email').fill(await codeOf('admin@example.com'));
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await page.getByRole('status').getByText('Two-step verification is off').waitFor();
  await inside((await at('/device/list', product.platform.viewer)).page);
});

async function authenticator(context: BrowserContext, page: Page): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

it('/info lists and ends sessions; an app or a passkey is the second step without an email [AUTH-18]', async () => {
  const { viewer } = product.platform;
  const { context, page } = await at('/info', viewer);
  const others = [await at('/wel/home', viewer), await at('/wel/home', viewer)];
  for (const other of others) await inside(other.page);
  await page.reload();
  const sessions = page.getByRole('region', { name: 'Where you’re signed in' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBeGreaterThanOrEqual(3);
  const own = sessions.filter({ hasText: 'This session' });
  expect(await own.count()).toBe(1);
  expect(await own.innerText()).toMatch(
    /Chrom\w* \d+ · Linux[\s\S]*(127\.0\.0\.1|::1), last seen \d{4}-\d\d-\d\d \d\d:\d\d/,
  );
  // Accounts for the time zones of the page and of this test, in any month.
  const lastSeen = /last seen (\d{4}-\d\d-\d\d) (\d\d:\d\d)/.exec(await own.innerText())!;
  expect(Math.abs(Date.parse(`${lastSeen[1]}T${lastSeen[2]}Z`) - Date.now())).toBeLessThan(5 * 60_000);
  const before = await sessions.count();
  await sessions
    .filter({ hasNotText: 'This session' })
    .first()
    .getByRole('button', { name: /Sign out Chrom/ })
    .click();
  await expect.poll(() => sessions.count()).toBe(before - 1);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await expect.poll(() => sessions.count()).toBe(1);
  for (const other of others) await other.page.waitForURL('**/login');

  const password = async () => {
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(viewer.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  };
  await page.getByRole('button', { name: 'Add app' }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The current password is wrong.').waitFor();
  await password();
  const secret = await page.getByRole('dialog').locator('code').innerText();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' });
  await page.getByLabel('Code from the app').fill(totp.generate());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 left').waitFor();

  // The company requires two steps; a user without an email still has one.
  const company = (open: boolean) =>
    authSql(
      product.platform,
      `
        insert into company_login (id, company_id, two_step, updated_at)
        values ($1, $1, $2, now())
        on conflict (id) do update set two_step = excluded.two_step
      `,
      [product.platform.companyId, open],
    );
  await company(true);
  const app = (await at('/device/list', viewer)).page;
  // The current code was used by the confirmation, so this takes the next one, which the server accepts already.
  await app.getByLabel('Code from the app').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await app.keyboard.press('Enter');
  await inside(app);
  const lost = (await at('/device/list', viewer)).page;
  await lost.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await lost.getByLabel('Recovery code').fill(codes[0]!);
  await lost.keyboard.press('Enter');
  await inside(lost);
  await page.reload();
  await page.getByText('9 left').waitFor();

  await authenticator(context, page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name of the passkey').fill('My laptop');
  await password();
  await page.getByText('My laptop').waitFor();
  await page.getByRole('button', { name: 'Remove app' }).click();
  await password();
  await page.getByRole('button', { name: 'Add app' }).waitFor();
  // The page notices the logout as well, and may go to the login before this test does.
  await page
    .evaluate(() => fetch('/api/f/auth/oauth/logout', { headers: { 'carillon-language': 'en_US' } }))
    .catch(() => undefined);
  await page.goto('/login', { waitUntil: 'commit' }).catch(() => undefined);
  await page.waitForURL('**/login');
  await page.locator('[name=password]').waitFor();
  await fillLogin(page, viewer);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await inside(page);
  await company(false);
  await page.goto('/info');
  await page.getByText(/Last used \d{4}-/).waitFor();
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await password();
  await page.getByText('You sign in with your password alone.').waitFor();
});
