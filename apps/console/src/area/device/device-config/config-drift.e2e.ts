// @module-tag slow
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addConfigTemplate, deleteConfigTemplate, deleteDevices, listAlarms } from '@carillon/contracts';
import { alarmKinds } from '@carillon/contracts/message';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const name = `Zz drift ${stamp}`;
let phone: ConfigDevice;
let template: string;

/** Adds a phone that has the configuration of its templates. */
beforeEach(async () => {
  const { platform } = product;
  phone = await configDevice(platform, { mac: '0c383ea4d0d3', name, model: 'X7A', rejected: [] });
  const body = { name, description: '', level: 'device' as const, target: phone.device.id };
  const made = await eventually(() =>
    platform.call(addConfigTemplate, { body: { ...body, values: { 'screen.backlight': 24 } } }),
  );
  template = made.id;
  await phone.send(name);
});
afterEach(async () => {
  const { platform } = product;
  await phone.client.endAsync().catch(() => undefined);
  await platform.call(deleteConfigTemplate, { query: { id: template } });
  await platform.call(deleteDevices, { query: { ids: [phone.device.id] } });
});

it('a phone drifts, is found by a filter and an alarm, and is corrected [CFG-01/brought-back]', async () => {
  const { platform } = product;
  const { page } = await product.administrator(`/device/deviceDetail?id=${phone.device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  await card.getByText('Up to date').waitFor();
  await phone.report('by-hand');
  await card.getByText('Drifted: the device doesn’t have this configuration').waitFor();
  await card.getByRole('button', { name: 'Bring back' }).waitFor();

  const open = { type: [alarmKinds.configDrift], state: ['open' as const], objectName: [name] };
  await eventually(async () => expect((await platform.call(listAlarms, { query: open })).total).toBe(1), 30_000);
  await page.goto(`/device/list?config=drifted&search=${encodeURIComponent(name)}`);
  const row = page.locator('main [data-id]').filter({ hasText: name });
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Bring back' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Each device gets the settings of its templates.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`/alarm?objectName=${encodeURIComponent(name)}`);
  const alarm = page.locator('main [data-id]').filter({ hasText: 'Configuration drifted' });
  await alarm.locator('button, [data-name]').filter({ hasText: 'Configuration drifted' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Configuration drifted' });
  await drawer.getByText(`${name} doesn’t have its configuration.`).waitFor();
  await drawer.getByRole('button', { name: 'Bring back' }).click();
  await page.waitForURL('**/task/addTask?draft=*');
  const way = page.getByRole('combobox', { name: 'Which file' });
  await expect.poll(() => way.inputValue()).toBe('Each device’s settings from the templates');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create task' }).click();
  await eventually(() => expect(phone.held.length).toBe(2));
  expect(phone.held[1]).toEqual(phone.held[0]);
  await eventually(async () => expect((await platform.call(listAlarms, { query: open })).total).toBe(0), 30_000);
  const { records } = await platform.call(listAlarms, { query: { ...open, state: ['ended'] } });
  expect(records.map(({ count, devices }) => [count, devices])).toEqual([[1, 1]]);
  await page.goto(`/device/deviceDetail?id=${phone.device.id}`);
  await card.getByText('Up to date').waitFor();
});
