import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mqtt from 'mqtt';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import {
  addChannelOrder,
  addDevice,
  createClient,
  deleteChannelOrders,
  listChannelOrders,
  listDevices,
  listOrderChannels,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { addActiveChannel, devicePlace, eventually, placeServer, rowsOfSheet, sheetFile } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const folder = mkdtempSync('/tmp/carillon-orders-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stamp = Date.now().toString(36);
const macOf = (block: number, n: number) =>
  `0c38${(Date.now() % 0xffff).toString(16).padStart(4, '0')}${block}${n.toString(16).padStart(3, '0')}`;
const shown = (mac: string) => mac.toUpperCase().match(/../g)!.join(':');

/** Adds a channel below the operator's company, whose account can log in. */
async function channel(name: string) {
  const { call } = product.platform;
  const made = await addActiveChannel(call, name, `${name.toLowerCase().replaceAll(' ', '.')}.chief`);
  await eventually(async () => {
    expect((await call(listOrderChannels, {})).map((c) => c.id)).toContain(made.id);
  });
  return made;
}

/** Imports a file through the page. */
async function importSheet(page: Page, name: string, rows: unknown[][], count: number): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, sheetFile(rows, name.endsWith('.xls') ? 'biff8' : 'xlsx'));
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import channel orders' });
  await dialog.locator('input[type=file]').setInputFiles(path);
  await dialog.getByRole('button', { name: `Import ${count} rows` }).click();
  await dialog.getByText(`${count} rows imported`, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
}
const row = (page: Page, mac: string) => page.locator('tr[data-id]').filter({ hasText: shown(mac) });
const act = async (page: Page, mac: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${shown(mac)}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};
/** Returns the cells of a MAC's row by column title. */
async function cells(page: Page, mac: string): Promise<Record<string, string>> {
  const titles = (await page.locator('thead th').allInnerTexts()).map((text) => text.trim());
  const texts = (await row(page, mac).locator('td').allInnerTexts()).map((text) => text.trim());
  return Object.fromEntries(titles.map((title, n) => [title, texts[n]!] as const).filter(([title]) => title !== ''));
}

/** Adds columns to the list. */
async function showColumns(page: Page, ...titles: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  for (const title of titles)
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel(title, { exact: true }).check();
  await page.keyboard.press('Escape');
}

it('a reseller imports MACs, assigns them, creates devices and takes lines back [CHN-03]', async () => {
  const { platform } = product;
  await channel(`Harbor ${stamp}`);
  const clinic = await channel(`Clinic ${stamp}`);
  const order = `PO ${stamp}`;
  const macs = Array.from({ length: 8 }, (_, n) => macOf(1, n));
  const { page } = await product.administrator('/channel/allocatedList');
  await importSheet(
    page,
    'order.xlsx',
    [['MAC', 'Model', 'Order'], ...macs.slice(0, 5).map((m) => [m, 'X7A', order])],
    5,
  );
  await importSheet(
    page,
    'order.xls',
    [['MAC', 'Model', 'Order'], ...macs.slice(5).map((m) => [shown(m), 'X6U', order])],
    3,
  );
  const list = async (query = '') => {
    await page.goto(`/channel/allocatedList?search=${encodeURIComponent(order)}${query}`);
    await page.locator('tr[data-id]').first().waitFor();
  };
  await list();
  await showColumns(page, 'Source', 'Assign time');
  expect(await page.locator('tr[data-id]').count()).toBe(8);
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  for (const [mac, model] of [
    [macs[0]!, 'X7A'],
    [macs[7]!, 'X6U'],
  ] as const)
    expect(await cells(page, mac)).toMatchObject({
      MAC: shown(mac),
      Model: model,
      Order: order,
      Status: 'Unassigned',
      Company: '–',
      Source: 'Import',
      'In time': expect.stringMatching(time),
      'Assign time': '–',
    });

  // By number, on the page of allocation: two X7A of this order go to the harbor.
  await page.getByRole('link', { name: 'Assign to channel' }).click();
  await page.waitForURL('**/channel/allocatedSubChannel');
  await page.getByRole('button', { name: 'Assign to channel', exact: true }).click();
  await page.getByText('Choose a channel.').waitFor();
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await choose('Channel', `Harbor ${stamp}`);
  await choose('From stock', `X7A · ${order}: 5 free`);
  await page.getByLabel('Number of devices').fill('6');
  await page.getByRole('button', { name: 'Assign 6 devices' }).click();
  await page.getByText('Only 5 free devices match.').waitFor();
  await page.getByLabel('Number of devices').fill('2');
  await page.getByRole('button', { name: 'Assign 2 devices' }).click();
  await page.getByText(`2 devices assigned to Harbor ${stamp}`).waitFor();
  await page.waitForURL('**/channel/allocatedList*');
  await page.locator('tr[data-id]').first().waitFor();
  expect(await page.locator('tr[data-id]').count()).toBe(2);
  expect(await cells(page, macs[0]!)).toMatchObject({
    Status: 'Assigned',
    Company: `Harbor ${stamp}`,
    'Assign time': expect.stringMatching(time),
  });

  // By MAC, with the channel in the address, and then by a selection of the list.
  await page.goto(`/channel/allocatedSubChannel?channel=${clinic.id}`);
  await page.getByText('By MAC', { exact: true }).click();
  await page.getByLabel('MACs, one per line').fill(`${shown(macs[5]!)}\n${macs[6]!}`);
  await page.getByRole('button', { name: 'Assign 2 devices' }).click();
  await page.getByText(`2 devices assigned to Clinic ${stamp}`).waitFor();
  await list('&status=unassigned');
  for (const mac of [macs[2]!, macs[7]!]) await row(page, mac).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign to channel', exact: true }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Assign to channel' });
  await dialog.getByText('2 selected devices').waitFor();
  await dialog.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: `Clinic ${stamp}` }).click();
  await dialog.getByRole('button', { name: 'Assign 2 devices' }).click();
  await dialog.waitFor({ state: 'detached' });

  // Counts per channel; each number links to its lines.
  await page.getByRole('link', { name: `Clinic ${stamp} 4` }).click();
  await row(page, macs[6]!).waitFor();
  expect(await page.locator('tr[data-id]').count()).toBe(4);

  // The channel makes devices of its lines, and gets their secrets in a file once.
  const authorization = `bearer ${await logIn({ ...platform.ready, admin: clinic })}`;
  const own = createClient({ baseUrl: platform.ready.url, headers: () => ({ 'carillon-auth': authorization }) });
  await devicePlace(own);
  const { page: chief } = await product.loggedIn('/channel/allocatedList', clinic);
  await row(chief, macs[5]!).waitFor();
  await showColumns(chief, 'Source');
  expect(await chief.locator('tr[data-id]').count()).toBe(4);
  expect(await cells(chief, macs[5]!)).toMatchObject({ Status: 'Unassigned', Source: 'Company above', Order: '–' });
  await chief.getByRole('link', { name: 'Make devices' }).click();
  await chief.waitForURL('**/channel/importToDevice');
  await chief.getByText('By MAC', { exact: true }).click();
  await chief.getByLabel('MACs, one per line').fill(`${macs[5]!} ${macs[6]!}`);
  await chief.getByLabel('Name').fill('Ward {n}');
  // The only SIP server is chosen.
  await expect.poll(() => chief.getByLabel('SIP server').first().inputValue()).toContain(placeServer);
  await chief.getByRole('button', { name: 'Make 2 devices', exact: true }).click();
  await chief.getByText('2 devices made').waitFor();
  const [file] = await Promise.all([
    chief.waitForEvent('download'),
    chief.getByRole('button', { name: 'Download secrets' }).click(),
  ]);
  const rows = rowsOfSheet(readFileSync(await file.path()));
  expect(rows[0]).toEqual(['MAC', 'Name', 'Model', 'Secret', 'Server address', 'Port', 'Encryption']);
  expect(rows.slice(1).map((r) => r.slice(0, 3))).toEqual([
    [shown(macs[5]!), 'Ward 1', 'X6U'],
    [shown(macs[6]!), 'Ward 2', 'X6U'],
  ]);
  const { hostname, port } = new URL(platform.ready.mqtt);
  for (const [, , , secret, ...connect] of rows.slice(1)) {
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(connect).toEqual([hostname, Number(port), 'Off']);
  }
  const made = (await own(listDevices, { query: { search: 'Ward' } })).records;
  expect(made.map((device) => device.server?.name)).toEqual([placeServer, placeServer]);
  await chief.getByRole('link', { name: 'Show devices' }).click();
  await chief.getByText('Ward 2').waitFor();

  // The devices that were taken back are gone for the channel and free for the reseller; the line shows its steps.
  await list();
  await act(page, macs[5]!, 'Take back');
  const ask = page.getByRole('dialog', { name: `Take ${shown(macs[5]!)} back` });
  await ask.getByText('Those that were in use are reset if they can do it').waitFor();
  await ask.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('1 device taken back').waitFor();
  await eventually(async () =>
    expect(await cells(page, macs[5]!)).toMatchObject({ Status: 'Unassigned', Company: '–' }),
  );
  await chief.getByText('Ward 1').waitFor({ state: 'detached' });
  await row(page, macs[5]!).click();
  const drawer = page.getByRole('dialog', { name: shown(macs[5]!) });
  await drawer.getByText(`Taken back from Clinic ${stamp}`).waitFor();
  await drawer.getByText(`Assigned to Clinic ${stamp}`).waitFor();
  await page.keyboard.press('Escape');
  await list('&status=assigned');
  await page.getByRole('checkbox', { name: /all/i }).first().check();
  await page.getByRole('button', { name: 'Take back' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await page.getByText('5 devices taken back').waitFor();
  expect((await platform.call(listChannelOrders, { query: { order: [order], status: ['assigned'] } })).total).toBe(0);
}, 900_000);

