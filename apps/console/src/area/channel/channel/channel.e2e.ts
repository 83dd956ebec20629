import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { activateByPassword, addCompany, getUserInfo, listChannels, listCompanies } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const own = 'Own-Secret-1';

const shareDetails = async (page: Page) => {
  await page.getByText('Share these details with the user.').waitFor();
  const [, username, password] = await page.locator('dl code').allTextContents();
  return { username: username!, password: password! };
};
const activate = (who: { username: string; password: string }) =>
  product.platform.plainClient()(activateByPassword, {
    body: { username: who.username, password: who.password, newPassword: own, confirmation: own },
  });

/** Fills in the page that adds a sub-channel, and returns the account details that it shows. */
async function addOn(page: Page, name: string, limits: { subs?: number } = {}) {
  const username = `${name.toLowerCase().replaceAll(' ', '.')}.chief`;
  await page.getByRole('link', { name: 'Add sub-channel' }).first().click();
  await page.locator('[name=name]').fill(name);
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=nickname]').fill(`Chief of ${name}`);
  await page.getByText('By password', { exact: true }).click();
  if (limits.subs !== undefined) await page.locator('[name=createSubLimit]').fill(String(limits.subs));
  await page.locator('[name=oldEnough]').check();
  await page.getByRole('button', { name: 'Add sub-channel', exact: true }).click();
}

