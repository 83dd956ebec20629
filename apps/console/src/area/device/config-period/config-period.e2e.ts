// @module-tag slow
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addConfigTemplate,
  deleteConfigTemplate,
  deleteDevices,
  editConfigTemplate,
  listConfigTemplates,
  type RouteReturn,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const general = `Zz former ${stamp}`;
let phone: ConfigDevice;
let template: RouteReturn<typeof addConfigTemplate>;

beforeEach(async () => {
  const { platform } = product;
  const values = { 'screen.backlight': 24, 'time.format': '12' as const };
  const body = { name: general, description: '', level: 'general' as const, target: null, values };
  template = await platform.call(addConfigTemplate, { body });
  phone = await configDevice(platform, {
    mac: '0c383ea4d0d2',
    name: `Zz phone ${stamp}`,
    model: 'X7A',
    rejected: [],
  });
});
afterEach(async () => {
  const { platform } = product;
  await phone.client.endAsync().catch(() => undefined);
  const { records } = await platform.call(listConfigTemplates, { query: { search: stamp } });
  for (const { id } of records) await platform.call(deleteConfigTemplate, { query: { id } });
  await platform.call(deleteDevices, { query: { ids: [phone.device.id] } });
});

it('an earlier configuration is compared with the current one and restored [CFG-01/restored]', async () => {
  const { page } = await product.administrator(`/device/deviceDetail?id=${phone.device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  const send = async () => {
    await phone.send(`Send ${stamp}`);
    await card.getByText('Up to date').waitFor();
  };
  await send();
  await product.platform.call(editConfigTemplate, {
    body: { id: template.id, name: general, description: '', values: { 'screen.backlight': 60, 'time.format': '12' } },
  });
  await card.getByText('Not loaded yet').waitFor();
  await send();

  const rows = card.getByRole('group', { name: 'Former configurations' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  await rows.first().getByText('Backlight time').waitFor();
  await rows.first().getByText(`${general}, version 2`).waitFor();
  await rows.first().getByText('Now', { exact: true }).waitFor();
  const at = card.getByLabel('What it had at');
  await at.fill('2020-01-01T00:00');
  await card.getByText('No configuration is known for this time.').waitFor();
  await at.fill('2999-01-01T00:00');
  await expect.poll(() => rows.count()).toBe(1);
  await at.fill('');
  await expect.poll(() => rows.count()).toBe(2);

  await rows.nth(1).getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: 'Backlight time 24 seconds 60 seconds' }).first().waitFor();
  expect(await dialog.getByRole('row', { name: 'Time format' }).count()).toBe(0);
  await dialog.getByText('1 of 1 devices changes.').waitFor();
  await dialog.getByText('Lines, accounts and passwords stay as they are now.').waitFor();
  await dialog.getByLabel('Reason').fill('Too bright');
  await dialog.getByRole('button', { name: 'Restore and send to the device' }).click();
  await page.waitForURL('**/task/addTask?draft=*');
  await page.getByText('1 device matches now').or(page.getByText('1 selected device')).first().waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create task' }).click();
  await eventually(() => expect(phone.held.length).toBe(3));
  // The same content has the same version.
  expect(phone.held[2]).toEqual(phone.held[0]);
  const { records } = await product.platform.call(listConfigTemplates, { query: { level: ['device'], search: stamp } });
  expect(records.map(({ values }) => values)).toEqual([{ 'screen.backlight': 24 }]);
});
