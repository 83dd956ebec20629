import { expect, it } from 'vitest';
import {
  activateByPassword,
  addChannel,
  addChannelAddress,
  deleteChannelAddress,
  listChannelAddresses,
  listChannels,
  listOperationLog,
  unbindChannel,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it(
  'addresses are added as a tree, edited, deleted and restored, with errors at fields and log entries',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/channel/address');
    const dialog = page.getByRole('dialog');
    const row = (name: string) => page.locator('tr[data-id]').filter({ hasText: name });
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const idOf = async (name: string) =>
      (await platform.call(listChannelAddresses, { query: { name: [name] } })).records[0]!.id;
    try {
      await page.getByRole('button', { name: 'Add address' }).first().click();
      await dialog.getByRole('button', { name: 'Add address' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      await dialog.getByLabel('Name').fill('Zz Iberia');
      await dialog.getByLabel('Description').fill('Spain and Portugal');
      await dialog.getByRole('button', { name: 'Add address' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row('Zz Iberia').getByText('Spain and Portugal').waitFor();

      await page.getByRole('button', { name: 'Add address' }).first().click();
      await dialog.getByLabel('Name').fill('Zz Lisbon');
      await dialog.getByRole('combobox', { name: 'Parent address' }).click();
      await page.getByRole('option', { name: 'Zz Iberia', exact: true }).click();
      await dialog.getByRole('button', { name: 'Add address' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row('Zz Lisbon').locator('[title="Zz Iberia / Zz Lisbon"]').first().waitFor();

      // Names are unique among siblings, and an address with children stays.
      await act('Zz Lisbon', 'Edit');
      await dialog.getByLabel('Name').fill('zZ iberia');
      await dialog.getByRole('combobox', { name: 'Parent address' }).click();
      await page.getByRole('option', { name: 'None', exact: true }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('An address with this name already exists here.').first().waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await act('Zz Iberia', 'Delete');
      await dialog.getByRole('button', { name: /^Delete/ }).click();
      await dialog.getByText('This address has 1 address below it. Move or delete it first.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      const lisbon = await idOf('Zz Lisbon');
      await act('Zz Lisbon', 'Delete');
      await dialog.getByRole('button', { name: /^Delete/ }).click();
      await row('Zz Lisbon').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Address Zz Lisbon restored').waitFor();
      await row('Zz Lisbon').waitFor();
      expect(await idOf('Zz Lisbon')).toBe(lisbon);
      await eventually(async () =>
        expect(
          (await platform.call(listOperationLog, { query: { objectId: lisbon } })).records.map((e) => e.action),
        ).toEqual(['channelAddress.restore', 'channelAddress.delete', 'channelAddress.add']),
      );
    } finally {
      const { records } = await platform.call(listChannelAddresses, { query: { search: 'Zz' } });
      for (const { id } of records.toReversed())
        await platform.call(deleteChannelAddress, { query: { id } }).catch(() => undefined);
    }
  },
);

it('a channel is placed at an address by its form, and the address in use is not deleted [CHN-05]', async () => {
  const { platform } = product;
  const stamp = Date.now().toString(36);
  const [first, own] = ['First-Secret-1', 'Second-Secret-2'];
  const partner = { username: `zz.partner.${stamp}`, password: own };
  // With addresses a channel must be placed at one; other tests add and delete addresses at the same time.
  await eventually(async () => {
    const [above] = (await platform.call(listChannelAddresses, { query: { limit: 1 } })).records;
    await platform.call(addChannel, {
      body: {
        name: `Zz partner ${stamp}`,
        type: 'reseller',
        organizationName: 'Partner',
        remarks: '',
        username: partner.username,
        nickname: 'Partner',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: first,
        language: 'en_US',
        timezoneId: 1,
        countryId: 1,
        addressId: above?.id ?? null,
        createSubLimit: 1,
        fcsLimit: 0,
        licenseGranting: false,
        fcsEnabled: false,
        localSync: false,
        fcsUrl: '',
        fcsDomain: '',
      },
    });
  });
  await eventually(() =>
    platform.plainClient()(activateByPassword, {
      body: { username: partner.username, password: first, newPassword: own, confirmation: own },
    }),
  );
  const token = await logIn({ ...platform.ready, admin: partner });
  const call = platform.client({ 'carillon-auth': `bearer ${token}` });
  const { id: north } = await eventually(() =>
    call(addChannelAddress, { body: { name: 'North', parentId: null, description: 'Cold' } }),
  );
  const { id: hill } = await call(addChannelAddress, { body: { name: 'Hill', parentId: north, description: 'High' } });
  const { page } = await product.loggedIn('/channel/addSubAccount', partner);
  const add = () => page.getByRole('button', { name: 'Add sub-channel', exact: true }).click();
  // The login page has a field with this name, too.
  await page.locator('[name=organizationName]').waitFor();
  await page.locator('[name=name]').fill(`Zz placed ${stamp}`);
  await page.locator('[name=username]').fill(`zz.placed.${stamp}`);
  await page.locator('[name=nickname]').fill('Placed');
  await page.getByText('By password', { exact: true }).click();
  await page.locator('[name=oldEnough]').check();
  await add();
  await page.getByText('Choose an address.').first().waitFor();
  await page.getByRole('combobox', { name: 'Address', exact: true }).click();
  await page.getByRole('option', { name: /Hill$/ }).click();
  await add();
  await page.getByText('Share these details with the user.').waitFor();
  const placed = await eventually(async () => {
    const { records } = await call(listChannels, { query: { addressId: [hill] } });
    expect(records.map((c) => [c.name, c.address])).toEqual([[`Zz placed ${stamp}`, ['North', 'Hill']]]);
    return records[0]!;
  });

  await page.goto('/channel/address');
  const row = page.locator('tr[data-id]').filter({ hasText: 'High' });
  await row.locator('[title="North / Hill"]').first().waitFor();
  await row.getByText('1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Actions for Hill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 channel is at this address. Give it another one first.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  const remove = () => call(deleteChannelAddress, { query: { id: hill } });
  await expect(remove()).rejects.toMatchObject({ error: 'channelAddress.used' });
  await call(unbindChannel, { body: { id: placed.id } });
  await remove();
});
