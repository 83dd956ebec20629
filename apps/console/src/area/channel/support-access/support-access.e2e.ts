import { expect, it } from 'vitest';
import { activateByPassword, addCompany, getUserInfo, listChannels } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const own = 'Own-Secret-1';

/** Adds a company below the installation's own, with its administrator. */
async function customer(name: string, username: string) {
  const { platform } = product;
  const first = 'First-Secret-1';
  await platform.call(addCompany, {
    body: {
      name,
      type: 'enterprise',
      organizationName: 'Customer office',
      remarks: '',
      username,
      nickname: 'John Keller',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
    },
  });
  const body = { username, password: first, newPassword: own, confirmation: own };
  await eventually(() => platform.plainClient()(activateByPassword, { body }));
  await eventually(async () => expect((await platform.call(listChannels, { query: { search: name } })).total).toBe(1));
}

it(
  'a customer allows access, the parent company enters with a banner in all tabs, and both can end it',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const stamp = Date.now().toString(36);
    const name = `Zz Customer ${stamp}`;
    const username = `zz.john.${stamp}`;
    await customer(name, username);
    const company = (await platform.call(getUserInfo)).companyName;
    const { page: john } = await product.loggedIn('/system/supportAccess', { username, password: own });
    await john.getByText(`${company} can’t enter your company.`).waitFor();

    const list = `/channel/boundChannelList?search=${encodeURIComponent(name)}`;
    const { page: root, context } = await product.administrator(list);
    const openDrawer = async () => {
      await root.locator('tr[data-id]').filter({ hasText: name }).getByText(name).click();
      return root.getByRole('dialog');
    };
    const drawer = await openDrawer();
    await drawer.getByText('The customer hasn’t allowed you to enter.').waitFor();

    // The parent company sees the access within a moment.
    await john.getByRole('button', { name: 'Allow access' }).click();
    const dialog = john.getByRole('dialog');
    await dialog.getByLabel('Access').click();
    await john.getByRole('option', { name: 'View and change' }).click();
    await dialog.getByLabel('Reason').fill('Ticket 4711');
    await dialog.getByRole('button', { name: 'Allow access' }).click();
    await john.getByText(`${company} can enter your company until`).waitFor();
    expect(await john.getByRole('button', { name: 'Allow access' }).count()).toBe(0);
    await drawer.getByText('Ticket 4711').waitFor();

    // All tabs follow.
    const other = await context.newPage();
    await other.goto(`${platform.ready.url}/wel/home`);
    await other.getByText(company, { exact: true }).first().waitFor();
    await drawer.getByRole('button', { name: 'Enter company' }).click();
    for (const page of [root, other]) {
      await page.getByText(`You are in ${name} until`).waitFor();
      await page.locator('header').getByText(name).waitFor();
    }
    expect(new URL(root.url()).pathname).toBe('/wel/home');
    // A visitor can change neither their own account nor the customer's users.
    await root.goto(`${platform.ready.url}/system/users`);
    await root.getByText(username).first().waitFor();
    expect(await root.getByRole('link', { name: 'Add user' }).count()).toBe(0);
    expect(await root.getByRole('button', { name: 'Lock screen' }).count()).toBe(0);
    // A reload keeps the visit.
    await root.reload();
    await root.getByText(`You are in ${name} until`).waitFor();

    await root.getByRole('button', { name: 'Leave company' }).click();
    await root.waitForURL(/boundChannelList/);
    await root.locator('header').getByText(company).waitFor();
    await root.getByText(`You are in ${name} until`).waitFor({ state: 'detached' });
    await other.locator('header').getByText(company).waitFor();

    // The customer's log names both, and the list counts the visit.
    await john.getByText('1', { exact: true }).first().waitFor();
    await john.goto(`${platform.ready.url}/system/operationLog`);
    await john.getByText(`admin (${company})`).first().click();
    await john.getByRole('dialog').getByText('Visitor from').waitFor();
    await john.getByRole('dialog').getByText(username).first().waitFor();

    // The customer ends the access during a visit.
    await root.goto(platform.ready.url + list);
    await openDrawer();
    await root.getByRole('dialog').getByRole('button', { name: 'Enter company' }).click();
    await root.getByText(`You are in ${name} until`).waitFor();
    await john.goto(`${platform.ready.url}/system/supportAccess`);
    await john.getByRole('button', { name: /^Actions for / }).click();
    await john.getByRole('menuitem', { name: 'End access' }).click();
    await john.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await john.getByText(`${company} can’t enter your company.`).waitFor();
    // Without any click: the tab with the stream gets the event, and all tabs leave.
    for (const page of [root, other]) {
      await page.locator('header').getByText(company).waitFor();
      await page.getByText(`You are in ${name} until`).waitFor({ state: 'detached' });
    }
  },
);
