// @module-tag slow
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { activateByPassword, setCompanyStatus } from '@carillon/contracts';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const product = useProduct();

/** Returns the account details that the page shows for passing on. */
async function seen(page: Page): Promise<{ address: string; username: string; password: string }> {
  await page.getByText('Share these details with the user.').waitFor();
  const [address, username, password] = await page.locator('dl code').allTextContents();
  return { address: address!, username: username!, password: password! };
}
const pick = async (page: Page, nth: number, option: string) => {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
};

it(
  'a new company grows from its first login to five users in three roles, each with their own view',
  { timeout: 900_000 },
  async () => {
    const { page: root } = await product.administrator('/wel/home');
    const menu = async (view: Page, name: string) => {
      const nav = view.getByRole('navigation', { name: 'Menu' });
      const link = nav.getByRole('link', { name, exact: true });
      const group = nav.getByRole('button', { name: 'System' });
      await group.waitFor();
      if ((await link.count()) === 0) await group.click();
      await link.click();
    };
    await menu(root, 'Companies');
    await root.getByRole('button', { name: 'Add company' }).click();
    const form = root.getByRole('dialog');
    await form.getByLabel('Company name').fill('Bells of Bremen');
    await form.getByLabel('Administrator’s username').fill('bremen.chief');
    await form.getByLabel('Display name').fill('Anna Chief');
    await form.getByText('By password', { exact: true }).click();
    await form.locator('[name=oldEnough]').check();
    await form.getByRole('button', { name: 'Add company' }).click();
    const first = await seen(root);
    await root.getByRole('button', { name: 'Done' }).click();
    await root.locator('[data-id]').filter({ hasText: 'Bells of Bremen' }).waitFor();

    const enter = async (
      who: { address: string; username: string; password: string },
      own: string,
      begins = '/wel/home',
    ): Promise<Page> => {
      const { page } = await product.visit();
      await page.goto(who.address);
      await page.locator('[name=username]').fill(who.username);
      await page.locator('[name=password]').fill(who.password);
      await page.locator('[name=newPassword]').fill(own);
      await page.locator('[name=confirmation]').fill(own);
      await page.getByRole('button', { name: 'Activate account' }).click();
      await page.getByRole('link', { name: 'Back to sign in' }).click();
      await fillLogin(page, { username: who.username, password: own });
      await page.waitForURL(`**${begins}`);
      return page;
    };
    const chief = await enter(first, 'Own-Secret-1');
    await menu(chief, 'Organizations');
    await chief.locator('[data-id]').filter({ hasText: 'Head office' }).waitFor();
    await chief.getByRole('button', { name: 'Add organization' }).first().click();
    await chief.getByRole('dialog').getByLabel('Name').fill('Harbour');
    await chief.getByRole('dialog').getByRole('button', { name: 'Add organization' }).click();
    await chief.locator('[data-id]').filter({ hasText: 'Harbour' }).waitFor();

    await menu(chief, 'Roles');
    await chief.getByRole('link', { name: 'Add role' }).first().click();
    await chief.locator('[name=name]').fill('Front desk');
    await chief.getByLabel('Devices', { exact: true }).check();
    await chief.getByRole('button', { name: 'Add role', exact: true }).click();
    await chief.locator('[data-id]').filter({ hasText: 'Front desk' }).waitFor();

    await menu(chief, 'Users');
    const people = [
      ['bremen.ben', 'administrator', undefined],
      ['bremen.cara', 'viewer', 'Head office'],
      ['bremen.dan', 'viewer', 'Harbour'],
      ['bremen.eva', 'Front desk', 'Harbour'],
      ['bremen.finn', 'Front desk', 'Head office'],
    ] as const;
    const passwords = new Map<string, Awaited<ReturnType<typeof seen>>>();
    await chief.getByRole('link', { name: 'Add user' }).first().click();
    for (const [i, [username, role, organization]] of people.entries()) {
      await chief.locator('[name=username]').fill(username);
      await chief.locator('[name=nickname]').fill(username.slice(7));
      await pick(chief, 0, role);
      if (organization === undefined) await chief.getByLabel('All, including future ones').check();
      else await pick(chief, 1, organization);
      await chief.getByText('By password', { exact: true }).click();
      await chief.locator('[name=oldEnough]').check();
      await chief.locator('button[type=submit]').click();
      passwords.set(username, await seen(chief));
      if (i < people.length - 1) await chief.getByRole('button', { name: 'Add another' }).click();
      else await chief.getByRole('link', { name: 'Done' }).click();
    }
    for (const [username, role] of people)
      await chief.locator('[data-id]').filter({ hasText: username }).getByText(role, { exact: true }).waitFor();
    // Users of other companies are not visible here, and the other way round.
    expect(await chief.locator('[data-id]').filter({ hasText: 'admin@' }).count()).toBe(0);
    expect(await chief.locator('tbody [data-id]').count()).toBe(people.length + 1);

    const eva = await enter(passwords.get('bremen.eva')!, 'Own-Secret-2', '/device/list');
    await eva.getByText('No devices yet').waitFor();
    expect(
      await eva
        .getByRole('navigation', { name: 'Menu' })
        .getByRole('link')
        .evaluateAll((links) => links.map((l) => new URL((l as HTMLAnchorElement).href).pathname)),
    ).toEqual(['/device/list']);
    await eva.getByRole('button', { name: /^Organization: Harbour/ }).waitFor();
  },
);