it('a line is added with a model of the list, and an unknown model is refused [CHN-03/model]', async () => {
  const mac = macOf(3, 0);
  const { page } = await product.administrator('/channel/allocatedList');
  const path = join(folder, 'unknown.xlsx');
  writeFileSync(
    path,
    sheetFile([
      ['MAC', 'Model', 'Order'],
      [macOf(3, 1), 'zzz', ''],
    ]),
  );
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Import channel orders' });
  await sheet.locator('input[type=file]').setInputFiles(path);
  await sheet.getByText('This model isn’t in the list of models.').waitFor();
  await sheet.getByRole('button', { name: 'Discard' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add MAC', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Add MAC' });
  await dialog.getByLabel('MAC').fill(mac);
  await dialog.getByRole('button', { name: 'Add MAC' }).click();
  await dialog.getByText('Choose a model').waitFor();
  await dialog.getByRole('combobox', { name: 'Model' }).fill('X6');
  await page.getByRole('option', { name: 'Fanvil X6U', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add MAC' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { records } = await product.platform.call(listChannelOrders, { query: { mac: [mac] } });
  expect(records.map((line) => line.model)).toEqual(['X6U']);
  await product.platform.call(deleteChannelOrders, { query: { ids: records.map((line) => line.id) } });
});

it('a chosen stock stays chosen with nothing free when someone else takes it', async () => {
  const { platform } = product;
  const order = `Rest ${stamp}`;
  const macs = [macOf(4, 0), macOf(4, 1)];
  for (const mac of macs) await platform.call(addChannelOrder, { body: { mac, model: 'X7A', order } });
  const { page } = await product.administrator('/channel/importToDevice');
  const stock = page.getByRole('combobox', { name: 'From stock' });
  await stock.click();
  await page.getByRole('option', { name: `X7A · ${order}: 2 free` }).click();
  await page.getByRole('button', { name: 'Make 2 devices', exact: true }).waitFor();
  const { records } = await platform.call(listChannelOrders, { query: { order: [order] } });
  await platform.call(deleteChannelOrders, { query: { ids: records.map((line) => line.id) } });
  await expect.poll(() => stock.inputValue()).toBe(`X7A · ${order}: 0 free`);
});

it('one device and a selection are assigned to a channel and leave the device list [DEV-05/channel]', async () => {
  const { platform } = product;
  const name = `Rail ${stamp}`;
  const rail = await channel(name);
  const macs = [macOf(2, 0), macOf(2, 1), macOf(2, 2)];
  const place = await devicePlace(platform.call);
  for (const [n, mac] of macs.entries())
    await platform.call(addDevice, {
      body: { mac, name: `Platform ${stamp} ${n}`, model: 'X7A', sn: `S${n}`, ...place },
    });
  const { page } = await product.administrator('/device/list');
  await page.goto(`/device/list?search=${encodeURIComponent(`Platform ${stamp}`)}`);
  await page.getByRole('button', { name: `Actions for Platform ${stamp} 0`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Assign to channel', exact: true }).click();
  const choose = async () => {
    await page.getByRole('dialog').getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Assign to channel' }).click();
  };
  await choose();
  await page.getByText(`1 device assigned to ${name}`).waitFor();
  await page.getByText(`Platform ${stamp} 0`).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: /all/i }).first().check();
  await page.getByRole('button', { name: 'Assign to channel' }).click();
  await choose();
  await page.getByText(`2 devices assigned to ${name}`).waitFor();
  expect((await platform.call(listDevices, { query: { search: `Platform ${stamp}` } })).total).toBe(0);
  const { records } = await platform.call(listChannelOrders, { query: { company: [rail.id] } });
  expect(records.map((o) => [o.source, o.status]).toSorted()).toEqual(macs.map(() => ['device', 'assigned']));
  await platform.call(takeBackChannelOrders, { body: { target: { macs }, confirmed: true } });
}, 900_000);

it('a used phone is reset with its old secret, unless it is handed over as it is [CHN-04/reset]', async () => {
  const { platform } = product;
  const name = `Reset ${stamp}`;
  await channel(name);
  const mac = macOf(3, 0);
  const added = await platform.call(addDevice, {
    body: { mac, name: `Used ${stamp}`, model: 'X7A', sn: 'S1', ...(await devicePlace(platform.call)) },
  });
  const connect = () =>
    mqtt.connectAsync(platform.ready.mqtt, {
      clientId: mac,
      username: mac,
      password: added.secret,
      reconnectPeriod: 0,
    });
  const hello = (client: mqtt.MqttClient) =>
    client.publishAsync(
      `d/${mac}/hello`,
      JSON.stringify({
        model: 'X7A',
        sn: 'S1',
        firmware: '1.0',
        ip: '10.0.0.7',
        uptime: 60,
        boot: 'reconnect',
        capabilities: ['factoryReset'],
      }),
      { qos: 1 },
    );
  const first = await eventually(connect);
  await hello(first);
  await eventually(async () => {
    const { records } = await platform.call(listDevices, { query: { mac: [mac] } });
    expect(records[0]!.capabilities).toEqual(['factoryReset']);
  });
  const { page } = await product.administrator('/device/list');
  await page.goto(`/device/list?search=${encodeURIComponent(`Used ${stamp}`)}`);
  await page.getByRole('button', { name: `Actions for Used ${stamp}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Assign to channel', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name }).click();
  await dialog.getByRole('button', { name: 'Assign to channel' }).click();
  await dialog.getByText('1 of the chosen devices was in use', { exact: false }).waitFor();
  expect(await dialog.getByRole('radio', { name: 'Reset them to factory settings' }).isChecked()).toBe(true);
  await dialog.getByRole('radio', { name: 'Hand them over as they are' }).waitFor();
  await dialog.getByRole('button', { name: 'Assign to channel' }).click();
  await page.getByText(`1 device assigned to ${name}`).waitFor();
  const again = await eventually(connect);
  const commands: string[] = [];
  again.on('message', (_topic, payload) =>
    commands.push((JSON.parse(payload.toString()) as { action: string }).action),
  );
  await again.subscribeAsync(`d/${mac}/command`, { qos: 1 });
  await hello(again);
  await eventually(() => expect(commands).toEqual(['welcome', 'factoryReset']));
  for (const client of [first, again]) client.end(true);
  await platform.call(takeBackChannelOrders, { body: { target: { macs: [mac] }, confirmed: true } });
});
