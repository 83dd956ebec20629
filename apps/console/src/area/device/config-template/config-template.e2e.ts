import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addConfigTemplate,
  deleteConfigTemplate,
  deleteDevices,
  editConfigTemplate,
  listConfigTemplates,
  listOperationLog,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const [general, own] = [`Zz all ${stamp}`, `Zz hall ${stamp}`];
const model = 'X7A';
let phone: ConfigDevice;

beforeEach(async () => {
  const { platform } = product;
  const values = { 'screen.backlight': 24, 'time.format': '12' };
  const body = { name: general, description: '', level: 'general' as const, target: null, values };
  await platform.call(addConfigTemplate, { body });
  const named = { mac: '0c383ea4d0d1', name: `Zz phone ${stamp}`, model };
  phone = await configDevice(platform, { ...named, rejected: [] });
});
afterEach(async () => {
  const { platform } = product;
  await phone.client.endAsync().catch(() => undefined);
  const { records } = await platform.call(listConfigTemplates, { query: { search: stamp } });
  for (const { id } of records) await platform.call(deleteConfigTemplate, { query: { id } });
  await platform.call(deleteDevices, { query: { ids: [phone.device.id] } });
});

/** Adds a setting by the keyboard alone. */
async function add(page: Page, text: string): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Add setting' });
  await search.focus();
  // Without a match, Enter does not send the form.
  await page.keyboard.type('zz');
  await page.keyboard.press('Enter');
  await search.fill('');
  await page.keyboard.type(text);
  await page
    .locator('[role=option][data-combobox-selected]')
    .filter({ hasText: new RegExp(text, 'i') })
    .waitFor();
  await page.keyboard.press('Enter');
}
/** Returns a configuration without the comment that it begins with. */
const settingsOf = (text: string): string => text.replace(/^#.*\n/, '');
const hasFocus = (field: Locator) => expect.poll(() => field.evaluate((e) => e === document.activeElement)).toBe(true);

async function fillForm(page: Page): Promise<void> {
  const form = page.locator('main form');
  const save = form.getByRole('button', { name: 'Add template', exact: true });
  await save.click();
  await form.getByText('Enter a name.').waitFor();
  await form.getByText('Add at least one setting.').waitFor();
  await form.getByLabel('Name', { exact: true }).fill(own);
  await form.getByLabel('One model').check();
  await form.getByLabel('Model', { exact: true }).fill(model);
  await page.keyboard.press('Escape');

  await add(page, 'langu');
  await hasFocus(form.locator('[data-setting="phone.language"] input:not([type=hidden])'));
  await add(page, 'backl');
  const backlight = form.getByLabel('Backlight time', { exact: true });
  await hasFocus(backlight);
  await form.getByText('From 1 to 3,600 seconds. Without it: 45 seconds').waitFor();
  await backlight.fill('4000');
  await add(page, 'time serv');
  const server = form.getByLabel('Time server', { exact: true });
  await hasFocus(server);
  expect(await server.inputValue()).toBe('pool.ntp.org');
  await form.getByRole('button', { name: 'Remove Language' }).press('Enter');
  await hasFocus(form.getByRole('button', { name: 'Remove Backlight time' }));
  await server.fill('http://ntp.zz.example');
  await save.click();
  await form.getByText('Enter a whole number from 1 to 3,600 seconds.').waitFor();
  await backlight.fill('120');
  await save.click();
  // The server judges names of hosts.
  await expect.poll(() => server.getAttribute('aria-invalid')).toBe('true');
  await hasFocus(server);
  await server.fill('ntp.zz.example');
  await addRaw(form);
  await save.click();
}

/** Adds a raw setting after a wrong one. */
async function addRaw(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Add raw setting' }).click();
  const name = form.getByLabel('Name in the maker’s files');
  await hasFocus(name);
  await name.fill('Display Timeout');
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await form.getByText('Enter a name of the form phone/display/ScreenSaverTime.').waitFor();
  await name.fill('phone/display/ScreenSaverTime');
  await form.getByLabel('Value', { exact: true }).fill('15');
}

it('a template made in the form reaches a device, which reports it and is up to date [CFG-01/template]', async () => {
  const { page } = await product.administrator('/setting/index');
  const { device, held } = phone;
  const row = page.locator('[data-id]').filter({ hasText: own });
  const act = async (action: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await page.getByRole('link', { name: 'Add template', exact: true }).click();
  await page.waitForURL('**/setting/addTemplate');
  await fillForm(page);
  await page.waitForURL('**/setting');
  await row.getByText('One model').waitFor();
  await row.click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('row', { name: 'Backlight time 120 seconds' }).waitFor();
  await drawer.getByRole('row', { name: 'Fanvil: phone/display/ScreenSaverTime 15' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await row.getByRole('link', { name: '1', exact: true }).click();
  await page.waitForURL(`**/device/list?model=${model}`);
  await page.goto(`/device/deviceDetail?id=${device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  await card.getByText('Not loaded yet').waitFor();
  const value = (name: string) => card.getByRole('row').filter({ hasText: name });
  await value('Backlight time').getByText(`${general}: 24 seconds, overridden`).waitFor();
  await value('Backlight time').getByText('120 seconds').waitFor();
  await value('Time server').getByRole('link', { name: own }).waitFor();
  await value('phone/display/ScreenSaverTime').getByText('15').waitFor();
  await value('Time format').getByRole('link', { name: general }).waitFor();
  await card.getByText('The device’s own file format can’t carry: Time format.').waitFor();
  expect(await card.getByText('/api/f/config/').count()).toBe(0);
  await card.getByRole('button', { name: 'Show address' }).click();
  await card.getByRole('button', { name: 'Copy Folder' }).waitFor();
  const address = await card.locator('code').first().innerText();
  // The port for phones, not that of the console.
  expect(new URL(address).port).not.toBe(new URL(page.url()).port);
  expect(address).toMatch(/^http.*\/api\/f\/config\/[\w-]+\/0c383ea4d0d1\.cfg$/);
  await eventually(async () => {
    const query = { action: ['deviceConfig.showAddress' as const], search: device.name };
    expect((await product.platform.call(listOperationLog, { query })).total).toBe(1);
  });

  await page.goto('/setting');
  await act('Send to devices');
  await page.waitForURL('**/task/addTask?draft=*');
  await page.getByText('1 device matches now').waitFor();
  const way = page.getByRole('combobox', { name: 'Which file' });
  await expect.poll(() => way.inputValue()).toBe('Each device’s settings from the templates');
  await page.getByText('Each device gets the settings of its templates.').waitFor();
  expect(await page.getByRole('combobox', { name: 'Configuration file' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('dl').getByText('Each device’s settings from the templates').waitFor();
  await page.getByRole('button', { name: 'Create task' }).click();
  await drawer.getByText('Each device’s settings from the templates').waitFor();
  await eventually(() => expect(held.length).toBe(1));
  expect(settingsOf(held[0]![1])).toBe(
    'screen.backlight = 120\ntime.server = ntp.zz.example\ntime.format = 12\n' +
      'raw.fanvil.phone/display/ScreenSaverTime = 15\n',
  );
  await page.goto(`/device/deviceDetail?id=${device.id}`);
  await card.getByText('Up to date').waitFor();

  await page.goto('/setting');
  await act('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`Template ${own} restored`).waitFor();
  await row.waitFor();
});

it('a device is sent the settings of its templates from its page', async () => {
  const { page } = await product.administrator(`/device/deviceDetail?id=${phone.device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  await card.getByRole('button', { name: 'Send to this device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Each device gets the settings of its templates.').waitFor();
  await dialog.getByRole('button', { name: 'Push configuration', exact: true }).click();
  await eventually(() =>
    expect(phone.held.map(([, text]) => settingsOf(text))).toEqual(['screen.backlight = 24\ntime.format = 12\n']),
  );
  await card.getByText('Up to date').waitFor();
});

it('a new template for a model begins with the settings that a device has [CFG-05/template]', async () => {
  const { page } = await product.administrator(`/device/deviceDetail?id=${phone.device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  await card.getByRole('link', { name: 'New template from these' }).click();
  await page.waitForURL('**/setting/addTemplate?device=*');
  const form = page.locator('main form');
  await expect.poll(() => form.getByLabel('Backlight time', { exact: true }).inputValue()).toBe('24');
  expect(await form.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(model);
  await form.getByLabel('Name', { exact: true }).fill(own);
  // What is typed stays when the device changes meanwhile.
  const { id: target } = phone.device;
  const readAgain = page.waitForResponse((answer) => answer.url().endsWith(`/deviceConfig/${target}`));
  const body = {
    name: `${own} desk`,
    description: '',
    level: 'device' as const,
    target,
    values: { 'network.vlan': 9 },
  };
  await product.platform.call(addConfigTemplate, { body });
  await readAgain;
  await add(page, 'time z');
  await form.getByRole('combobox', { name: 'Time zone' }).fill('site');
  await page.getByRole('option', { name: 'The site’s time zone' }).click();
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await page.waitForURL('**/setting');
  const { records } = await product.platform.call(listConfigTemplates, { query: { search: own, level: ['model'] } });
  expect(records).toMatchObject([
    { level: 'model', target: model, values: { 'screen.backlight': 24, 'time.format': '12', 'time.zone': 'site' } },
  ]);
});

it('versions of a template are compared and rolled back, and a change shows its reach [CFG-04]', async () => {
  const { device } = phone;
  const { id } = await eventually(() =>
    product.platform.call(addConfigTemplate, {
      body: { name: own, description: '', level: 'device', target: device.id, values: { 'screen.backlight': 30 } },
    }),
  );
  const { page } = await product.administrator(`/setting/editTemplate?id=${id}`);
  const form = page.locator('main form');
  await form.getByText('Change a setting to see which devices it reaches.').waitFor();
  await form.getByLabel('Backlight time', { exact: true }).fill('60');
  await form.getByText('1 of 1 devices changes.').waitFor();
  await form.getByRole('row', { name: 'Backlight time 30 seconds 60 seconds 1' }).waitFor();
  await add(page, 'time form');
  await form.getByRole('row', { name: 'Time format 12 hours 24 hours 1' }).waitFor();
  await form.getByLabel('Reason').fill('The hall is dark');
  await form.getByRole('button', { name: 'Save and send to devices' }).click();
  await page.waitForURL('**/task/addTask?draft=*');
  await page.getByText('1 selected device').waitFor();

  await page.goto(`/setting?template=${id}`);
  const drawer = page.getByRole('dialog').first();
  const version = (name: string) => drawer.getByRole('row').filter({ has: page.getByRole('button', { name }) });
  await version('Compare version 2').getByText('The hall is dark').waitFor();
  await drawer.getByRole('button', { name: 'Compare version 1' }).click();
  const compared = page.getByRole('dialog', { name: `Version 1 of ${own}` });
  await compared.getByRole('row', { name: 'Backlight time (differs) 30 seconds 60 seconds' }).waitFor();
  await compared.getByRole('row', { name: 'Time format (differs) Not set 24 hours' }).waitFor();
  await compared.getByText('1 of 1 devices changes.').waitFor();
  await compared.getByLabel('Reason').fill('Too bright');
  await compared.getByRole('button', { name: 'Go back to version 1' }).click();
  await compared.waitFor({ state: 'detached' });
  await version('Compare version 3').getByText('Back to version 1 · Too bright').waitFor();
  await drawer.getByRole('row', { name: 'Backlight time 30 seconds' }).waitFor();
  await eventually(async () => {
    const query = { action: ['configTemplate.rollback' as const], search: own };
    expect((await product.platform.call(listOperationLog, { query })).total).toBe(1);
  });
});

it('two who edit one template are told, and the second sees what saving replaces', async () => {
  const { platform } = product;
  const [template] = (await platform.call(listConfigTemplates, { query: { search: general } })).records;
  const { id, name, description } = template!;
  const { page } = await product.administrator(`/setting/editTemplate?id=${id}`);
  const form = page.locator('main form');
  await form.getByRole('textbox', { name: 'Backlight time' }).fill('60');
  await platform.call(editConfigTemplate, { body: { id, name, description, values: { 'screen.backlight': 30 } } });
  const save = form.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await form.getByRole('alert').getByText('it is at version 2.').waitFor();
  await form.getByRole('row', { name: '30 seconds 60 seconds' }).waitFor();
  await save.click();
  await page.waitForURL('**/setting');
  await eventually(async () =>
    expect((await platform.call(listConfigTemplates, { query: { search: general } })).records).toMatchObject([
      { version: 3, values: { 'screen.backlight': 60, 'time.format': '12' } },
    ]),
  );
});