it('a company is opened, edited, closed with its sessions, reopened, and its activation sent again', async () => {
  const { page } = await product.administrator('/system/company');
  await page.getByRole('button', { name: 'Add company' }).click();
  const form = page.getByRole('dialog', { name: 'Add company' });
  // The submit button is visible without scrolling, also at 900 px.
  await page.setViewportSize({ width: 1440, height: 900 });
  const button = await form.getByRole('button', { name: 'Add company' }).boundingBox();
  expect(button!.y + button!.height).toBeLessThanOrEqual(900);
  await form.getByLabel('Company name').fill('Chimes of Cologne');
  await form.getByLabel('Administrator’s username').fill('cologne.chief');
  await form.getByLabel('Display name').fill('Carl Chief');
  await form.locator('[name=email]').fill('cologne.chief@example.com');
  // Without an email server the form says so, links to its setting, and chooses a temporary password.
  await form.getByText('There is no email server yet').waitFor();
  expect(await form.getByRole('link', { name: 'Set up the email server' }).getAttribute('href')).toContain(
    '/system/config?tab=mail',
  );
  expect(await form.locator('[name=password]').inputValue()).not.toBe('');
  await form.getByText('By email', { exact: true }).click();
  await form.locator('[name=oldEnough]').check();
  await form.getByRole('button', { name: 'Add company' }).click();
  const row = page.locator('[data-id]').filter({ hasText: 'Chimes of Cologne' });
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'Chimes of Cologne' });
  await drawer.getByText('cologne.chief@example.com').waitFor();
  await drawer.getByText('Not activated').first().waitFor();
  await drawer.getByRole('button', { name: 'Resend activation' }).click();
  await drawer.locator('[data-mail=waiting]').getByText('No email server is set up.').waitFor();

  await drawer.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit company' });
  await edit.getByLabel('Company name').fill('carillon demo');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('A company with this name already exists.').waitFor();
  await edit.getByLabel('Company name').fill('Chimes of Köln');
  await edit.getByLabel('Remarks').fill('Rhine');
  await edit.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('dialog', { name: 'Chimes of Köln' });
  await renamed.getByText('Rhine').waitFor();
  await renamed.getByRole('button', { name: 'Close' }).click();

  // A user who is working when the company is closed.
  await page.getByRole('button', { name: 'Add company' }).click();
  await form.getByLabel('Company name').fill('Bells of Bonn');
  await form.getByLabel('Administrator’s username').fill('bonn.chief');
  await form.getByLabel('Display name').fill('Bea Chief');
  await form.getByText('By password', { exact: true }).click();
  await form.locator('[name=oldEnough]').check();
  await form.getByRole('button', { name: 'Add company' }).click();
  const first = await seen(page);
  await page.getByRole('button', { name: 'Done' }).click();
  const own = { username: 'bonn.chief', password: 'Own-Secret-1' };
  await product.platform.plainClient()(activateByPassword, {
    body: { username: own.username, password: first.password, newPassword: own.password, confirmation: own.password },
  });
  const { page: chief } = await product.loggedIn('/wel/home', own);
  const bonn = page.locator('[data-id]').filter({ hasText: 'Bells of Bonn' });
  const { page: stranger } = await product.visit();
  for (const [action, state, message] of [
    ['Disable', 'Disabled', 'The channel has been deactivated.'],
    ['Lock', 'Locked', 'The channel is locked.'],
  ] as const) {
    await bonn.click();
    const shown = page.getByRole('dialog', { name: 'Bells of Bonn' });
    await shown.getByRole('button', { name: action, exact: true }).click();
    await page
      .getByRole('dialog', { name: `${action} Bells of Bonn` })
      .getByRole('button', { name: `${action} Bells of Bonn`, exact: true })
      .click();
    await page.getByText(`Bells of Bonn ${state.toLowerCase()}`, { exact: true }).waitFor();
    await shown.getByText(state, { exact: true }).waitFor();
    await expect
      .poll(
        async () => {
          await stranger.goto('/login');
          await fillLogin(stranger, own);
          return stranger.getByRole('alert').innerText();
        },
        { timeout: 45_000 },
      )
      .toContain(message);
    await shown.getByRole('button', { name: 'Enable', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Enable Bells of Bonn' })
      .getByRole('button', { name: 'Enable Bells of Bonn', exact: true })
      .click();
    await shown.getByText('Normal', { exact: true }).first().waitFor();
    await shown.getByRole('button', { name: 'Close' }).click();
  }
  await chief.reload();
  await chief.waitForURL('**/login*');
  await expect
    .poll(
      async () => {
        await stranger.goto('/login');
        await fillLogin(stranger, own);
        await stranger.waitForURL((url) => url.pathname !== '/login', { timeout: 5_000 }).catch(() => {});
        return new URL(stranger.url()).pathname;
      },
      { timeout: 30_000 },
    )
    .toBe('/wel/home');
  // No link is promised for a forgotten password.
  const { page: forgetful } = await product.visit();
  await forgetful.goto('/forgetPassword');
  await forgetful.getByRole('heading', { name: 'No link can be sent' }).waitFor();
  await forgetful.getByRole('link', { name: 'Back to sign in' }).waitFor();
  // The own company offers neither action, and the call refuses both.
  await expect(
    product.platform.call(setCompanyStatus, { body: { id: product.platform.companyId, status: 'locked' } }),
  ).rejects.toMatchObject({ error: 'org.ownCompany' });
}, 900_000);
