import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addDevice,
  addSite,
  deleteDevices,
  deleteSite,
  listDevices,
  placeDevices,
  type DeviceRecord,
} from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

/** Returns all devices of the demo company, to compute the expected matches of each filter. */
async function everyDevice(): Promise<DeviceRecord[]> {
  const all: DeviceRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { records, total } = await product.platform.call(listDevices, {
      query: { page, limit: 200, sort: 'createdAt' },
    });
    all.push(...records);
    if (page * 200 >= total) return all;
  }
}
const text = (title: string, value: string, found: (d: DeviceRecord) => string | null) => ({
  title,
  ask: async (panel: ReturnType<Page['getByRole']>, page: Page) => {
    const operators = panel.getByRole('combobox', { name: 'Operator' });
    if ((await operators.inputValue()) !== 'contains') await operators.selectOption('contains');
    await panel.getByRole('textbox', { name: 'Value' }).fill(value);
    await page.keyboard.press('Enter');
  },
  meets: (d: DeviceRecord) => (found(d) ?? '').toLowerCase().includes(value.toLowerCase()),
});
const choice = (title: string, value: string | RegExp, meets: (d: DeviceRecord) => boolean) => ({
  title,
  ask: async (panel: ReturnType<Page['getByRole']>) => {
    await panel.getByRole('checkbox', { name: value }).check();
  },
  meets,
});
const hour = (title: string, moment: (d: DeviceRecord) => string | null) => ({
  title,
  ask: async (panel: ReturnType<Page['getByRole']>) => {
    await panel.getByRole('radio', { name: 'last hour' }).check();
  },
  meets: (d: DeviceRecord) => Date.parse(moment(d) ?? '') > Date.now() - 3_600_000,
});

