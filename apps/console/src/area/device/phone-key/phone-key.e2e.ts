// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addModel,
  deleteConfigTemplate,
  deleteDevices,
  deleteModel,
  getDeviceConfigAddress,
  listConfigTemplates,
  type DeviceRecord,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const [name, model] = [`Zz keys ${stamp}`, `Zz desk ${stamp}`];
let device: DeviceRecord;
let modelId: string;

beforeAll(async () => {
  const { call } = product.platform;
  const counts = {
    doorCount: 0,
    softDssKeys: 2,
    dssKeysPerPage: 6,
    dssKeyPages: 2,
    sideKeysPerPage: 4,
    sideKeyPages: 2,
  };
  const names = { name: model, showName: '', internalName: '', series: '', type: 'general' as const };
  const flags = { hiddenItems: [], secondScreen: true, mutualAuth: false };
  modelId = (await call(addModel, { body: { ...names, ...counts, ...flags, sipCount: 2 } })).id;
  const body = { ...(await devicePlace(call)), mac: '0c383ef1b001', name, model, sn: 'ZK-0001' };
  ({ device } = (await call(addDevice, { body })) as { device: DeviceRecord });
});
afterAll(async () => {
  const { call } = product.platform;
  const { records } = await call(listConfigTemplates, { query: { search: stamp } });
  for (const { id } of records) await call(deleteConfigTemplate, { query: { id } });
  await call(deleteDevices, { query: { ids: [device.id] } });
  await call(deleteModel, { query: { id: modelId } });
});

/** Returns the file that the phone loads, once it has this element. */
async function fileWith(part: string): Promise<string> {
  const { origin, file } = await product.platform.call(getDeviceConfigAddress, { params: { id: device.id } });
  return eventually(async () => {
    const text = await (await fetch(`${origin ?? product.platform.ready.url}${file}`)).text();
    expect(text).toContain(part);
    return text;
  });
}
const element = (value: string) => `<Value>${value}</Value>`;

it('keys that are set, moved and cleared on the picture reach the phone’s file [CFG-01/editor]', async () => {
  const { page } = await product.administrator('/setting/addTemplate');
  const form = page.locator('main form');
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('One model').check();
  await form.getByRole('combobox', { name: 'Model' }).fill(model);
  await form.getByRole('button', { name: 'Set keys' }).click();
  const phone = form.getByRole('group', { name: 'Keys of the phone' });
  const key = (place: string) => phone.getByRole('button', { name: place });
  // As many keys as the model has: four beside the screen, six on the second screen, two below.
  await expect.poll(() => phone.locator('[data-key]').count()).toBe(12);
  await phone.getByRole('region', { name: 'Second screen' }).waitFor();

  // By pointer: a monitored number, dragged to the second page of the second screen.
  await key('Side key 1.1').click();
  const fields = form.getByRole('region', { name: 'Side key 1.1' });
  await fields.getByRole('combobox', { name: 'Function' }).click();
  await page.getByRole('option', { name: 'BLF' }).click();
  await fields.getByLabel('Label').fill('Ann');
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await form.getByText('Check these keys: Side key 1.1.').waitFor();
  await fields.getByLabel('Number').fill('201');
  await key('Side key 1.1').hover();
  const from = (await key('Side key 1.1').boundingBox())!;
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await phone.getByRole('button', { name: 'Page 2' }).last().hover();
  await key('DSS key 2.1').waitFor();
  await key('DSS key 2.1').hover();
  await page.mouse.up();
  await key('DSS key 2.1: BLF · 201 · “Ann”').waitFor();
  expect(await key('Side key 1.1').textContent()).toBe('1');

  // By keyboard: the line of key 1 goes one key down, then to the second page; another key is cleared.
  await key('Side key 1.1').focus();
  await page.keyboard.press('Enter');
  await form.getByRole('region', { name: 'Side key 1.1' }).getByRole('combobox', { name: 'Function' }).fill('Line');
  await page.getByRole('option', { name: 'Line' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await key('Side key 1.1: Line 1').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+ArrowDown');
  await key('Side key 1.2: Line 1').waitFor();
  await page.keyboard.press('Shift+PageDown');
  await key('Side key 2.2: Line 1').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('key.side.2.2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await form.getByRole('region', { name: 'Side key 2.1' }).getByRole('combobox', { name: 'Function' }).fill('Redial');
  await page.getByRole('option', { name: 'Redial' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await key('Side key 2.1: Redial').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await form.getByText('Side key 2.1 cleared.').waitFor();
  await form.getByRole('button', { name: 'Add template', exact: true }).click();

  await page.waitForURL('**/setting');
  const file = await fileWith(element('201@1/ba'));
  expect(file).toContain('<dssSide index="2">');
  expect(file).toContain(element('SIP1'));
  expect(file).not.toContain('F_REDIAL');
  await page.goto(`/device/deviceDetail?id=${device.id}`);
  const card = page.getByRole('region', { name: 'Configuration' });
  const row = card.getByRole('row').filter({ hasText: 'DSS key 2.1' });
  await row.getByText('BLF · 201 · “Ann”').waitFor();
  await row.getByRole('link', { name }).waitFor();
});

it('a copy to another model names the keys that stay behind, and then makes its template [CFG-01/copy]', async () => {
  const { records } = await product.platform.call(listConfigTemplates, { query: { search: name } });
  const { page } = await product.administrator(`/setting/editTemplate?id=${records[0]!.id}`);
  await page.getByRole('button', { name: 'Copy to another model' }).click();
  const dialog = page.getByRole('dialog', { name: `Copy the keys of ${name}` });
  await dialog.getByLabel('Model').fill('SIP-T46U');
  await dialog.getByText('2 keys are copied to a new template for SIP-T46U.').waitFor();
  await dialog.getByLabel('Model').fill('VVX 450');
  await dialog.getByText('DSS key 2.1: phones of this maker can’t do this.').waitFor();
  await dialog.getByLabel('Model').fill('SP-R63G');
  await dialog.getByText('DSS key 2.1: the phone has no such key or line.').waitFor();
  await dialog.getByText('Side key 2.2: the phone has no such key or line.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Copy keys' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Model').fill('SIP-T43U');
  await dialog.getByText('2 keys are copied to a new template for SIP-T43U.').waitFor();
  await dialog.getByLabel('Name').fill(`Zz other ${stamp}`);
  await dialog.getByRole('button', { name: 'Copy keys' }).click();
  await dialog.waitFor({ state: 'detached' });
  const all = await product.platform.call(listConfigTemplates, { query: { search: `Zz other ${stamp}` } });
  expect(all.records[0]).toMatchObject({ level: 'model', target: 'SIP-T43U' });
  expect(Object.keys(all.records[0]!.values).toSorted()).toEqual(['key.dss.2.1', 'key.side.2.2']);
});
