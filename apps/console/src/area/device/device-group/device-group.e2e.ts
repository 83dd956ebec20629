// @module-tag slow
import { devicePlace } from '@carillon/testing';
import { expect, it } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  deleteDeviceGroup,
  deleteDevices,
  getDevice,
  getDeviceGroup,
  listDeviceGroups,
} from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('groups are added, edited, deleted and restored, and a taken name is reported [DEV-12/page]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/device/group');
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.locator('[data-id]').filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const other = await platform.call(addDeviceGroup, { body: { name: 'Zz gates', description: '' } });
  const ids = [other.id];
  try {
    await page.getByRole('button', { name: 'Add device group' }).first().click();
    await dialog.getByRole('button', { name: 'Add device group' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('zZ GATES');
    await dialog.getByRole('button', { name: 'Add device group' }).click();
    await dialog.getByText('The organization has a device group of this name already.').first().waitFor();
    await dialog.getByLabel('Name').fill('Zz reception');
    await dialog.getByLabel('Description').fill('Front desks');
    await dialog.getByRole('button', { name: 'Add device group' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz reception').getByText('Front desks').waitFor();
    await act('Zz reception', 'Edit');
    await dialog.getByLabel('Name').fill('Zz lobby');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('Zz lobby').waitFor();
    const { records } = await platform.call(listDeviceGroups, { query: { search: 'Zz lobby' } });
    ids.push(records[0]!.id);
    expect(records[0]).toMatchObject({ description: 'Front desks', organization: { name: 'Head office' } });
    await act('Zz lobby', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('Zz lobby').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Device group Zz lobby restored').waitFor();
    await row('Zz lobby').waitFor();
    expect((await platform.call(getDeviceGroup, { params: { id: records[0]!.id } })).name).toBe('Zz lobby');
  } finally {
    for (const id of ids) await platform.call(deleteDeviceGroup, { query: { id } }).catch(() => {});
  }
});

it('a selection joins and leaves a group, which is filtered and stays while in use [DEV-12/devices]', async () => {
  const { platform } = product;
  const group = await platform.call(addDeviceGroup, { body: { name: 'Zz hall', description: '' } });
  const devices = [];
  for (const n of [1, 2, 3]) {
    const body = {
      ...(await devicePlace(platform.call)),
      mac: `0c383ea1000${n}`,
      name: `Zz hall ${n}`,
      model: 'X7A',
      sn: `ZH${n}`,
    };
    devices.push((await platform.call(addDevice, { body })).device);
  }
  const ids = devices.map((d) => d.id);
  try {
    const { page } = await product.administrator('/device/list?search=Zz+hall');
    const dialog = page.getByRole('dialog');
    const rows = page.locator('main [data-id]');
    const choose = async (action: string, confirm: string) => {
      await page.locator('main [role=region]').getByRole('button', { name: action, exact: true }).click();
      await dialog.getByRole('combobox', { name: 'Device group' }).click();
      await page.getByRole('option', { name: 'Zz hall' }).click();
      await dialog.getByRole('button', { name: confirm }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await choose('Add to group', 'Add to group');
    await page.getByText('3 devices added to Zz hall').waitFor();
    expect((await platform.call(getDeviceGroup, { params: { id: group.id } })).devices).toBe(3);

    await page.goto(`${platform.ready.url}/device/group`);
    const row = page.locator('main [data-id]').filter({ hasText: 'Zz hall' });
    await page.getByRole('button', { name: 'Actions for Zz hall', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await dialog.getByText('3 devices are in this group. Remove them from the group first.').waitFor();
    expect(await dialog.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('link', { name: '3', exact: true }).click();
    await page.waitForURL(`**/device/list?group=${group.id}`);
    await expect.poll(() => rows.count()).toBe(3);
    await rows.filter({ hasText: 'Zz hall 1' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Zz hall', exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Open page' }).click();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('link', { name: 'Zz hall', exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Remove from group', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Device group' }).click();
    await page.getByRole('option', { name: 'Zz hall' }).click();
    await dialog.getByRole('button', { name: 'Remove from group' }).click();
    await page.getByText('1 device removed from Zz hall').waitFor();
    expect((await platform.call(getDevice, { params: { id: ids[0]! } })).groups).toEqual([]);
  } finally {
    await platform.call(deleteDevices, { query: { ids } });
    await platform.call(deleteDeviceGroup, { query: { id: group.id } }).catch(() => {});
  }
});
