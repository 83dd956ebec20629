// @module-tag slow
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addModel,
  deleteConfigTemplate,
  deleteDevices,
  deleteModel,
  listConfigTemplates,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const [general, own, series, model] = [`Zz all ${stamp}`, `Zz halls ${stamp}`, `Zz series ${stamp}`, `Zz ${stamp}`];
let phone: ConfigDevice;
let modelId: string;

beforeEach(async () => {
  const { platform } = product;
  const none = { doorCount: 0, softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage: 0, sideKeyPages: 0 };
  const names = { name: model, showName: '', internalName: '', series, type: 'general' as const };
  const flags = { hiddenItems: ['wifi' as const], secondScreen: false, mutualAuth: false };
  modelId = (await platform.call(addModel, { body: { ...names, ...none, ...flags, sipCount: 1 } })).id;
  const body = { name: general, description: '', level: 'general' as const, target: null };
  await platform.call(addConfigTemplate, {
    body: { ...body, values: { 'screen.backlight': 24, 'time.format': '12' } },
  });
  phone = await configDevice(platform, { mac: '0c383ea4d0d7', name: `Zz phone ${stamp}`, model, rejected: [] });
});
afterEach(async () => {
  const { platform } = product;
  await phone.client.endAsync().catch(() => undefined);
  const { records } = await platform.call(listConfigTemplates, { query: { search: stamp } });
  for (const { id } of records) await platform.call(deleteConfigTemplate, { query: { id } });
  await platform.call(deleteDevices, { query: { ids: [phone.device.id] } });
  await platform.call(deleteModel, { query: { id: modelId } });
});

it('a template of a series is made in the form, sent, and named at the device [CFG-01/series]', async () => {
  const { page } = await product.administrator('/setting/addTemplate');
  const form = page.locator('main form');
  await form.getByLabel('Name', { exact: true }).fill(own);
  await form.getByLabel('One series').check();
  const add = form.getByRole('button', { name: 'Add template', exact: true });
  await add.click();
  await form.getByText('Choose what the template applies to.').waitFor();
  await form.getByRole('combobox', { name: 'Series' }).fill(series);
  await page.getByRole('option', { name: series, exact: true }).click();
  // The only model of the series hides Wi-Fi.
  await form.getByRole('combobox', { name: 'Add setting' }).fill('Wi-Fi');
  await page.getByText('No setting matches.').waitFor();
  await form.getByRole('combobox', { name: 'Add setting' }).fill('backl');
  await page.getByRole('option', { name: 'Backlight time' }).click();
  await form.getByLabel('Backlight time', { exact: true }).fill('120');
  await form.getByText('1 of 1 devices changes.').waitFor();
  await form.getByRole('row', { name: 'Backlight time 24 seconds 120 seconds 1' }).waitFor();
  await add.click();

  await page.waitForURL('**/setting');
  await page.goto('/setting?level=series');
  const row = page.locator('[data-id]').filter({ hasText: own });
  await row.getByText('One series').waitFor();
  await row.getByText(series).waitFor();
  expect(await page.locator('[data-id]').filter({ hasText: general }).count()).toBe(0);
  await row.getByRole('link', { name: '1', exact: true }).click();
  await page.waitForURL('**/device/list?model=*');
  await page.locator('[data-id]').filter({ hasText: phone.device.name }).waitFor();

  await page.goto('/setting?level=series');
  await row.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Send to devices', exact: true }).click();
  await page.getByText('1 device matches now').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create task' }).click();
  await eventually(() => expect(phone.held.at(-1)?.[1]).toContain('screen.backlight = 120\ntime.format = 12\n'));

  await page.goto(`/device/deviceDetail?id=${phone.device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  const value = (name: string) => card.getByRole('row').filter({ hasText: name });
  await value('Backlight time').getByRole('link', { name: own }).waitFor();
  await value('Backlight time').getByText(`One series: ${series}`).waitFor();
  await value('Backlight time').getByText(`${general}: 24 seconds, overridden`).waitFor();
  await value('Time format').getByText('All devices', { exact: true }).waitFor();
  await card.getByText('Up to date').waitFor();
});
