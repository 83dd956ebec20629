// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { generate } from 'selfsigned';
import { afterAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  getDeviceConfigAddress,
  listConfigRequests,
  listModels,
  type DeviceRecord,
  type PhoneKey,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const mac = '0c383ef1c601';
const model = 'Zz lobby';
const folder = mkdtempSync(join(tmpdir(), 'model-effect-'));
const named = (commonName: string) => [{ name: 'commonName', value: commonName }];
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const server = await generate(named('localhost'));
const maker = await generate(named('Maker CA'), { extensions: [{ name: 'basicConstraints', cA: true }] });
const certificateOf = async (name: string) => {
  const pair = await generate(named(name), { ca: { key: maker.private, cert: maker.cert } });
  return { cert: pair.cert, key: pair.private };
};

/** Phones load their files over HTTPS, and their certificates are signed by the maker. */
const product = useProduct({
  name: 'model-effect',
  devices: 0,
  env: {
    CARILLON_PHONE_TLS_CERTIFICATE: file('cert.pem', server.cert),
    CARILLON_PHONE_TLS_KEY: file('key.pem', server.private),
    CARILLON_PHONE_CLIENT_CA: file('ca.pem', maker.cert),
  },
});
afterAll(() => rmSync(folder, { recursive: true }));

const speedDial = (value: string): PhoneKey => ({ type: 'speedDial', line: 1, value, label: '' });

/** Loads the file of a phone, with its certificate if it has one. */
function ask(port: string, path: string, own: object = {}): Promise<{ status: number; text: string }> {
  const at = { host: '127.0.0.1', port, path, servername: 'localhost', agent: false as const };
  return new Promise((resolve, reject) => {
    request({ ...at, ...own, ca: server.cert, headers: { 'user-agent': `Fanvil X4U 2.4.0 ${mac}` } }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => resolve({ status: answer.statusCode!, text }));
    })
      .on('error', reject)
      .end();
  });
}

/** Opens the form of a template for the model, with its keys. */
async function templateForm(page: Page) {
  await page.goto('/setting/addTemplate');
  const form = page.locator('main form');
  await form.getByLabel('One model').check();
  await form.getByRole('combobox', { name: 'Model' }).fill(model);
  await form.getByRole('button', { name: 'Set keys' }).click();
  const picture = form.getByRole('group', { name: 'Keys of the phone' });
  await picture.waitFor();
  return { form, keys: (name: RegExp) => picture.getByRole('button', { name }), picture };
}

it('properties of a model change template and form; mutual authentication needs a certificate [CFG-06]', async () => {
  const { page } = await product.administrator('/model/addModel');
  const { call } = product.platform;
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const hide = async (...items: string[]) => {
    const box = page.getByRole('combobox', { name: 'Hidden items' });
    for (const item of items) {
      await box.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: item, exact: true }).click();
    }
    await page.keyboard.press('Escape');
  };
  const save = async (name: string) => {
    await page.locator('main form').getByRole('button', { name, exact: true }).click();
    await page.waitForURL('**/model/list');
  };
  for (const [label, value] of [
    ['Name', model],
    ['SIP lines', '2'],
    ['DSS keys per page', '6'],
    ['DSS key pages', '2'],
    ['Side keys per page', '4'],
    ['Side key pages', '2'],
  ] as const)
    await field(label).fill(value);
  await page.getByRole('checkbox', { name: 'Second screen' }).check({ force: true });
  await save('Add model');

  const body = { ...(await devicePlace(call)), mac, name: 'Zz lobby phone', model, sn: 'ZL-0001' };
  const { device } = (await call(addDevice, { body })) as { device: DeviceRecord };
  await call(addConfigTemplate, {
    body: {
      ...{ name: 'Zz all', description: '', level: 'general', target: null },
      values: {
        'network.wifi': true,
        'time.format': '12',
        'key.side.1.4': speedDial('5014'),
        'key.side.2.1': speedDial('5021'),
        'key.dss.1.6': speedDial('6016'),
        'key.dss.2.6': speedDial('6026'),
        'key.dss.3.1': speedDial('6031'),
      },
    },
  });
  const { origin, file: path } = await call(getDeviceConfigAddress, { params: { id: device.id } });
  const { port } = new URL(origin!);
  const keysOfFile = async () => {
    const { text } = await ask(port, path!);
    const found = [...text.matchAll(/<Value>([56]0\d\d)@1\/f</g)].map((match) => match[1]);
    return [...found.toSorted(), ...(text.includes('<WIFIEnable>') ? ['Wi-Fi'] : [])];
  };
  await eventually(async () => expect(await keysOfFile()).toEqual(['5014', '5021', '6016', '6026', 'Wi-Fi']));

  // The form of a template has the keys and pages of the model, and offers what it does not hide.
  const whole = await templateForm(page);
  await whole.picture.getByRole('region', { name: 'Second screen' }).waitFor();
  await expect.poll(() => whole.keys(/^Side key 1\.\d+: /).count()).toBe(4);
  expect(await whole.keys(/^DSS key 1\.\d+: /).count()).toBe(6);
  for (const pages of ['Pages of the side keys', 'Pages of the DSS keys'])
    expect(await whole.picture.getByRole('group', { name: pages }).getByRole('button').count(), pages).toBe(2);
  await whole.form.getByRole('combobox', { name: 'Add setting' }).fill('Wi-Fi');
  await page.getByRole('option', { name: 'Wi-Fi', exact: true }).waitFor();

  // One page of side keys and no second screen are left.
  const [made] = (await call(listModels, { query: { search: model } })).records;
  await page.goto(`/model/editModel?id=${made!.id}`);
  await field('Side key pages').fill('1');
  await hide('Wi-Fi', 'Second screen');
  await page.getByRole('checkbox', { name: 'Second screen' }).waitFor({ state: 'detached' });
  await save('Save');
  await eventually(async () => expect(await keysOfFile()).toEqual(['5014']));
  const less = await templateForm(page);
  await expect.poll(() => less.keys(/^Side key 1\.\d+: /).count()).toBe(4);
  await expect.poll(() => less.keys(/^DSS key /).count()).toBe(0);
  expect(await less.picture.getByRole('region', { name: 'Second screen' }).count()).toBe(0);
  expect(await less.picture.getByRole('group', { name: 'Pages of the side keys' }).count()).toBe(0);
  await less.form.getByRole('combobox', { name: 'Add setting' }).fill('Wi-Fi');
  await page.getByText('No setting matches.').waitFor();

  await page.goto(`/model/editModel?id=${made!.id}`);
  await hide('Side keys');
  await field('Side key pages').waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Mutual authentication' }).check({ force: true });
  await save('Save');
  const none = await templateForm(page);
  await none.form.getByText('This model has no keys that can be set, or hides them.').waitFor();

  // Its phones need a certificate that names their MAC.
  const load = async (own?: object) => {
    const { file } = await call(getDeviceConfigAddress, { params: { id: device.id } });
    return ask(port, file!, own);
  };
  await eventually(async () => expect((await load()).status).toBe(404));
  expect((await load(await certificateOf('0c383ef1c602'))).status).toBe(404);
  const own = await load(await certificateOf(mac));
  expect([own.status, own.text.includes('<Version>'), own.text.includes('5014')]).toEqual([200, true, false]);
  await eventually(async () =>
    expect(await call(listConfigRequests, { params: { id: device.id } })).toContainEqual(
      expect.objectContaining({ outcome: 'noCertificate' }),
    ),
  );
});
