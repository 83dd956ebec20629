// @module-tag slow
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  activateByPassword,
  addCompany,
  addConfigTemplate,
  addDevice,
  deleteConfigTemplate,
  getUserInfo,
  listConfigLocks,
  listConfigTemplates,
  type Client,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const [customer, username] = [`Zz Customer ${stamp}`, `zz.lock.${stamp}`];
const [first, password] = ['First-Secret-1', 'Own-Secret-1'];
const templates = [`Zz all ${stamp}`, `Zz customer ${stamp}`] as const;
let call: Client;
let device: { id: string };

/** Adds a company below the installation's own, with an administrator, a phone and a template for all devices. */
beforeEach(async () => {
  const { platform } = product;
  const person = { username, nickname: 'Ann Hill', email: null, activation: 'password' as const, password: first };
  const place = { language: 'en_US' as const, timezoneId: null, countryId: 1, oldEnough: true as const };
  const body = { name: customer, type: 'enterprise' as const, organizationName: 'Office', remarks: '' };
  await platform.call(addCompany, { body: { ...body, ...person, ...place } });
  const change = { username, password: first, newPassword: password, confirmation: password };
  await eventually(() => platform.plainClient()(activateByPassword, { body: change }));
  const token = await logIn({ ...platform.ready, admin: { username, password } });
  call = platform.client({ 'carillon-auth': `bearer ${token}` });
  const phone = { mac: '0c383ea4d0d9', name: `Zz phone ${stamp}`, model: 'X7A', sn: 'ZL-1' };
  device = (await call(addDevice, { body: { ...(await devicePlace(call)), ...phone } })).device;
  const all = { name: templates[1], description: '', level: 'general' as const, target: null };
  await call(addConfigTemplate, { body: { ...all, values: { 'screen.backlight': 24 } } });
});
afterEach(async () => {
  const { records } = await product.platform.call(listConfigTemplates, { query: { search: stamp } });
  for (const { id } of records) await product.platform.call(deleteConfigTemplate, { query: { id } });
});

it('a company locks a setting, and the company below sees which value counts, and why [CFG-01/lock]', async () => {
  const { platform } = product;
  const { companyName } = await platform.call(getUserInfo);
  const { page } = await product.administrator('/setting/addTemplate');
  const form = page.locator('main form');
  await form.getByLabel('Name', { exact: true }).fill(templates[0]);
  await form.getByRole('combobox', { name: 'Add setting' }).fill('backl');
  await page.getByRole('option', { name: 'Backlight time' }).click();
  await form.getByLabel('Backlight time', { exact: true }).fill('120');
  await form.getByText('A locked setting wins over every other template').waitFor();
  await form.getByLabel('Lock Backlight time').check();
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await page.waitForURL('**/setting');
  const row = page.locator('[data-id]').filter({ hasText: templates[0] });
  await row.click();
  await page.getByRole('dialog').getByRole('row', { name: 'Backlight time 120 seconds · Locked' }).waitFor();

  await eventually(async () => expect(await call(listConfigLocks)).toMatchObject([{ company: companyName }]));
  const { page: ann } = await product.loggedIn('/setting', { username, password });
  await ann.locator('[data-id]').filter({ hasText: templates[1] }).waitFor();
  expect(await ann.getByText(templates[0]).count()).toBe(0);
  const [template] = (await call(listConfigTemplates, { query: { search: stamp } })).records;
  await ann.goto(`${platform.ready.url}/setting/editTemplate?id=${template!.id}`);
  const theirs = ann.locator('main form');
  await theirs.getByText(`${companyName} locks this setting: devices get 120 seconds, whatever is set here.`).waitFor();
  await theirs.getByRole('textbox', { name: 'Backlight time' }).fill('30');
  await theirs.getByText('Nothing changes on 1 device.').waitFor();
  await theirs.getByText(`Unchanged: locked by ${companyName}`).waitFor();
  await theirs.getByRole('button', { name: 'Remove Backlight time' }).click();
  await theirs.getByText(`${companyName} locks Backlight time: 120 seconds`).waitFor();
  await theirs.getByRole('combobox', { name: 'Add setting' }).fill('backl');
  await ann.getByRole('option', { name: 'Backlight time' }).click();
  await theirs.getByRole('textbox', { name: 'Backlight time' }).fill('30');
  await theirs.getByRole('button', { name: 'Save', exact: true }).click();
  await ann.waitForURL('**/setting');

  await ann.goto(`${platform.ready.url}/device/deviceDetail?id=${device.id}`);
  const value = ann
    .getByRole('region', { name: 'Configuration' })
    .getByRole('row')
    .filter({ hasText: 'Backlight time' });
  await value.getByText('120 seconds').waitFor();
  await value.getByRole('cell', { name: `${companyName} Locked by a company above` }).waitFor();
  await value.getByText(`${templates[1]}: 30 seconds, overridden`).waitFor();

  await row.waitFor();
  await page.goto(`${platform.ready.url}/setting`);
  await row.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await form.getByLabel('Lock Backlight time').uncheck();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/setting');
  await eventually(async () => expect(await call(listConfigLocks)).toEqual([]));
  await ann.reload();
  await value.getByText('30 seconds').waitFor();
  await value.getByRole('link', { name: templates[1] }).waitFor();
});