it(
  'a partner adds sub-channels within its limit, binds and unbinds a company, and can be disabled',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { platform } = product;
    const stamp = Date.now().toString(36);
    const partner = `Zz Partner ${stamp}`;
    const { page: root } = await product.administrator('/channel/boundChannelList');
    const row = (view: Page, name: string) => view.locator('tr[data-id]').filter({ hasText: name });
    const act = async (view: Page, name: string, action: string) => {
      await view.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await view.getByRole('menuitem', { name: action, exact: true }).click();
    };
    // Missing values are reported at their fields before anything is sent.
    await root.getByRole('link', { name: 'Add sub-channel' }).first().click();
    await root.getByRole('button', { name: 'Add sub-channel', exact: true }).click();
    await root.getByText('Enter a company name.').waitFor();
    await root.getByRole('button', { name: 'Cancel' }).click();
    await addOn(root, partner, { subs: 2 });
    const first = await shareDetails(root);
    await root.getByRole('button', { name: 'Done' }).click();
    await root.goto(`${platform.ready.url}/channel/boundChannelList?search=${encodeURIComponent(partner)}`);
    await row(root, partner).getByText('Not activated').first().waitFor();
    await activate(first);
    await row(root, partner).getByText('Normal').first().waitFor();

    // A company directly below the installation's own.
    const free = `Zz Free ${stamp}`;
    const freeChief = { username: `zz.free.${stamp}`, password: 'First-Secret-1' };
    const made = await platform.call(addCompany, {
      body: {
        name: free,
        type: 'enterprise',
        organizationName: 'Head office',
        remarks: '',
        username: freeChief.username,
        nickname: 'Frida',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: freeChief.password,
        language: 'en_US',
        timezoneId: null,
        countryId: 1,
      },
    });
    await activate(freeChief);

    const login = { username: first.username, password: own };
    const { page: chief } = await product.loggedIn('/channel/boundChannelList', login);
    await chief.getByText('Sub-channels left: 2 of 2').waitFor();
    await addOn(chief, `Zz Below ${stamp}`);
    await shareDetails(chief);
    await chief.getByRole('button', { name: 'Done' }).click();
    await row(chief, `Zz Below ${stamp}`).waitFor();
    await chief.getByText('Sub-channels left: 1 of 2').waitFor();
    // With a limit of its own it is one too many.
    await addOn(chief, `Zz More ${stamp}`, { subs: 1 });
    await chief.getByText('Not enough sub-channels left: 0.').first().waitFor();
    await chief.getByRole('button', { name: 'Cancel' }).click();
    await chief.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await chief
      .getByRole('dialog')
      .click()
      .catch(() => undefined);

    const { page: frida } = await product.loggedIn('/channel/boundChannelList', { ...freeChief, password: own });
    await frida.getByRole('button', { name: 'Get a code' }).click();
    await frida.getByRole('dialog').getByRole('button', { name: 'Make code' }).click();
    const code = await frida.getByRole('dialog').locator('code').innerText();
    await frida.getByRole('button', { name: 'Done' }).click();
    expect(await frida.content()).not.toContain(code);

    await chief.goto(`${platform.ready.url}/channel/boundChannelList`);
    const dialog = chief.getByRole('dialog', { name: 'Bind company' });
    const bindBy = async (by: string) => {
      await chief.getByRole('button', { name: 'Bind company' }).click();
      await dialog.getByLabel('Code').fill(by);
      await dialog.getByRole('button', { name: 'Bind company' }).click();
    };
    await bindBy('AAAA-BBBB-CCCC-DDDD');
    await dialog.getByText('The company does not exist. Get a new code.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await bindBy(code);
    await dialog.waitFor({ state: 'detached' });
    await row(chief, free).waitFor();
    await chief.getByText('Sub-channels left: 0 of 2').waitFor();
    const superiorOf = async () =>
      (await platform.call(listCompanies, { query: { name: [free] } })).records.map((c) => c.superior);
    expect(await superiorOf()).toEqual([partner]);

    await act(chief, free, 'Unbind');
    await chief
      .getByRole('dialog')
      .getByRole('button', { name: `Unbind ${free}` })
      .click();
    await row(chief, free).waitFor({ state: 'detached' });
    expect(await superiorOf()).not.toEqual([partner]);
    expect((await platform.call(listChannels, { query: { name: [free] } })).records.map((c) => c.id)).toEqual([
      made.id,
    ]);

    // The drawer names the account; disabling it locks its users out.
    await row(root, partner).click();
    const drawer = root.getByRole('dialog', { name: partner });
    await drawer.getByText(first.username).waitFor();
    await drawer.getByRole('button', { name: 'Disable' }).click();
    await root
      .getByRole('dialog', { name: `Disable ${partner}` })
      .getByRole('button', { name: `Disable ${partner}` })
      .click();
    await drawer.getByText('Disabled', { exact: true }).waitFor();
    // The page may already be redirecting by itself.
    await chief.reload().catch(() => undefined);
    await chief.waitForURL('**/login*');
    const { page: stranger } = await product.visit();
    await eventually(async () => {
      await stranger.goto('/login');
      await fillLogin(stranger, login);
      expect(await stranger.getByRole('alert').innerText()).toContain('The channel has been deactivated.');
    }, 15_000);
  },
);

