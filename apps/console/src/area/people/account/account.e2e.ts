// @module-tag slow
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { addUser, listRoles } from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { authSql } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'account', devices: 0, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

const first = 'First-Secret-1';
const second = 'Second-Secret-2';
const threeDays = 3 * 86_400;

async function open(address: string, clock = false): Promise<Page> {
  const { page } = await product.visit();
  if (clock) await page.clock.install();
  await page.goto(address);
  return page;
}
const linkTo = async (email: string): Promise<string> => (await mail.next(email, 30_000)).link ?? '';
/** Makes all links of a user older. */
const age = (username: string, seconds: number) =>
  authSql(
    product.platform,
    `
      update account_link
      set created_at = created_at - make_interval(secs => $2), expires_at = expires_at - make_interval(secs => $2)
      where user_id = (select id from user_account where username = $1)
    `,
    [username, seconds],
  );
async function choose(page: Page, password: string, confirmation = password): Promise<void> {
  await page.locator('[name=newPassword]').fill(password);
  await page.locator('[name=confirmation]').fill(confirmation);
  await page.locator('button[type=submit]').click();
}
/** Chooses an option of the nth multiple-choice field. */
async function pick(page: Page, nth: number, option: string): Promise<void> {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option', { name: option }).click();
  await page.keyboard.press('Escape');
}
/** Waits while the page counts its seconds down and redirects to the login. */
async function backToLogin(page: Page): Promise<void> {
  const seconds = async () => Number(/\d+/.exec(await page.getByRole('timer').innerText())![0]);
  const began = await seconds();
  expect(began).toBeGreaterThan(1);
  await expect.poll(seconds, { timeout: 45_000 }).toBeLessThan(began);
  await page.waitForURL('**/login', { timeout: 20_000 });
}
const path = (page: Page): string => {
  const { pathname, hash } = new URL(page.url());
  return pathname + hash;
};
async function invalid(address: string, text: string): Promise<void> {
  const page = await open(address);
  await page.getByText(text).waitFor();
  expect(await page.locator('input').count()).toBe(0);
}
async function enter(username: string, password: string): Promise<void> {
  await product.loggedIn('/wel/home', { username, password });
}
async function made(username: string, activation: 'email' | 'password'): Promise<void> {
  const { records } = await product.platform.call(listRoles, { query: { search: 'viewer' } });
  await product.platform.call(addUser, {
    body: {
      username,
      nickname: username,
      email: `${username}@example.com`,
      activation,
      oldEnough: true,
      ...(activation === 'password' ? { password: first } : {}),
      roleIds: [records[0]!.id],
      allOrgs: true,
      orgIds: [],
    },
  });
}

it(
  'a user activates by a mailed link, once and within 3 days, or by a first password [AUTH-12]',
  { timeout: 900_000 },
  async () => {
    const { page: admin } = await product.loggedIn('/system/users');
    await admin.getByRole('link', { name: 'Add user' }).click();
    await admin.locator('[name=username]').fill('anna');
    await admin.locator('[name=nickname]').fill('Anna');
    await admin.locator('[name=email]').fill('anna@example.com');
    await pick(admin, 0, 'viewer');
    await pick(admin, 1, 'Head office');
    await admin.locator('[name=oldEnough]').check();
    await admin.locator('button[type=submit]').click();
    await admin.getByText('The activation link goes to anna@example.com.').waitFor();

    const activation = await linkTo('anna@example.com');
    expect(new URL(activation).pathname).toBe('/system/activeUser');
    await age('anna', threeDays - 120);
    const anna = await open(activation);
    await anna.getByText('for the account anna').waitFor();
    expect(path(anna)).toBe('/system/activeUser');
    await choose(anna, 'weak');
    await anna.getByText('The password doesn’t meet all requirements.').waitFor();
    await choose(anna, first, second);
    await anna.getByText('The passwords don’t match.').waitFor();
    await choose(anna, first);
    await anna.getByRole('heading', { name: 'Account activated' }).waitFor();
    await backToLogin(anna);
    await invalid(activation, 'The activation link is invalid or has expired.');
    await enter('anna', first);

    await made('late', 'email');
    const late = await linkTo('late@example.com');
    await age('late', threeDays + 1);
    await invalid(late, 'The activation link is invalid or has expired.');
    await invalid(
      `${product.platform.ready.url}/system/activeUser#${'x'.repeat(43)}`,
      'The activation link is invalid or has expired.',
    );

    await admin.goto('/system/users/addUser');
    await admin.locator('[name=username]').fill('bert');
    await admin.locator('[name=nickname]').fill('Bert');
    await pick(admin, 0, 'viewer');
    await pick(admin, 1, 'Head office');
    await admin.getByText('By password', { exact: true }).click();
    await admin.locator('[name=password]').fill(first);
    await admin.locator('[name=oldEnough]').check();
    await admin.locator('button[type=submit]').click();
    await admin.getByText('Share these details with the user.').waitFor();
    await admin.getByText(`${product.platform.ready.url}/system/activeUser`, { exact: true }).waitFor();
    const bert = await open('/system/activeUser');
    await bert.locator('[name=username]').fill('bert');
    await bert.locator('[name=password]').fill('Wrong-Secret-9');
    await choose(bert, second);
    await bert.getByText('Wrong username or password.').waitFor();
    await bert.locator('[name=password]').fill(first);
    await choose(bert, first);
    await bert.getByText('The new password is the same as the old one.').waitFor();
    await choose(bert, second);
    await bert.getByRole('heading', { name: 'Account activated' }).waitFor();
    await backToLogin(bert);
    await enter('bert', second);
  },
);

