// @module-tag slow
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addUser,
  bladeUserInfo,
  deleteUsers,
  listRoles,
  listUsers,
  type CallError,
} from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { fillLogin, useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'user', devices: 0, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

const first = 'First-Secret-1';
const second = 'Second-Secret-2';
const wait = { timeout: 45_000 };
const chosen = { newPassword: second, confirmation: second };

const roleNamed = async (name: string): Promise<string> =>
  (await product.platform.call(listRoles, { query: { search: name } })).records.find((r) => r.name === name)!.id;
/** Adds an account and activates it. */
async function person(username: string, role = 'viewer') {
  const user = await product.platform.call(addUser, {
    body: {
      username,
      nickname: username,
      email: `${username}@example.com`,
      activation: 'password',
      oldEnough: true,
      password: first,
      roleIds: [await roleNamed(role)],
      allOrgs: true,
      orgIds: [],
    },
  });
  await product.platform.plainClient()(activateByPassword, { body: { username, password: first, ...chosen } });
  return user;
}
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
const row = (page: Page, name: string) => page.locator('[data-id]').filter({ hasText: name });
/** Runs an action of a row. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
async function agree(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
/** Returns a user's row by column name. */
async function listed(page: Page, name: string): Promise<Record<string, string>> {
  const [heads, cells] = await Promise.all([
    page.locator('main th').allInnerTexts(),
    row(page, name).locator('td').allInnerTexts(),
  ]);
  return Object.fromEntries(
    heads.map((head, i) => [head.trim(), cells[i]!.trim()]).filter(([head]) => head !== '' && head !== 'Actions'),
  );
}
async function pick(page: Page, nth: number, option: string): Promise<void> {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
}
async function select(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByLabel(label, { exact: true }))
    .filter({ visible: true })
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

it('users are added with every field, listed, edited, disabled, enabled, unlocked and deleted [USER-01]', async () => {
  const { page } = await product.loggedIn('/system/users');
  await page.getByRole('link', { name: 'Add user' }).click();
  await page.locator('button[type=submit]').click();
  for (const text of ['Enter a username.', 'Enter a display name.', 'Enter an email address for the link.'])
    await page.getByText(text).waitFor();
  await page.locator('[name=username]').fill('ADMIN');
  await page.locator('[name=nickname]').fill('Clara Weber');
  await page.locator('[name=email]').fill('clara@example.com');
  await pick(page, 0, 'viewer');
  await pick(page, 1, 'Head office');
  await select(page, 'Email language', 'Português');
  await select(page, 'Time zone', 'UTC+01:00 Berlin, Paris, Madrid, Lagos');
  await select(page, 'Country or region', 'Germany');
  await page.locator('[name=erpId]').fill('ERP-77');
  await page.locator('button[type=submit]').click();
  // The minimum age of the privacy text is confirmed here.
  await page.getByText('Confirm the person’s age.').waitFor();
  await page.locator('[name=oldEnough]').check();
  await page.locator('button[type=submit]').click();
  await page.locator('form').getByText('This username is already in use.').waitFor();
  await page.locator('[name=username]').fill('clara');
  await page.locator('button[type=submit]').click();
  await page.getByText('The activation link goes to clara@example.com.').waitFor();
  await page.locator('[data-mail=sent]').waitFor();
  const [clara] = (await product.platform.call(listUsers, { query: { search: 'clara' } })).records;
  expect(clara).toMatchObject({
    username: 'clara',
    nickname: 'Clara Weber',
    email: 'clara@example.com',
    accountType: 'ordinary',
    status: 'inactive',
    activation: 'email',
    roles: [{ name: 'viewer' }],
    allOrgs: false,
    orgs: [{ name: 'Head office' }],
    language: 'pt_BR',
    timezoneId: 17,
    countryId: 276,
    erpId: 'ERP-77',
    createdBy: 'admin',
    editor: 'admin',
    lastLoginAt: null,
  });
  const { link: older } = await mail.next('clara@example.com', 30_000);

  await page.goto('/system/users');
  await row(page, 'clara').getByText('Not activated').waitFor();
  // The state of the mail is shown where it was requested: refused with the server's message, or accepted.
  mail.refuse(550);
  await act(page, 'clara', 'Resend activation');
  await page.getByRole('dialog').getByRole('button', { name: 'Resend activation to clara', exact: true }).click();
  await page.getByRole('dialog').getByText('The email server answered: 550 refused by the test').waitFor();
  await page.locator('[data-mail=failed]').getByText('Not sent').waitFor();
  await agree(page, 'Done');
  mail.refuse(undefined);
  await act(page, 'clara', 'Resend activation');
  await page.getByRole('dialog').getByRole('button', { name: 'Resend activation to clara', exact: true }).click();
  await page.locator('[data-mail=sent]').getByText('Activation link').waitFor();
  await agree(page, 'Done');
  const { link } = await mail.next('clara@example.com', 30_000);
  const { page: owner } = await product.visit();
  await owner.goto(older!);
  await owner.getByText('The activation link is invalid or has expired.').waitFor();
  await owner.goto('/login');
  await owner.goto(link!);
  for (const name of ['newPassword', 'confirmation']) await owner.locator(`[name=${name}]`).fill(second);
  await owner.locator('button[type=submit]').click();
  await owner.getByRole('heading', { name: 'Account activated' }).waitFor();
  await page.reload();
  await row(page, 'clara').getByText('Normal', { exact: true }).waitFor();
  // Every field of the description, in the chosen columns.
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  for (const column of [
    'Account type',
    'Time zone',
    'Country or region',
    'Activation',
    'ERP ID',
    'User ID',
    'Company',
    'Created by',
    'Edited by',
    'Created',
    'Updated',
  ])
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel(column, { exact: true }).check();
  await page.keyboard.press('Escape');
  await owner.goto('/login');
  await fillLogin(owner, { username: 'clara', password: second });
  await owner.waitForURL('**/wel/home');
  await page.reload();
  const stamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  await row(page, 'clara').waitFor();
  await expect
    .poll(() => listed(page, 'clara'), wait)
    .toEqual({
      Status: 'Normal',
      Username: 'clara',
      'Display name': 'Clara Weber',
      Email: 'clara@example.com',
      'Account type': 'Ordinary user',
      Roles: 'viewer',
      Organizations: 'Head office',
      'Last sign-in': expect.stringMatching(stamp),
      'Time zone': 'UTC+01:00 Berlin, Paris, Madrid, Lagos',
      'Country or region': 'Germany',
      Activation: 'By email',
      'ERP ID': 'ERP-77',
      'User ID': clara!.id,
      Company: clara!.companyName,
      'Created by': 'admin',
      'Edited by': 'admin',
      Created: expect.stringMatching(stamp),
      Updated: expect.stringMatching(stamp),
    });

  await page.goto('/system/users/addUser');
  await page.locator('[name=username]').fill('dora');
  await page.locator('[name=nickname]').fill('Dora');
  await page.locator('[name=email]').fill('CLARA@example.com');
  await pick(page, 0, 'viewer');
  await page.getByLabel('All, including future ones').check();
  await page.getByText('By password', { exact: true }).click();
  await page.locator('[name=password]').fill(first);
  await page.locator('[name=oldEnough]').check();
  await page.locator('button[type=submit]').click();
  await page.locator('form').getByText('This email is already in use.').waitFor();
  await page.locator('[name=email]').fill('dora@example.com');
  await page.locator('button[type=submit]').click();
  await page.getByText('Share these details with the user.').waitFor();
  await page.getByText(first, { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Done' }).click();
  await row(page, 'dora').getByText('Not activated', { exact: true }).waitFor();
  const { page: told } = await product.visit();
  await told.goto('/login');
  await fillLogin(told, { username: 'dora', password: first });
  await told.getByRole('alert').getByText('The user has not been activated.').waitFor();
  expect(await listed(page, 'dora')).toMatchObject({ Activation: 'By password', Organizations: 'All' });
  await act(page, 'dora', 'Resend activation');
  await page.getByRole('dialog').locator('[name=password]').fill('weak');
  await page.getByRole('dialog').getByRole('button', { name: 'Resend activation to dora' }).click();
  await page.getByRole('dialog').getByText('The password doesn’t meet all requirements.').waitFor();
  await page.getByRole('dialog').locator('[name=password]').fill('Other-First-5');
  await agree(page, 'Resend activation to dora');
  await page.getByText('New temporary password set for dora').waitFor();
  const plain = product.platform.plainClient();
  await expect(
    plain(activateByPassword, { body: { username: 'dora', password: first, ...chosen } }),
  ).rejects.toMatchObject({ error: 'auth.wrongCredentials' });
  await told.goto('/system/activeUser');
  for (const [name, value] of Object.entries({ username: 'dora', password: 'Other-First-5', ...chosen }))
    await told.locator(`[name=${name}]`).fill(value);
  await told.locator('button[type=submit]').click();
  await told.getByRole('heading', { name: 'Account activated' }).waitFor();
  await page.reload();
  await row(page, 'dora').getByText('Normal', { exact: true }).waitFor();

  await act(page, 'clara', 'Edit');
  await page.locator('dl').waitFor();
  await page.locator('[name=username]').fill('dora');
  await page.locator('[name=nickname]').fill('Clara Berg');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('form').getByText('This username is already in use.').waitFor();
  await page.locator('[name=username]').fill('clara');
  await page.locator('[name=email]').fill('dora@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('form').getByText('This email is already in use.').waitFor();
  await page.locator('[name=email]').fill('berg@example.com');
  await pick(page, 0, 'administrator');
  await page.getByLabel('All, including future ones').check();
  await select(page, 'Account type', 'Channel user');
  await select(page, 'Email language', '한국어');
  await select(page, 'Time zone', 'UTC+08:00 Beijing, Hong Kong, Taipei');
  await select(page, 'Country or region', 'Brazil');
  await page.locator('[name=erpId]').fill('ERP-78');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/system/users');
  await page.getByText('clara saved', { exact: true }).waitFor();
  await row(page, 'clara').getByText('Clara Berg').waitFor();
  expect((await product.platform.call(listUsers, { query: { search: 'clara' } })).records).toEqual([
    expect.objectContaining({
      id: clara!.id,
      username: 'clara',
      nickname: 'Clara Berg',
      email: 'berg@example.com',
      accountType: 'channel',
      roles: [expect.objectContaining({ name: 'administrator' }), expect.objectContaining({ name: 'viewer' })],
      allOrgs: true,
      language: 'ko',
      countryId: 76,
      erpId: 'ERP-78',
    }),
  ]);
  expect(await listed(page, 'clara')).toMatchObject({
    Email: 'berg@example.com',
    'Account type': 'Channel user',
    Organizations: 'All',
    'Time zone': 'UTC+08:00 Beijing, Hong Kong, Taipei',
    'Country or region': 'Brazil',
    'ERP ID': 'ERP-78',
  });

  await act(page, 'clara', 'Disable');
  await agree(page, 'Disable clara');
  await page.getByText('clara disabled', { exact: true }).waitFor();
  await row(page, 'clara').getByText('Disabled', { exact: true }).waitFor();
  await owner.goto('/login');
  await fillLogin(owner, { username: 'clara', password: second });
  await owner.getByRole('alert').getByText('The user is disabled.').waitFor();
  await act(page, 'clara', 'Enable');
  await agree(page, 'Enable clara');
  await page.getByText('clara enabled', { exact: true }).waitFor();
  await row(page, 'clara').getByText('Normal', { exact: true }).waitFor();
  for (let i = 0; i < 5; i++)
    await plain(activateByPassword, { body: { username: 'clara', password: 'wrong', ...chosen } }).catch(() => {});
  await page.reload();
  await row(page, 'clara').getByText('Locked', { exact: true }).waitFor();
  // A locked user cannot log in with the right password.
  await expect(
    plain(activateByPassword, { body: { username: 'clara', password: second, ...chosen } }),
  ).rejects.toMatchObject({ error: 'auth.accountLocked' });
  await act(page, 'clara', 'Unlock');
  await agree(page, 'Unlock clara');
  await page.getByText('clara unlocked', { exact: true }).waitFor();
  await row(page, 'clara').getByText('Normal', { exact: true }).waitFor();
  await product.loggedIn('/wel/home', { username: 'clara', password: second });
  for (const name of ['clara', 'dora']) {
    await act(page, name, 'Delete');
    await agree(page, `Delete user ${name}`);
    await page.getByText(`User ${name} deleted`, { exact: true }).waitFor();
    await row(page, name).waitFor({ state: 'detached' });
  }
  expect((await product.platform.call(listUsers, { query: { search: 'example.com' } })).total).toBe(0);
  await owner.goto('/login');
  await fillLogin(owner, { username: 'clara', password: second });
  await owner.getByRole('alert').getByText('Wrong username or password.').waitFor();
}, 900_000);

it('the list shows, filters and counts super administrators, channel users and ordinary users [USER-03]', async () => {
  const { platform } = product;
  const roleIds = [await roleNamed('viewer')];
  const kinds = { super: 'Super administrator', channel: 'Channel user', ordinary: 'Ordinary user' } as const;
  const numbers = { super: 1, channel: 2, ordinary: 3 } as const;
  const ids: string[] = [];
  const make = async (accountType: keyof typeof kinds, n: number) => {
    const { id } = await platform.call(addUser, {
      body: {
        username: `zzkind-${accountType}-${n}`,
        nickname: 'Kind',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: first,
        accountType,
        roleIds,
        allOrgs: true,
        orgIds: [],
      },
    });
    ids.push(id);
  };
  try {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
      for (let n = 1; n <= numbers[kind]; n++) await make(kind, n);
    const { page } = await product.administrator('/system/users?search=zzkind');
    const statistics = page.getByRole('list', { name: 'Account type' });
    const rows = page.locator('main [data-id]');
    const counted = async () => (await statistics.getByRole('listitem').allInnerTexts()).map((x) => x.trim());
    await expect.poll(() => rows.count(), wait).toBe(6);
    await expect.poll(counted, wait).toEqual(['Super administrator 1', 'Channel user 2', 'Ordinary user 3']);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('Account type', { exact: true }).check();
    await page.keyboard.press('Escape');
    for (const [kind, word] of Object.entries(kinds)) {
      const name = `zzkind-${kind}-1`;
      await row(page, name).getByText(word, { exact: true }).waitFor();
    }

    // Each count links to these users, and stays beside the others.
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      await statistics.getByRole('link', { name: kinds[kind] }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('accountType'), wait).toContain(kind);
      await expect.poll(() => rows.count(), wait).toBe(numbers[kind]);
      expect(await rows.getByText(kinds[kind], { exact: true }).count()).toBe(numbers[kind]);
      expect(await counted()).toEqual(['Super administrator 1', 'Channel user 2', 'Ordinary user 3']);
    }
    // The filter offers and counts the types as well, and accepts two at once.
    await page.goto('/system/users?search=zzkind');
    await page.getByRole('button', { name: 'Add filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Account type' }).click();
    const chip = page.getByRole('dialog');
    for (const kind of ['super', 'channel'] as const) await chip.getByLabel(kinds[kind]).check();
    expect((await chip.innerText()).split('\n').join(' ')).toMatch(
      /Super administrator 1 Channel user 2 Ordinary user 3/,
    );
    await page.keyboard.press('Escape');
    await expect.poll(() => rows.count(), wait).toBe(3);

    // A user who is added while the page is open is counted.
    await make('channel', 3);
    await expect.poll(async () => (await counted())[1], wait).toBe('Channel user 3');
  } finally {
    await platform.call(deleteUsers, { query: { ids } });
  }
});

it('browser and server accept only a password of 8 mixed characters that is new and confirmed [AUTH-13]', async () => {
  const weak = {
    'Sh0rt-a': '8 characters or more',
    'lower-case-1': 'An uppercase letter',
    'UPPER-CASE-1': 'A lowercase letter',
    'No-digit-here': 'A digit',
    NoSpecial123: 'A special character',
  };
  // The server checks wherever a password is set: for a new user, and for the first own one.
  const refused = (of: Promise<unknown>) =>
    of.then(
      () => 'taken',
      (e: CallError) => e.error,
    );
  const roleIds = [await roleNamed('viewer')];
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

it('deleted users are restored from the list and must log in again; taken login names are named', async () => {
  const { platform } = product;
  const [one, two] = [await person('zzundo1'), await person('zzundo2')];
  const { page: owner } = await product.loggedIn('/wel/home', { username: 'zzundo1', password: second });
  const { page } = await product.administrator('/system/users?search=zzundo');
  const remove = async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.locator('main [role=region]').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 2 users' }).getByText('You can undo this briefly.').waitFor();
    await agree(page, 'Delete 2 users');
    await row(page, 'zzundo1').waitFor({ state: 'detached' });
    await page.getByText('2 users deleted').last().waitFor();
  };
  const ids = [one.id, two.id];
  try {
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 users restored', { exact: true }).waitFor();
    await row(page, 'zzundo2').waitFor();
    expect(
      (await platform.call(listUsers, { query: { search: 'zzundo' } })).records.map((u) => [u.id, u.email, u.status]),
    ).toEqual([
      [one.id, one.email, 'normal'],
      [two.id, two.email, 'normal'],
    ]);
    await owner.reload();
    await owner.waitForURL('**/login**');
    await product.loggedIn('/wel/home', { username: 'zzundo1', password: second });

    await remove();
    ids[0] = (
      await platform.call(addUser, {
        body: {
          username: 'ZzUndo1',
          nickname: 'New',
          email: null,
          activation: 'password',
          oldEnough: true,
          password: first,
          roleIds: [await roleNamed('viewer')],
          allOrgs: true,
          orgIds: [],
        },
      })
    ).id;
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 user restored · Username or email now in use: zzundo1').waitFor();
  } finally {
    await platform.call(deleteUsers, { query: { ids } });
  }
});
