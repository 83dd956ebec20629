// @module-tag slow
import { expect, it } from 'vitest';
import {
  addDevice,
  addSipServer,
  deleteDevices,
  deleteSipServer,
  listDevices,
  listServerNames,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('all devices of a SIP server are tagged over two pages, and tasks refuse them [DEV-05/select]', async () => {
  const { call } = product.platform;
  const place = await devicePlace(call);
  const server = await call(addSipServer, {
    body: {
      name: 'Zz filter server',
      address: 'zz-filter.example.com',
      port: 5060,
      transport: 'udp',
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    },
  });
  await eventually(async () => expect((await call(listServerNames)).map((s) => s.id)).toContain(server.id));
  const ids: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const serverId = n === 8 ? place.serverId : server.id;
    const body = { ...place, serverId, mac: `0c383ec2000${n}`, name: `Zz filter ${n}`, model: 'X4U', sn: `ZF${n}` };
    ids.push((await call(addDevice, { body })).device.id);
  }
  try {
    const { page } = await product.administrator(`/device/list?sipServer=${server.id}&limit=5&sort=name`);
    const bar = page.getByRole('region', { name: 'Selection' });
    const dialog = page.getByRole('dialog');
    const reason = bar.getByText('Tasks can’t use one of these filters.');
    await page.locator('[data-id]').nth(4).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByText('5 selected').waitFor();
    // Named devices take every action.
    await bar.getByRole('button', { name: 'Reboot', exact: true }).waitFor();
    expect(await reason.count()).toBe(0);
    await bar.getByRole('button', { name: 'Select all 7 that match' }).click();
    await page.getByRole('checkbox', { name: 'Select Zz filter 2', exact: true }).click();
    await expect.poll(() => bar.innerText()).toMatch(/6 selected\s+all that match, 1 left out/);
    await reason.waitFor();
    expect(await bar.getByRole('button', { name: 'Reboot', exact: true }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Edit tags', exact: true }).click();
    await dialog.locator('input:focus').waitFor();
    await dialog.getByRole('combobox', { name: 'Key' }).fill('zz filtered');
    await dialog.getByRole('combobox', { name: 'Value' }).fill('yes');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tags of 6 devices changed').waitFor();
    const tagged = await call(listDevices, { query: { tag: ['zz filtered'], sort: 'name' } });
    expect(tagged.records.map((d) => d.name)).toEqual([1, 3, 4, 5, 6, 7].map((n) => `Zz filter ${n}`));
    // Filters that tasks know leave them all actions. No template is for these devices.
    await page.goto(`${product.platform.ready.url}/device/list?tag=zz+filtered&config=none&limit=5&sort=name`);
    await page.locator('[data-id]').nth(4).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await bar.getByRole('button', { name: 'Select all 6 that match' }).click();
    await bar.getByRole('button', { name: 'Reboot', exact: true }).waitFor();
    expect(await reason.count()).toBe(0);
    await bar.getByRole('button', { name: 'Reboot', exact: true }).click();
    await dialog.getByRole('button', { name: 'More options' }).click();
    await page.getByText('6 devices match now').waitFor();
    await page.getByRole('group', { name: 'Conditions' }).getByText('No template or account').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    // The task service finds the same devices. They have never connected, so it skips them.
    await page.getByText('6 devices would be skipped').waitFor();
  } finally {
    await call(deleteDevices, { query: { ids } });
    await eventually(() => call(deleteSipServer, { query: { id: server.id } }));
  }
});