it('a forgotten password is reset by a mailed link, once and within 3 days [AUTH-10]', async () => {
  const forgot = await open('/login', true);
  await forgot.getByRole('link', { name: 'Forgot password?' }).click();
  await forgot.waitForURL('**/forgetPassword');
  await forgot.getByRole('heading', { name: 'Forgot password' }).waitFor();
  await forgot.locator('button[type=submit]').click();
  await forgot.getByText('Enter your username or email.').waitFor();
  await forgot.locator('[name=name]').fill('anna');
  await forgot.locator('button[type=submit]').click();
  await forgot.waitForURL('**/forgetPasswordActive');
  const byName = await linkTo('anna@example.com');
  expect(new URL(byName).pathname).toBe('/forgetPasswordResult');
  expect(await forgot.getByRole('button', { name: /Send again in \d+ s/ }).isDisabled()).toBe(true);
  await forgot.clock.fastForward(61_000);
  await forgot.getByRole('button', { name: 'Send again', exact: true }).click();
  await forgot.getByText('If this account exists, we send a new link to it.').waitFor();
  const again = await linkTo('anna@example.com');
  await forgot.clock.fastForward(30 * 60_000);
  await forgot.getByText('The resend button has expired.').waitFor();
  expect(await forgot.getByRole('button', { name: /Send again/ }).count()).toBe(0);
  await invalid(byName, 'The reset link is invalid or has expired.');

  await age('anna', threeDays - 120);
  const anna = await open(again);
  await anna.getByText('For the account anna.').waitFor();
  expect(path(anna)).toBe('/forgetPasswordResult');
  await choose(anna, first);
  await anna.getByText('The new password is the same as the old one.').waitFor();
  await choose(anna, second);
  await anna.waitForURL('**/resetPassSuccess');
  await backToLogin(anna);
  await invalid(again, 'The reset link is invalid or has expired.');
  await enter('anna', second);

  const byEmail = await open('/forgetPassword');
  await byEmail.locator('[name=name]').fill('Anna@example.com');
  await byEmail.locator('button[type=submit]').click();
  await byEmail.waitForURL('**/forgetPasswordActive');
  // The mail about the changed password may arrive first.
  let old = await linkTo('anna@example.com');
  if (!old.includes('#')) old = await linkTo('anna@example.com');
  expect(new URL(old).pathname).toBe('/forgetPasswordResult');
  await (await open(old)).getByText('For the account anna.').waitFor();
  await age('anna', threeDays + 1);
  await invalid(old, 'The reset link is invalid or has expired.');
}, 900_000);

it(
  'a new email must be valid and free, and is confirmed once within 3 days by a link to it [AUTH-11]',
  { timeout: 900_000 },
  async () => {
    const { page: anna } = await product.loggedIn('/info', { username: 'anna', password: second });
    await anna.getByRole('link', { name: 'Change email' }).click();
    await anna.waitForURL('**/resetEmail');
    const ask = async (email: string) => {
      await anna.locator('[name=email]').fill(email);
      await anna.locator('[name=password]').fill(second);
      await anna.locator('button[type=submit]').click();
    };
    for (const [email, text] of [
      ['not an address', 'Enter a valid email address.'],
      ['a@b', 'Enter a valid email address.'],
      ['ANNA@example.com', 'The email is the same as the current one.'],
      ['late@example.com', 'This email is already in use.'],
    ] as const) {
      await ask(email);
      await anna.locator('form').getByText(text).waitFor();
      expect(path(anna)).toBe('/resetEmail');
    }
    await ask('old@example.com');
    await anna.waitForURL('**/resetEmailActive');
    await anna.getByText('The link goes to old@example.com.').waitFor();
    await anna.locator('[data-mail=sent]').waitFor();
    const old = await linkTo('old@example.com');
    expect(new URL(old).pathname).toBe('/resetEmailResult');
    await age('anna', threeDays + 1);
    await invalid(old, 'The link to confirm the email is invalid or has expired.');

    await anna.goto('/resetEmail');
    await ask('new@example.com');
    await anna.waitForURL('**/resetEmailActive');
    const link = await linkTo('new@example.com');
    await age('anna', threeDays - 120);
    const page = await open(link);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await page.getByText('The email of the account is now new@example.com.').waitFor();
    expect(path(page)).toBe('/resetEmailResult');
    await backToLogin(page);
    await invalid(link, 'The link to confirm the email is invalid or has expired.');
    await enter('new@example.com', second);
    const { page: before } = await product.visit();
    await before.goto('/login');
    await before.locator('[name=name]').fill('anna@example.com');
    await before.locator('[name=password]').fill(second);
    await before.locator('[name=agreement]').check();
    await before.locator('button[type=submit]').click();
    await before.getByText('Wrong username or password.').waitFor();
  },
);
