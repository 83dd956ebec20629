// @module-tag slow
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addUser,
  bladeUserInfo,
  deleteUsers,
  listUsers,
  type CallError,
} from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { activatedUser, first, roleNamed, second } from '../../../../test/activated-user.ts';
import { useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';
import { act, select } from '../../../../test/user-page.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'user-info', devices: 0, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

const wait = { timeout: 45_000 };
const person = (name: string, role?: string) => activatedUser(product.platform, name, role);

/** Sends a call like the console, with the session of its cookie, as JSON or as a form. */
async function ask(
  context: BrowserContext,
  method: string,
  path: string,
  data: object,
): Promise<{ status: number; error: string | undefined; fields: string[] }> {
  const answer = await context.request.fetch(path, {
    method,
    headers: { 'carillon-language': 'en_US', origin: product.platform.ready.url },
    data,
  });
  const body = (await answer.json()) as { error?: string; data: { fields?: { path: string }[] } | null };
  return { status: answer.status(), error: body.error, fields: (body.data?.fields ?? []).map((f) => f.path) };
}

it('browser and server accept only a password of 8 mixed characters that is new and confirmed [AUTH-13]', async () => {
  const weak = {
    'Sh0rt-a': '8 characters or more',
    'lower-case-1': 'An uppercase letter',
    'UPPER-CASE-1': 'A lowercase letter',
    'No-digit-here': 'A digit',
    NoSpecial123: 'A special character',
  };
  // The server checks wherever a password is set: for a new user, and for the first own one.
  const refused = (answer: Promise<unknown>) =>
    answer.then(
      () => 'taken',
      (e: CallError) => e.error,
    );
  const roleIds = [await roleNamed(product.platform, 'viewer')];
  const add = (password: string) =>
    product.platform.call(addUser, {
      body: {
        username: 'greta',
        nickname: 'greta',
        email: 'greta@example.com',
        activation: 'password',
        oldEnough: true,
        password,
        roleIds,
        allOrgs: true,
        orgIds: [],
      },
    });
  const activate = (newPassword: string, confirmation = newPassword) =>
    product.platform.plainClient()(activateByPassword, {
      body: { username: 'greta', password: first, newPassword, confirmation },
    });
  for (const password of Object.keys(weak)) expect(await refused(add(password)), password).toBe('auth.passwordRule');
  const user = await add(first);
  for (const password of Object.keys(weak))
    expect(await refused(activate(password)), password).toBe('auth.passwordRule');
  expect(await refused(activate(first))).toBe('auth.passwordSame');
  expect(await refused(activate(second, first))).toBe('auth.passwordsDiffer');
  expect(await refused(activate(second))).toBe('taken');
  const { context, page } = await product.loggedIn('/info', { username: 'greta', password: second });
  const sent: string[] = [];
  page.on('request', (r) => {
    if (r.method() !== 'GET') sent.push(new URL(r.url()).pathname);
  });
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.waitForURL('**/resetPassword');
  const change = '/api/f/auth/password/change';
  const save = async (newPassword: string, confirmation: string) => {
    for (const [name, value] of Object.entries({ oldPassword: second, newPassword, confirmation }))
      await page.locator(`[name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Save password' }).click();
  };
  for (const [password, lacks] of Object.entries(weak)) {
    await save(password, password);
    await page.getByText('The password doesn’t meet all requirements.').waitFor();
    expect(await page.locator('#password-rule li:not([data-has])').allInnerTexts()).toEqual([lacks]);
    expect(
      await ask(context, 'POST', change, { oldPassword: second, newPassword: password, confirmation: password }),
    ).toEqual({ status: 400, error: 'auth.passwordRule', fields: ['newPassword'] });
  }
  await save(second, second);
  await page.getByText('The new password is the same as the old one.').waitFor();
  expect(
    await ask(context, 'POST', change, { oldPassword: second, newPassword: second, confirmation: second }),
  ).toEqual({ status: 400, error: 'auth.passwordSame', fields: ['newPassword'] });
  await save('Third-Secret-3', 'Third-Secret-4');
  await page.getByText('The passwords don’t match.').waitFor();
  expect(
    await ask(context, 'POST', change, {
      oldPassword: second,
      newPassword: 'Third-Secret-3',
      confirmation: 'Third-Secret-4',
    }),
  ).toEqual({ status: 400, error: 'auth.passwordsDiffer', fields: ['confirmation'] });
  expect(sent).not.toContain(change);
  await product.loggedIn('/wel/home', { username: 'greta', password: second });
  // Eight characters are enough.
  await save('Eight-08', 'Eight-08');
  await page.waitForURL('**/resetPasswordResult');
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.waitForURL('**/wel/home');
  await product.loggedIn('/wel/home', { username: 'greta', password: 'Eight-08' });
  await product.platform.call(deleteUsers, { query: { ids: [user.id] } });
});

it('/info edits basic data, time zone and picture, and links to a new password and a new email [AUTH-16]', async () => {
  const user = await person('hanna');
  const { page } = await product.loggedIn('/info', { username: 'hanna', password: second });
  const basic = page.getByRole('form', { name: 'Basic info' });
  // Who they are, as the server has it.
  await expect.poll(() => basic.getByLabel('Display name').inputValue()).toBe('hanna');
  await page.getByText('hanna@example.com', { exact: true }).waitFor();
  const fact = (name: string) =>
    page
      .locator('dl div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .innerText();
  const { companyName } = await product.platform.call(bladeUserInfo);
  expect([await fact('Username'), await fact('Company'), await fact('Roles'), await fact('User ID')]).toEqual([
    'hanna',
    companyName,
    'viewer',
    user.id,
  ]);
  await basic.getByLabel('Display name').fill('Hanna Glocke');
  await select(page, 'Country or region', 'Brazil');
  await basic.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await product.platform.call(listUsers, { query: { search: 'hanna' } })).records[0], wait)
    .toMatchObject({ nickname: 'Hanna Glocke', countryId: 76 });
  await page.reload();
  expect(await page.getByLabel('Display name').inputValue()).toBe('Hanna Glocke');
  expect(await page.getByLabel('Country or region').first().inputValue()).toBe('Brazil');

  const zone = page.getByRole('form', { name: 'Time zone' });
  await zone.locator('input').first().click();
  await page.getByRole('option', { name: /Berlin/ }).click();
  await Promise.all([page.waitForEvent('load'), zone.getByRole('button', { name: 'Save' }).click()]);
  await expect
    .poll(() => page.getByRole('form', { name: 'Time zone' }).locator('input').first().inputValue(), wait)
    .toContain('Berlin');
  expect((await product.platform.call(listUsers, { query: { search: 'hanna' } })).records[0]!.timezoneId).toBe(17);

  // The smallest PNG, an invalid one, and one that is too large.
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByText('The picture must be a JPG or PNG of at most 100 KB.').waitFor();
  await file.setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.concat([png, Buffer.alloc(102_400)]),
  });
  await page.getByText('The picture is larger than 100 KB.').waitFor();
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
  const picture = page.getByRole('img', { name: 'Picture' });
  await expect.poll(() => picture.getAttribute('src'), wait).toBe(`data:image/png;base64,${png.toString('base64')}`);
  await page.reload();
  await expect.poll(() => picture.getAttribute('src'), wait).toContain('data:image/png');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Change password' }).click();
  await page.waitForURL('**/resetPassword');
  for (const [name, value] of [
    ['oldPassword', second],
    ['newPassword', first],
    ['confirmation', first],
  ] as const)
    await page.locator(`[name=${name}]`).fill(value);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('**/resetPasswordResult');
  await page.goto('/info');
  await page.getByRole('link', { name: 'Change email' }).click();
  await page.waitForURL('**/resetEmail');
  await page.locator('[name=email]').fill('glocke@example.com');
  await page.locator('[name=password]').fill(first);
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/resetEmailActive');
  const { link } = await mail.next('glocke@example.com', 30_000);
  const { page: confirmed } = await product.visit();
  await confirmed.goto(link!);
  await confirmed.getByRole('button', { name: 'Confirm email' }).click();
  await confirmed.getByText('The email of the account is now glocke@example.com.').waitFor();
  await product.loggedIn('/wel/home', { username: 'glocke@example.com', password: first });
  await product.platform.call(deleteUsers, { query: { ids: [user.id] } });
});

it('a user shows ERP ID, company, authors and times; contacts and ERP ID are edited in /info [USER-04]', async () => {
  const user = await person('ida', 'administrator');
  const { page } = await product.loggedIn('/info', { username: 'ida', password: second });
  const called: string[] = [];
  page.on('request', (r) => {
    if (r.method() !== 'GET') called.push(`${r.method()} ${new URL(r.url()).pathname}`);
  });
  const basic = page.getByRole('form', { name: 'Basic info' });
  const contacts = page.getByRole('form', { name: /^Contacts of/ });
  // Unsaved text in one card survives saving another card.
  await contacts.locator('[name=contact]').fill('Ida Turm');
  await basic.getByLabel('ERP ID').fill(' E-4711 ');
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/f/mc/user/erpID', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await basic.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => called, wait).toContain('POST /api/f/mc/user/erpID');
  await basic.locator('[name=nickname]').fill('Typed meanwhile');
  answered.resolve();
  await expect.poll(() => basic.getByLabel('ERP ID').inputValue(), wait).toBe('E-4711');
  expect(await contacts.locator('[name=contact]').inputValue()).toBe('Ida Turm');
  expect(await basic.locator('[name=nickname]').inputValue()).toBe('Typed meanwhile');
  expect((await product.platform.call(listUsers, { query: { search: 'E-4711' } })).total).toBe(1);
  const facts = { contact: 'Ida Turm', phone: '+49 30 1', address: 'Turmweg 1', website: 'https://bells.example' };
  for (const [name, value] of Object.entries(facts)) await contacts.locator(`[name=${name}]`).fill(value);
  await contacts.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => called, wait)
    .toEqual(expect.arrayContaining(['POST /api/f/mc/user/erpID', 'POST /api/f/mc/user/enterprise']));
  await expect.poll(() => contacts.getByRole('button', { name: 'Save' }).isDisabled(), wait).toBe(true);
  await page.reload();
  for (const [name, value] of Object.entries(facts))
    expect(await contacts.locator(`[name=${name}]`).inputValue()).toBe(value);
  expect(await basic.getByLabel('ERP ID').inputValue()).toBe('E-4711');

  const { page: admin } = await product.loggedIn('/system/users');
  await act(admin, 'ida', 'Edit');
  await admin.locator('dl').waitFor();
  await admin.locator('[name=nickname]').fill('Ida T.');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.waitForURL('**/system/users');
  const shown = async (place: Page) =>
    Object.fromEntries(
      (await place
        .locator('dl')
        .last()
        .evaluate((dl) =>
          [...dl.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]),
        )) as [string, string][],
    );
  await act(admin, 'ida', 'Edit');
  await admin.locator('dl').waitFor();
  const [record] = (await product.platform.call(listUsers, { query: { search: 'E-4711' } })).records;
  const stamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  expect(await shown(admin)).toMatchObject({
    Status: 'Normal',
    Company: record!.companyName,
    'Created by': 'admin',
    'Edited by': 'admin',
    'Last sign-in': expect.stringMatching(stamp),
    Created: expect.stringMatching(stamp),
    Updated: expect.stringMatching(stamp),
  });
  expect(await admin.locator('[name=erpId]').inputValue()).toBe('E-4711');
  await page.reload();
  await page.locator('#info-facts').waitFor();
  expect(await shown(page)).toMatchObject({
    Company: record!.companyName,
    'Created by': 'admin',
    'Edited by': 'admin',
    'Last sign-in': expect.stringMatching(stamp),
    Created: expect.stringMatching(stamp),
    Updated: expect.stringMatching(stamp),
  });
  await product.platform.call(deleteUsers, { query: { ids: [user.id] } });
});