it(
  'the device list shows and filters all fields, and its states change live [DEV-01]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { platform } = product;
    const name = 'Zz record 1';
    const mac = '0c383ea20001';
    const { device, secret } = await platform.call(addDevice, {
      body: { ...(await devicePlace(platform.call)), mac, name, model: 'X7A', sn: 'ZR-0001' },
    });
    // A device that never connected matches no filter on reported data.
    const never = await platform.call(addDevice, {
      body: {
        ...(await devicePlace(platform.call)),
        mac: '0c383ea20002',
        name: 'Zz quiet',
        model: 'X5U',
        sn: 'ZQ-0002',
      },
    });
    const site = await platform.call(addSite, {
      body: { name: 'Zz tower', parentId: null, description: '', autoAssign: false, segments: '' },
    });
    await eventually(() => platform.call(placeDevices, { body: { siteId: site.id, ids: [device.id] } }));
    let client: mqtt.MqttClient | undefined;
    try {
      const { page } = await product.administrator('/device/list?search=Zz+record');
      const row = page.locator('main [data-id]').filter({ hasText: name });
      const state = (word: string) => row.getByText(word, { exact: true }).waitFor();
      await state('Not configured');
      client = await eventually(() =>
        mqtt.connectAsync(platform.ready.mqtt, {
          clientId: mac,
          username: mac,
          password: secret,
          clean: true,
          reconnectPeriod: 0,
        }),
      );
      const say = (what: 'hello' | 'state', payload: object) =>
        client!.publishAsync(`d/${mac}/${what}`, JSON.stringify(payload), { qos: 1 });
      await say('hello', {
        model: 'X7A',
        sn: 'ZR-0001',
        firmware: '9.8.7.6',
        hardware: '3.1',
        lte: 'EC200A-ZZ',
        ip: '10.99.0.17',
        uptime: 1,
        boot: 'power',
        capabilities: ['reboot'],
        configVersion: '7',
      });
      await state('Online');
      const line = { line: 1, account: '7001-zz', server: 'pbx.demo.example' };
      await say('state', {
        at: Date.now(),
        lines: [{ ...line, status: 'failed' }],
        dnd: 'on',
        certificate: true,
      });
      await state('Abnormal');

      // Every field has a column; those hidden by default are switched on.
      const columns = {
        Status: 'Abnormal',
        Name: name,
        Model: 'X7A',
        MAC: '0C:38:3E:A2:00:01',
        SN: 'ZR-0001',
        Site: 'Zz tower',
        Lines: '0/1',
        Account: '7001-zz: Registration failed',
        Firmware: '9.8.7.6',
        'IP address': '10.99.0.17',
        'Public IP': '127.0.0.1',
        'LTE module': 'EC200A-ZZ',
        'Do not disturb': 'On',
        Connection: 'MQTT',
        Certificate: 'Downloaded',
        'Last online': 'Now',
        'Last configured': /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
      };
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
      for (const title of Object.keys(columns)) {
        const box = page.getByRole('dialog').getByRole('checkbox', { name: title, exact: true });
        if ((await box.count()) > 0 && !(await box.isChecked())) await box.check();
      }
      await page.keyboard.press('Escape');
      for (const [title, value] of Object.entries(columns)) {
        const heads = await page
          .getByRole('columnheader')
          .evaluateAll((all) => all.map((h) => h.textContent?.trim() ?? ''));
        const at = heads.indexOf(title);
        expect([title, at >= 0]).toEqual([title, true]);
        const cell = row.locator('td').nth(at);
        const shown = async () => (await cell.innerText()).trim();
        if (value instanceof RegExp) await eventually(async () => expect(await shown()).toMatch(value));
        else await eventually(async () => expect(`${title}: ${await shown()}`).toContain(`: ${value}`));
      }
      // The lines include the account's status.
      await row.click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('row', { name: /7001-zz.*Registration failed/ }).waitFor();
      await page.keyboard.press('Escape');

      const filters = [
        choice('Status', /^Abnormal/, (d) => d.state === 'abnormal'),
        text('Name', 'Zz rec', (d) => d.name),
        text('MAC', '0c:38:3e:a2', (d) => d.mac.match(/../g)!.join(':')),
        text('Model', 'x7', (d) => d.model),
        text('SN', 'ZR-00', (d) => d.sn),
        choice('Site', /^Zz tower/, (d) => d.site?.name === 'Zz tower'),
        text('Firmware', '9.8.7', (d) => d.firmware),
        text('IP address', '10.99.', (d) => d.internalIp),
        text('Public IP', '127.0.0', (d) => d.publicIp),
        text('LTE module', 'ec200a-z', (d) => d.lte),
        hour('Last online', (d) => d.lastOnlineAt),
        hour('Last configured', (d) => d.lastConfigAt),
        choice('Do not disturb', /^On/, (d) => d.dnd === 'on'),
        choice('Connection', /^MQTT/, (d) => d.channel === 'mqtt'),
        choice('Certificate', /^Downloaded/, (d) => d.certificate === true),
        choice('Lines', 'Registration failed', (d) => d.lines.some((l) => l.status === 'failed')),
        text('Account', '7001-z', (d) => d.lines.map((l) => l.account).join(' ')),
      ];
      for (const { title, ask, meets } of filters) {
        await page.goto(`${platform.ready.url}/device/list?sort=-createdAt&limit=5`);
        await page.locator('main [data-id]').first().waitFor();
        await page.getByRole('button', { name: 'Add filter' }).click();
        await page.getByRole('menuitem', { name: title, exact: true }).click();
        await ask(page.getByRole('dialog', { name: title, exact: true }), page);
        await page.keyboard.press('Escape');
        const all = await everyDevice();
        const wanted = all.filter(meets);
        expect([title, wanted.some((d) => d.id === device.id), wanted.some((d) => d.id === never.device.id)]).toEqual([
          title,
          true,
          title === 'MAC',
        ]);
        await row.waitFor();
        await expect
          .poll(async () => [title, Number(await page.locator('main header h1 + span').first().innerText())])
          .toEqual([title, wanted.length]);
      }

      await page.goto(`${platform.ready.url}/device/list?search=Zz+record`);
      await say('state', { at: Date.now(), lines: [{ ...line, status: 'registered' }] });
      await state('Online');
      await client.endAsync();
      await state('Offline');
    } finally {
      await client?.endAsync().catch(() => {});
      await platform.call(deleteDevices, { query: { ids: [device.id, never.device.id] } });
      await platform.call(deleteSite, { query: { id: site.id } });
    }
  },
);
