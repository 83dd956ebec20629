import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addDeviceGroup,
  addModel,
  addToDeviceGroup,
  deleteConfigTemplate,
  deleteDeviceGroup,
  deleteDevices,
  deleteModel,
  getDeviceConfigAddress,
  listConfigTemplates,
  uploadMacFiles,
  type DeviceRecord,
  type SettingValues,
  type TemplateLevel,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const mac = '0c383ef1b011';
const [model, series] = [`Zz desk ${stamp}`, `Zz desks ${stamp}`];
const nameOf = (level: string) => `Zz ${level} ${stamp}`;
let device: DeviceRecord;
let modelId: string;
let groupId: string;

/** A setting of its own for each level but the device, and the ring tone in all: 4 is that of the model, 6 of the file. */
const valuesOf: Readonly<Partial<Record<TemplateLevel, SettingValues>>> = {
  general: { 'phone.ringtone': 1, 'time.server': 'ntp.example', 'phone.language': 'en', 'screen.backlight': 1 },
  site: { 'phone.ringtone': 2, 'phone.language': 'es', 'screen.backlight': 2, 'time.format': '12' },
  series: { 'phone.ringtone': 3, 'phone.language': 'fr', 'screen.backlight': 3, 'network.vlan': 7 },
  group: { 'phone.ringtone': 5, 'phone.language': 'it' },
};

beforeAll(async () => {
  const { call } = product.platform;
  const counts = {
    doorCount: 0,
    softDssKeys: 0,
    dssKeysPerPage: 0,
    dssKeyPages: 0,
    sideKeysPerPage: 4,
    sideKeyPages: 1,
  };
  const names = { name: model, showName: '', internalName: '', series, type: 'general' as const };
  const flags = { hiddenItems: [], secondScreen: false, mutualAuth: false };
  modelId = (await call(addModel, { body: { ...names, ...counts, ...flags, sipCount: 2 } })).id;
  const place = await devicePlace(call);
  const body = { ...place, mac, name: nameOf('phone'), model, sn: 'ZL-0001' };
  ({ device } = (await call(addDevice, { body })) as { device: DeviceRecord });
  groupId = (await call(addDeviceGroup, { body: { name: nameOf('group'), description: '' } })).id;
  await eventually(() => call(addToDeviceGroup, { params: { id: groupId }, body: { ids: [device.id] } }));
  const targets = { general: null, site: place.siteId, series, group: groupId };
  for (const [level, target] of Object.entries(targets) as [keyof typeof targets, string | null][])
    await eventually(() =>
      call(addConfigTemplate, {
        body: { name: nameOf(level), description: '', level, target, values: valuesOf[level]! },
      }),
    );
  // The template of the device comes from a file that is named by its MAC.
  await eventually(async () => {
    const files = [{ name: `${mac}.txt`, text: 'phone.ringtone = 6\n' }];
    const { results } = await call(uploadMacFiles, { body: { files } });
    expect(results[0]!.error).toBeNull();
  });
});
afterAll(async () => {
  const { call } = product.platform;
  for (const search of [stamp, '0C:38:3E:F1:B0:11']) {
    const { records } = await call(listConfigTemplates, { query: { search } });
    for (const { id } of records) await call(deleteConfigTemplate, { query: { id } });
  }
  await call(deleteDevices, { query: { ids: [device.id] } });
  await call(deleteDeviceGroup, { query: { id: groupId } });
  await call(deleteModel, { query: { id: modelId } });
});

it('templates of all levels merge in order into the file of a phone [CFG-01] [DEV-12/template]', async () => {
  const { page } = await product.administrator('/setting/index');
  const row = (level: string) => page.locator('[data-id]').filter({ hasText: nameOf(level) });
  for (const level of ['general', 'site', 'series', 'group']) await row(level).waitFor();
  await page.locator('[data-id]').filter({ hasText: '0C:38:3E:F1:B0:11' }).waitFor();
  await page.getByRole('link', { name: 'Add template' }).first().click();
  const form = page.locator('main form');
  await form.getByLabel('Name', { exact: true }).fill(nameOf('model'));
  await form.getByLabel('One model').check();
  await form.getByRole('combobox', { name: 'Model' }).fill(model);
  await form.getByRole('combobox', { name: 'Add setting' }).fill('backl');
  await page.getByRole('option', { name: 'Backlight time' }).click();
  await form.getByLabel('Backlight time', { exact: true }).fill('120');
  await form.getByRole('combobox', { name: 'Add setting' }).fill('ringt');
  await page.getByRole('option', { name: 'Ringtone' }).click();
  await form.getByLabel('Ringtone', { exact: true }).fill('4');
  await form.getByRole('button', { name: 'Set keys' }).click();
  await form.getByRole('button', { name: 'Side key 1.3' }).click();
  const key = form.getByRole('region', { name: 'Side key 1.3' });
  await key.getByRole('combobox', { name: 'Function' }).click();
  await page.getByRole('option', { name: 'Speed dial' }).click();
  await key.getByLabel('Number').fill('201');
  // What the device will get, before it is saved.
  await form.getByText('1 of 1 devices changes.').waitFor();
  await form.getByRole('row', { name: 'Backlight time 3 seconds 120 seconds 1' }).waitFor();
  await form.getByRole('row', { name: 'Ringtone Unchanged: a nearer template decides 1' }).waitFor();
  await form.getByRole('row', { name: 'Side key 1.3 Not set Speed dial · 201 1' }).waitFor();
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await page.waitForURL('**/setting');

  const { origin, file } = await product.platform.call(getDeviceConfigAddress, { params: { id: device.id } });
  const text = await eventually(async () => {
    const loaded = await (await fetch(`${origin ?? product.platform.ready.url}${file}`)).text();
    expect(loaded).toContain('<Value>201@1/f</Value>');
    return loaded;
  });
  for (const part of ['Type 6', '120', 'it', 'ntp.example']) expect(text).toContain(`>${part}</`);

  await page.goto(`/device/deviceDetail?id=${device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  const source = (setting: string, level: string) =>
    card.getByRole('row').filter({ hasText: setting }).getByRole('link', { name: level }).waitFor();
  await source('Ringtone', '0C:38:3E:F1:B0:11');
  await source('Language', nameOf('group'));
  await source('Backlight time', nameOf('model'));
  await source('Side key 1.3', nameOf('model'));
  await source('VLAN', nameOf('series'));
  await source('Time format', nameOf('site'));
  await source('Time server', nameOf('general'));
  const overridden = card.getByRole('row').filter({ hasText: 'Ringtone' }).locator('del');
  const levels = ['group', 'model', 'series', 'site', 'general'];
  expect(await overridden.allTextContents()).toEqual(levels.map((level) => expect.stringContaining(nameOf(level))));
});
