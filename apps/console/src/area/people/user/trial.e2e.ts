// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { activateByPassword, addCompany } from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';

const without = useProduct();
let mail: MailServer;
const withMail = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'trial', devices: 0, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

/** Counts user actions: a click, or a text that is typed or pasted. */
function counted(page: Page) {
  let actions = 0;
  const act = async (work: Promise<unknown>) => {
    actions += 1;
    await work;
  };
  return {
    page,
    taken: () => actions,
    click: (name: string | RegExp, role: 'button' | 'link' | 'option' | 'tab' = 'button') =>
      act(
        page
          .getByRole(role, { name, exact: typeof name === 'string' })
          .filter({ visible: true })
          .first()
          .click(),
      ),
    press: (text: string) => act(page.getByText(text, { exact: true }).click()),
    fill: (field: string, text: string) => act(page.locator(`[name=${field}]`).fill(text)),
    tick: (label: string) => act(page.getByRole('checkbox', { name: label, exact: true }).check()),
    check: (field: string) => act(page.locator(`[name=${field}]`).check()),
    /** Opens a list, chooses, and goes on with the next field: two clicks. */
    async choose(nth: number, ...options: string[]) {
      await act(page.locator('.mantine-MultiSelect-input').nth(nth).click());
      for (const option of options) await act(page.getByRole('option', { name: option, exact: true }).click());
      await page.keyboard.press('Escape');
    },
  };
}
type Trial = ReturnType<typeof counted>;

async function newCompany(product: typeof without, name: string): Promise<Page> {
  const first = 'First-Secret-1';
  const own = { username: name, password: 'Own-Secret-1' };
  await product.platform.call(addCompany, {
    body: {
      name: `Trial ${name}`,
      type: 'enterprise',
      organizationName: 'Head office',
      remarks: '',
      username: name,
      nickname: 'Tilda Chief',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: 1,
      countryId: 1,
    },
  });
  await product.platform.plainClient()(activateByPassword, {
    body: { username: name, password: first, newPassword: own.password, confirmation: own.password },
  });
  return (await product.loggedIn('/wel/home', own)).page;
}

