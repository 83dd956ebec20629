import { expect, it } from 'vitest';
import { deleteChannelAddress, listChannelAddresses, listOperationLog } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('channel addresses are added below each other, edited, deleted and taken back in their list; what is wrong is told at its field, and all of it stands in the operation log', async () => {
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
    await dialog.getByRole('combobox', { name: 'Superior address' }).click();
    await page.getByRole('option', { name: 'Zz Iberia', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz Lisbon').locator('[title="Zz Iberia / Zz Lisbon"]').first().waitFor();

    // Beside each other a name is one; what has others below it stays.
    await act('Zz Lisbon', 'Edit');
    await dialog.getByLabel('Name').fill('zZ iberia');
    await dialog.getByRole('combobox', { name: 'Superior address' }).click();
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
});
