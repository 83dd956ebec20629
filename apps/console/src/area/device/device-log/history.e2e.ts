// @module-tag slow
import { expect, it } from 'vitest';
import { addDevice, addTask, deleteDevices, editDevice, listDevices, tagDevices } from '@carillon/contracts';
import { devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it("a device's history shows changes and tasks live, is filtered by kind and paged [DEV-07/history]", async () => {
  const { platform } = product;
  const { call } = platform;
  const place = await devicePlace(call);
  const body = { ...place, mac: '0c383ec30001', name: 'Zz history', model: 'X4U', sn: 'ZH1' };
  const { device } = await call(addDevice, { body });
  try {
    const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'History' }).click();
    const table = page.getByRole('group', { name: 'History' }).getByRole('table');
    const rows = table.locator('tbody tr');
    const kind = (name: string) =>
      page.getByRole('group', { name: 'Kinds of events' }).getByRole('button', { name, exact: true });
    await table.getByRole('row', { name: /Added.*by admin/ }).waitFor();
    // Changes of others are shown without a reload, newest first.
    await call(editDevice, { body: { id: device.id, name: 'Zz history renamed' } });
    await rows.first().getByText('Name: Zz history → Zz history renamed · by admin').waitFor();
    for (const value of ['1', '2', '3', '4'])
      await call(tagDevices, {
        body: { target: { ids: [device.id] }, set: [{ key: 'zz floor', value }], remove: [] },
      });
    await rows.first().getByText('Tags: zz floor: 3 → zz floor: 4').waitFor();
    expect(await rows.count()).toBe(6);
    await kind('Ownership').click();
    await expect.poll(() => rows.count()).toBe(1);
    await kind('Changes').click();
    await expect.poll(() => rows.count()).toBe(6);
    await kind('Ownership').click();
    await expect.poll(() => rows.count()).toBe(5);
    await kind('Moves').click();
    await kind('Changes').click();
    await page.getByText('No entries of this kind').waitFor();
    await kind('All').click();
    await expect.poll(() => rows.count()).toBe(6);
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('5');
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    // The address has filter and page.
    await page.reload();
    await rows.first().getByText('by admin').waitFor();
    expect(await rows.count()).toBe(1);

    const [online] = (await call(listDevices, { query: { state: ['online'], sort: '-mac', limit: 1 } })).records;
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${online!.id}&tab=log&kind=tasks`);
    await kind('Tasks').waitFor();
    const { id } = await call(addTask, {
      body: { name: 'Zz history task', action: 'reboot', params: {}, target: { ids: [online!.id] } },
    });
    await platform.ended(id);
    await rows.first().getByRole('link', { name: 'Zz history task · Reboot · Success' }).click();
    await page.getByRole('dialog', { name: 'Zz history task' }).waitFor();
  } finally {
    await call(deleteDevices, { query: { ids: [device.id] } });
  }
});
