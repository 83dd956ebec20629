// @module-tag slow
import { expect, it } from 'vitest';
import { addDevice, deleteDevices, listDeliveries } from '@carillon/contracts';
import { deliver, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
/** A block of MACs of this run. */
const block = `0c38e0${(Date.now() % 0xfffff).toString(16).padStart(5, '0')}`;
const shown = (mac: string) => mac.toUpperCase().match(/../g)!.join(':');

it('the super administrator finds delivered devices and deletes wrong ones [CHN-04/delivered]', async () => {
  const { platform } = product;
  const labels = [1, 2, 3].map((n) => ({ mac: `${block}${n}`, sn: `Delivered ${n}`, claimCode: `CODE-${block}-${n}` }));
  const [used, one, two] = labels as [(typeof labels)[0], (typeof labels)[0], (typeof labels)[0]];
  await deliver(platform.call, labels);
  const place = await devicePlace(platform.call);
  const { device } = await platform.call(addDevice, { body: { ...place, ...used, name: 'Claimed', model: 'X7A' } });

  const { page } = await product.administrator('/system/company');
  const keys = page.keyboard;
  await page.locator('main').getByRole('link', { name: 'Delivered devices' }).press('Enter');
  await page.waitForURL('**/system/company/delivery');
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  const row = (mac: string) => page.locator('tr[data-id]').filter({ hasText: shown(mac) });
  await page.getByLabel('MAC, serial number or company').fill(block);
  await page.waitForURL(/search=/);
  expect(await row(used.mac).innerText()).toMatch(/Delivered 1\s+Claimed\s+\S/);
  expect(await row(one.mac).innerText()).toMatch(/Delivered 2\s+Free/);
  expect(await page.locator('main').innerText()).not.toContain('CODE-');

  // A claimed device is not deleted, neither alone nor with others.
  const actions = async (mac: string) => {
    await row(mac)
      .getByRole('button', { name: /^Actions for/ })
      .press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    const names = await page.getByRole('menuitem').allInnerTexts();
    await keys.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    return names;
  };
  expect([await actions(used.mac), await actions(one.mac)]).toEqual([['Open'], ['Open', 'Delete']]);
  const select = async (mac: string) => row(mac).getByRole('checkbox').press('Space');
  for (const { mac } of [used, one, two]) await select(mac);
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Delete' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete 3 devices' });
  await dialog.waitFor();
  await keys.press('Enter');
  await dialog.getByText('1 of the chosen devices is claimed already.').waitFor();
  await keys.press('Escape');
  await select(used.mac);
  await selection.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog', { name: 'Delete 2 devices' }).waitFor();
  await keys.press('Enter');
  await page.getByText('2 devices deleted').waitFor();
  await row(one.mac).waitFor({ state: 'detached' });
  const { records } = await platform.call(listDeliveries, { query: { search: block } });
  expect(records.map(({ mac, state }) => [mac, state])).toEqual([[used.mac, 'claimed']]);
  await platform.call(deleteDevices, { query: { ids: [device.id] } });
});
