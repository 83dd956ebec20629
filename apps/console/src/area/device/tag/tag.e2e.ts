import { expect, it } from 'vitest';
import {
  addDevice,
  addTask,
  deleteDeviceGroup,
  deleteDevices,
  deleteView,
  editDeviceGroup,
  getDevice,
  listDeviceGroups,
  listTaskDevices,
  listViews,
  removeFromDeviceGroup,
  stopTask,
} from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('devices are tagged, filtered, aimed at and grouped by tags, and leave these with their tag [DEV-14]', async () => {
  const { platform } = product;
  const devices = [];
  for (const n of [1, 2, 3]) {
    const body = {
      ...(await devicePlace(platform.call)),
      mac: `0c383ea3000${n}`,
      name: `Zz tag ${n}`,
      model: 'X7A',
      sn: `ZT${n}`,
    };
    devices.push((await platform.call(addDevice, { body })).device);
  }
  const ids = devices.map((d) => d.id);
  const [first, second] = ids as [string, string, string];
  const tags = async (id: string) => (await platform.call(getDevice, { params: { id } })).tags;
  try {
    const { page } = await product.administrator('/device/list?search=Zz+tag&sort=name');
    const dialog = page.getByRole('dialog');
    const rows = page.locator('main [data-id]');
    const names = () => page.locator('main [data-name]').allTextContents();
    const chosen = page.locator('main [role=region]');
    const put = async (n: number, key: string, value: string) => {
      await dialog.getByRole('combobox', { name: 'Key' }).nth(n).fill(key);
      await dialog.getByRole('combobox', { name: 'Value' }).nth(n).fill(value);
      await page.keyboard.press('Tab');
    };
    await expect.poll(() => rows.count()).toBe(3);
    for (const name of ['Zz tag 1', 'Zz tag 2']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await chosen.getByRole('button', { name: 'Edit tags', exact: true }).click();
    // The dialog takes the focus a moment after it appears.
    await dialog.locator('input:focus').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Name a tag to set or a key to remove.').waitFor();
    await put(0, 'zz tower', 'east');
    await dialog.getByRole('button', { name: 'Add tag' }).click();
    await put(1, 'zz floor', '4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tags of 2 devices changed').waitFor();
    expect([await tags(first), await tags(ids[2]!)]).toEqual([{ 'zz tower': 'east', 'zz floor': '4' }, {}]);

    // A filter, and a saved view with it.
    await page.goto(`${platform.ready.url}/device/list?sort=name`);
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Tags', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Tags' })
      .getByRole('checkbox', { name: /^zz tower: east/ })
      .check();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Tags' }).waitFor({ state: 'detached' });
    await expect.poll(names).toEqual(['Zz tag 1', 'Zz tag 2']);
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByLabel('View name').fill('Zz tower');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${platform.ready.url}/device/list`);
    await views.getByRole('button', { name: /^Zz tower\s*2$/ }).click();
    await expect.poll(async () => (await names()).toSorted()).toEqual(['Zz tag 1', 'Zz tag 2']);

    // A task for all devices with the tag.
    const task = await platform.call(addTask, {
      body: { name: 'Zz tower', action: 'reboot', params: {}, target: { filter: { tag: ['zz tower=east'] } } },
    });
    await eventually(async () => {
      const { records } = await platform.call(listTaskDevices, { params: { id: task.id }, query: {} });
      expect(records.map((d) => d.deviceId).toSorted()).toEqual([first, second].toSorted());
    });
    await platform.call(stopTask, { params: { id: task.id } }).catch(() => {});

    // A group rule.
    await page.goto(`${platform.ready.url}/device/group`);
    await page.getByRole('button', { name: 'Add device group' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('Zz tower');
    await dialog.getByText('By rule', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add device group' }).click();
    await dialog.getByText('Add at least one condition.').waitFor();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('menuitem', { name: 'Tags', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Tags' })
      .getByRole('checkbox', { name: /^zz tower: east/ })
      .check();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Tags' }).waitFor({ state: 'detached' });
    await dialog.getByText('2 of your devices match now.').waitFor();
    await dialog.getByRole('button', { name: 'Add device group' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.locator('main [data-id]').filter({ hasText: 'Zz tower' });
    await row.getByRole('link', { name: '2', exact: true }).waitFor();
    await row.getByText('By rule', { exact: true }).waitFor();

    // Removing the tag on the device's page removes the device from all of these.
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${first}`);
    const facts = page.getByRole('complementary', { name: 'Details' });
    await facts.getByRole('link', { name: 'zz tower: east' }).waitFor();
    await facts.getByRole('link', { name: 'Zz tower', exact: true }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit tags', exact: true }).click();
    // Moving from a key with open suggestions to its value must not move the focus back when they close.
    const [key, value] = ['Key', 'Value'].map((name) => dialog.getByRole('combobox', { name }).first());
    const before = [await key!.inputValue(), await value!.inputValue()] as const;
    for (let n = 0; n < 15; n += 1) {
      await key!.fill(`zz ${n}`);
      await value!.fill(`${n}`);
      expect([await key!.inputValue(), await value!.inputValue()]).toEqual([`zz ${n}`, `${n}`]);
    }
    await key!.fill(before[0]);
    await value!.fill(before[1]);
    await dialog.getByRole('button', { name: 'Remove tag zz tower' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tags of 1 device changed').waitFor();
    expect(await tags(first)).toEqual({ 'zz floor': '4' });
    await facts.getByRole('link', { name: 'zz tower: east' }).waitFor({ state: 'detached' });
    await facts.getByRole('link', { name: 'Zz tower', exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${platform.ready.url}/device/list?tag=zz+tower`);
    await expect.poll(names).toEqual(['Zz tag 2']);
  } finally {
    for (const view of await platform.call(listViews, { query: { list: 'device' } }))
      if (view.name === 'Zz tower') await platform.call(deleteView, { query: { id: view.id } });
    const { records } = await platform.call(listDeviceGroups, { query: { search: 'Zz tower' } });
    for (const { id } of records) {
      await platform.call(editDeviceGroup, { body: { id, name: 'Zz tower', description: '', rule: null } });
      await platform.call(removeFromDeviceGroup, { params: { id }, body: { ids } });
      await platform.call(deleteDeviceGroup, { query: { id } });
    }
    await platform.call(deleteDevices, { query: { ids } });
  }
}, 900_000);