/** Adds one more organization and role, over which the five users are spread. */
async function prepare({ page }: Trial) {
  await page.goto('/system/organization');
  await page.getByRole('button', { name: 'Add organization' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
  await page.getByRole('dialog').getByRole('button', { name: 'Add organization' }).click();
  await page.locator('[data-id]').filter({ hasText: 'Harbour' }).waitFor();
  // A role copied from another one: same rights, another name.
  await page.goto('/system/roles');
  await page.getByRole('button', { name: 'Actions for viewer', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await expect.poll(() => page.locator('[name=name]').inputValue()).toBe('Copy of viewer');
  expect(await page.getByLabel('Home', { exact: true }).isChecked()).toBe(true);
  await page.locator('[name=name]').fill('Front desk');
  await page.getByRole('button', { name: 'Add role', exact: true }).click();
  await page.locator('[data-id]').filter({ hasText: 'Front desk' }).waitFor();
}

async function fiveUsers(trial: Trial, domain: string): Promise<void> {
  const { page } = trial;
  await trial.press('Several users');
  // Two viewers of the head office and two at the front desk of the harbour by address, and an administrator
  // separately.
  for (const [role, organization, addresses] of [
    ['viewer', 'Head office', `cara.klein@${domain}, Dan Diaz <dan@${domain}>`],
    ['Front desk', 'Harbour', `eva@${domain}\nfinn@${domain}`],
  ] as const) {
    await trial.fill('addresses', addresses);
    await trial.tick(role);
    await trial.tick(organization);
    await trial.check('oldEnough');
    await trial.click('Add 2 users');
    await page.getByRole('heading', { name: '2 users added' }).waitFor();
    await trial.click('Add another');
  }
  await trial.fill('addresses', `ben.boss@${domain}`);
  await trial.tick('administrator');
  await trial.press('All, including future ones');
  await trial.check('oldEnough');
  await trial.click('Add 1 user');
  await page.getByRole('heading', { name: 'ben.boss added' }).waitFor();
}

const step = (page: Page, key: string) => page.locator(`[data-step=${key}]`);

it(
  'without a mail server, Home guides an administrator to five users in at most four actions each',
  { timeout: 900_000 },
  async () => {
    const name = `trial.${Date.now().toString(36)}`;
    const page = await newCompany(without, name);
    await page.getByRole('heading', { name: 'Finish setting up' }).waitFor();
    // Each step with the server's state; the mail server is not theirs to set up.
    await step(page, 'organization').getByText('1 organization').waitFor();
    await step(page, 'site').getByText('None yet').waitFor();
    await step(page, 'device').getByText('None yet').waitFor();
    expect(await step(page, 'mail').count()).toBe(0);
    await step(page, 'user').getByText('Only you so far').waitFor();
    await prepare(counted(page));
    await page.goto('/wel/home');
    await step(page, 'user').getByRole('link').click();
    await page.waitForURL('**/system/users/addUser');
    await page.getByText('There is no email server yet').waitFor();
    const trial = counted(page);
    await fiveUsers(trial, `${name}.example.com`);
    // All clicks and texts, from the form's first field to the end of the last one: 18 for the five users.
    expect(trial.taken()).toBeLessThanOrEqual(4 * 5);

    // An invalid row is named, and the others are added.
    await page.goto('/system/users/addUser');
    await page.getByText('Several users', { exact: true }).click();
    await page.locator('[name=addresses]').fill(`gus@${name}.example.com\nnot an address\nadmin@${name}.example.com`);
    const more = counted(page);
    await more.tick('viewer');
    await more.tick('Harbour');
    await more.check('oldEnough');
    await more.click('Add 3 users');
    await page.locator('section[role=status] code').getByText('gus', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'New users' }).getByText('This username is already in use.').waitFor();
    await page.getByLabel(`Username of admin@${name}.example.com`).fill('admin.of.harbour');
    await page.locator('[name=addresses]').fill(`admin@${name}.example.com`);
    await page.getByRole('button', { name: 'Add 1 user' }).click();
    await page.getByRole('heading', { name: '2 users added' }).waitFor();
    expect(await page.locator('[data-made] code').count()).toBe(2);

    // The next form keeps the common values of the last one, but not its names.
    await page.goto('/system/users/addUser');
    const next = counted(page);
    await next.fill('email', `hal.moor@${name}.example.com`);
    expect(await page.locator('[name=username]').inputValue()).toBe('hal.moor');
    expect(await page.locator('[name=nickname]').inputValue()).toBe('Hal Moor');
    await next.choose(0, 'viewer');
    await next.choose(1, 'Harbour');
    await next.check('oldEnough');
    await next.click('Save and add another');
    await page.getByText('1 user added').waitFor();
    expect(await page.locator('[name=username]').inputValue()).toBe('');
    expect(await page.locator('[name=oldEnough]').isChecked()).toBe(false);
    const before = next.taken();
    await next.fill('email', `ida@${name}.example.com`);
    await next.check('oldEnough');
    await next.click('Add user');
    expect(next.taken() - before).toBe(3);
    await page.getByRole('heading', { name: '2 users added' }).waitFor();

    await page.goto('/wel/home');
    await step(page, 'user').getByText('10 users').waitFor();
    await page.getByRole('button', { name: 'Hide “Finish setting up”' }).click();
    await page.getByRole('heading', { name: 'Finish setting up' }).waitFor({ state: 'detached' });
    await page.reload();
    await page
      .getByRole('heading', { name: 'Devices that need attention' })
      .or(page.getByText('No device'))
      .first()
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Finish setting up' }).count()).toBe(0);
  },
);

it('with a mail server the same five get a link each, and the page shows when it was accepted', async () => {
  const name = `trial.${Date.now().toString(36)}`;
  const page = await newCompany(withMail, name);
  const trial = counted(page);
  await prepare(trial);
  await page.goto('/system/users/addUser');
  await fiveUsers(trial, `${name}.example.com`);
  await page.locator('[data-mail=sent]').waitFor();
  expect(trial.taken()).toBeLessThanOrEqual(4 * 5);
  for (const who of ['cara.klein', 'dan', 'eva', 'finn', 'ben.boss']) await mail.next(`${who}@${name}.example.com`);
  await page.goto('/system/users');
  for (const [who, role] of [
    ['cara.klein', 'viewer'],
    ['dan', 'viewer'],
    ['eva', 'Front desk'],
    ['finn', 'Front desk'],
    ['ben.boss', 'administrator'],
  ] as const)
    await page
      .locator('[data-id]')
      .filter({ hasText: `${who}@` })
      .getByText(role, { exact: true })
      .waitFor();
}, 900_000);
