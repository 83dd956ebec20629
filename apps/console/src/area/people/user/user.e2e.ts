// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import { activateByPassword, addUser, deleteUsers, listUsers } from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { activatedUser, chosen, first, roleNamed, second } from '../../../../test/activated-user.ts';
import { fillLogin, useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';
import { act, agree, listed, pick, row, select } from '../../../../test/user-page.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'user', devices: 0, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

const wait = { timeout: 45_000 };
const person = (name: string, role?: string) => activatedUser(product.platform, name, role);

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
  const roleIds = [await roleNamed(product.platform, 'viewer')];
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
          roleIds: [await roleNamed(product.platform, 'viewer')],
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