it('the channel form has all fields and types, its status is shown, and duplicates are refused [CHN-01]', async () => {
  const { platform } = product;
  const stamp = Date.now().toString(36);
  const name = `Zz Edited ${stamp}`;
  const { page } = await product.administrator('/channel/boundChannelList');
  await addOn(page, name);
  const first = await shareDetails(page);
  await page.getByRole('button', { name: 'Done' }).click();
  // A second company or account with the same name is refused.
  await page.getByRole('link', { name: 'Add sub-channel' }).first().click();
  await page.locator('[name=name]').fill(name.toUpperCase());
  await page.locator('[name=username]').fill(`zz.other.${stamp}`);
  await page.locator('[name=nickname]').fill('Other');
  await page.getByText('By password', { exact: true }).click();
  await page.locator('[name=oldEnough]').check();
  const add = page.getByRole('button', { name: 'Add sub-channel', exact: true });
  await add.click();
  await page.locator('form').getByText('The company is already registered.').first().waitFor();
  await page.locator('[name=name]').fill(`Zz Other ${stamp}`);
  await page.locator('[name=username]').fill(first.username);
  await add.click();
  await page.locator('form').getByText('This account already exists.').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();

  const list = `${platform.ready.url}/channel/boundChannelList?search=${encodeURIComponent(name)}`;
  await page.goto(list);
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await page.locator('[name=remarks]').fill('Rhine');
  await page.locator('[name=nickname]').fill('Carla');
  const email = `carla.${stamp}@example.com`;
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=createSubLimit]').fill('3');
  await page.locator('[name=fcsLimit]').fill('7');
  for (const flag of ['licenseGranting', 'fcsEnabled', 'localSync']) await page.locator(`[name=${flag}]`).check();
  await page.locator('[name=fcsUrl]').fill('https://fcs.example.com');
  await page.locator('[name=fcsDomain]').fill('fcs.example.com');
  const choice = (label: string) => page.locator('form').getByRole('combobox', { name: label, exact: true });
  await choice('Type').click();
  await page.getByRole('option', { name: 'Important customer', exact: true }).waitFor();
  expect(await page.getByRole('option').filter({ visible: true }).allInnerTexts()).toEqual([
    'Distributor',
    'Reseller',
    'System integrator',
    'ITSP provider',
    'VAD',
    'Channel business',
    'Operator',
    'Enterprise user',
    'Important customer',
  ]);
  const chosen = {
    Type: 'System integrator',
    Language: '한국어',
    'Time zone': 'UTC+01:00 Berlin, Paris, Madrid, Lagos',
    'Country or region': 'Brazil',
  };
  await page.getByRole('option', { name: chosen.Type, exact: true }).click();
  for (const [label, option] of Object.entries(chosen).slice(1)) {
    await choice(label).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/channel/boundChannelList*');
  await eventually(async () => {
    const [channel] = (await platform.call(listChannels, { query: { name: [name] } })).records;
    expect(channel).toMatchObject({
      type: 'integrator',
      remarks: 'Rhine',
      nickname: 'Carla',
      email,
      language: 'ko',
      timezoneId: 17,
      countryId: 76,
      createSubLimit: 3,
      fcsLimit: 7,
      licenseGranting: true,
      fcsEnabled: true,
      localSync: true,
      fcsUrl: 'https://fcs.example.com',
      fcsDomain: 'fcs.example.com',
    });
  });
  const superior = (await platform.call(listCompanies, { query: { name: [name] } })).records.map((c) => c.superior);
  expect(superior).toEqual([(await platform.call(getUserInfo)).companyName]);

  await page.goto(list);
  const row = page.locator('tr[data-id]').filter({ hasText: name });
  await row.getByText('Not activated').first().waitFor();
  await row.click();
  const drawer = page.getByRole('dialog', { name, exact: true });
  const facts = async () =>
    Object.fromEntries(
      (await drawer
        .locator('dl')
        .evaluateAll((lists) =>
          lists.flatMap((dl) =>
            [...dl.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]),
          ),
        )) as [string, string][],
    );
  await eventually(async () =>
    expect(await facts()).toMatchObject({
      ...chosen,
      'Sub-channel limit': '3',
      'FCS account limit': '7',
      'License granting': 'On',
      FCS: 'On',
      'Local config sync': 'On',
      'FCS server URL': 'https://fcs.example.com',
      'FCS domain': 'fcs.example.com',
      Remarks: 'Rhine',
      'Display name': 'Carla',
      Username: first.username,
      Email: email,
      Status: 'Not activated',
    }),
  );
  await activate(first);
  const status = drawer.locator('dl').first();
  await status.getByText('Normal', { exact: true }).waitFor();
  const change = async (what: string, word: string) => {
    await drawer.getByRole('button', { name: what, exact: true }).click();
    await page
      .getByRole('dialog', { name: `${what} ${name}` })
      .getByRole('button', { name: `${what} ${name}` })
      .click();
    await status.getByText(word, { exact: true }).waitFor();
  };
  await change('Lock', 'Locked');
  await change('Enable', 'Normal');
  await change('Disable', 'Disabled');
  await page.keyboard.press('Escape');
  await row.getByText('Disabled', { exact: true }).first().waitFor();
}, 900_000);
