// @module-tag slow
import { afterEach, expect, it } from 'vitest';
import {
  addFirmware,
  addResourceFile,
  deleteFirmware,
  deleteResourceFile,
  listDevices,
  listFirmware,
  type RouteOutput,
} from '@carillon/contracts';
import { nouns } from '@carillon/contracts';
import { uploadOf } from '../../../../test/example.ts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
type Firmware = RouteOutput<typeof listFirmware>['records'][number];
let made: Firmware[] = [];
afterEach(async () => {
  for (const { id } of made) await product.platform.call(deleteFirmware, { query: { id } });
  made = [];
});

async function firmware(name: string, version: string, models: string[]): Promise<Firmware> {
  const { platform } = product;
  const upload = await uploadOf(
    nouns.find((n) => n.name === 'firmware')!,
    { name: 'zz.bin', text: '\0\x01\x02' },
    platform,
  );
  const body = { name, version, models, description: '', notice: { whom: 'nobody', at: null } as const, upload };
  const added = await platform.call(addFirmware, { body });
  made.push(added);
  return added;
}

it('firmware for an upgrade is found by name, version or model, and named in the review', async () => {
  const { platform } = product;
  const [desk, door] = [`Zz choice desk ${stamp}`, `Zz choice door ${stamp}`];
  await firmware(desk, '9.4.10', ['X7A', 'X6U']);
  await firmware(desk, '9.4.9', ['X7A']);
  await firmware(door, '9.8.1', [`i16${stamp}`]);
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 1 } })).records;
  const { page } = await product.administrator('/task/addTask');
  await page.getByRole('combobox', { name: 'Action', exact: true }).click();
  await page.getByRole('option', { name: 'Firmware upgrade', exact: true }).click();
  await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(device!.mac);
  // No file is chosen automatically.
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('Choose a firmware.').waitFor();

  const choice = page.getByRole('combobox', { name: 'Firmware', exact: true });
  const options = () => page.getByRole('option').allInnerTexts();
  await choice.fill(`i16${stamp}`);
  await expect.poll(options).toEqual([expect.stringContaining(`${door} 9.8.1`)]);
  await choice.fill(desk);
  await expect.poll(async () => (await options()).length).toBe(2);
  const option = page.getByRole('option', { name: `${desk} 9.4.10` });
  expect(await option.innerText()).toMatch(/Mine · X7A, X6U$/);
  await option.click();
  await expect.poll(() => choice.inputValue()).toBe(`${desk} 9.4.10`);
  await page.locator('main').getByText('Mine · X7A, X6U').waitFor();
  await page.getByText('Choose a firmware.').waitFor({ state: 'detached' });
  // The chosen name is not a search, so the other files stay available.
  await choice.click();
  await expect.poll(async () => (await options()).length).toBeGreaterThan(2);
  await page.keyboard.press('Escape');

  const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().includes('/task/preview'));
  await page.getByRole('button', { name: 'Review' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    action: 'firmwareUpgrade',
    params: { firmwareId: made[0]!.id, differential: true, downgrade: false, whenIdle: true },
  });
  await page.getByRole('heading', { name: /^Review Firmware upgrade/ }).waitFor();
  await page.locator('dl div').filter({ hasText: 'Firmware' }).getByText(`${desk} 9.4.10`, { exact: true }).waitFor();
});

it('firmware leads to an upgrade task with it, also by URL and after a reload', async () => {
  const name = `Zz choice drawer ${stamp}`;
  const { id } = await firmware(name, '9.1.0', ['X7A']);
  const { page } = await product.administrator(
    `/resources/firmwares?firmware=${id}&search=${name.replaceAll(' ', '+')}`,
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade devices' }).click();
  await page.waitForURL(`**/task/addTask?action=firmwareUpgrade&file=${id}`);
  const choice = page.getByRole('combobox', { name: 'Firmware', exact: true });
  await expect.poll(() => choice.inputValue()).toBe(`${name} 9.1.0`);
  await page.reload();
  await expect.poll(() => choice.inputValue()).toBe(`${name} 9.1.0`);
  expect(await page.getByRole('combobox', { name: 'Action', exact: true }).inputValue()).toBe('Firmware upgrade');
});

it('a resource file leads to a task that sends it, is found by its details, and named in the review', async () => {
  const { platform } = product;
  const noun = nouns.find((n) => n.name === 'resourceFile')!;
  const addRecord = async (name: string, type: 'ringtone' | 'image', files: readonly string[]) => {
    const uploads: string[] = [];
    for (const file of files) uploads.push(await uploadOf(noun, { name: file, text: 'words' }, platform));
    return platform.call(addResourceFile, { body: { name, type, description: `For ${stamp}`, uploads } });
  };
  const [bells, logo] = [`Zz choice bells ${stamp}`, `Zz choice logo ${stamp}`];
  const added = [
    await addRecord(bells, 'ringtone', [`long${stamp}.txt`, 'short.txt']),
    await addRecord(logo, 'image', ['logo.txt']),
  ] as const;
  try {
    const list = `/resources/fileLists?search=${stamp}`;
    const { page } = await product.administrator(list);
    await page
      .locator(`[data-id="${added[1].id}"]`)
      .getByRole('button', { name: /^Actions for / })
      .click();
    await page.getByRole('menuitem', { name: 'Send to devices', exact: true }).click();
    await page.waitForURL(`**/task/addTask?action=resourceUpgrade&file=${added[1].id}`);
    const choice = page.getByRole('combobox', { name: 'Resource file', exact: true });
    await expect.poll(() => choice.inputValue()).toBe(logo);
    await page.goto(`${list}&resource=${added[0].id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Send to devices' }).click();
    await expect.poll(() => choice.inputValue()).toBe(bells);
    await page.reload();
    await expect.poll(() => choice.inputValue()).toBe(bells);
    await page.locator('main').getByText(`Ringtone · long${stamp}.txt, short.txt`).waitFor();

    // Another one, found by its contents; it is not chosen automatically.
    await page.goto('/task/addTask?action=resourceUpgrade');
    const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 1 } })).records;
    await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(device!.mac);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Choose a resource file.').waitFor();
    await choice.fill(`long${stamp}`);
    const option = page.getByRole('option');
    await expect.poll(() => option.allInnerTexts()).toEqual([expect.stringContaining(bells)]);
    await option.click();
    await page.getByText('Choose a resource file.').waitFor({ state: 'detached' });
    const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().includes('/task/preview'));
    await page.getByRole('button', { name: 'Review' }).click();
    expect((await sent).postDataJSON()).toMatchObject({
      action: 'resourceUpgrade',
      params: { resourceFileId: added[0].id },
    });
    await page.getByRole('heading', { name: /^Review Resource upgrade/ }).waitFor();
    await page.locator('dl div').filter({ hasText: 'Resource file' }).getByText(bells, { exact: true }).waitFor();
  } finally {
    for (const { id } of added) await platform.call(deleteResourceFile, { query: { id } });
  }
});

it('a device list offers the upgrade for a row and a selection, and asks for the firmware first', async () => {
  const name = `Zz choice row ${stamp}`;
  await firmware(name, '9.2.0', ['X7A']);
  const { page } = await product.administrator('/device/list?state=online');
  const sent: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'POST' && r.url().includes('/api/f/task/')) sent.push(r.url());
  });
  await page
    .locator('[data-id]')
    .first()
    .getByRole('button', { name: /^Actions for / })
    .click();
  await page.getByRole('menuitem', { name: 'Firmware upgrade', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Firmware upgrade', exact: true }).click();
  await dialog.getByText('Choose a firmware.').waitFor();
  expect(sent).toEqual([]);
  await dialog.getByRole('combobox', { name: 'Firmware', exact: true }).fill(name);
  await page.getByRole('option', { name: `${name} 9.2.0` }).click();
  await dialog.getByText('Choose a firmware.').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.locator('[data-id] input[type=checkbox]').first().click();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Firmware upgrade', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Firmware', exact: true }).waitFor();
  // The page continues with the choice.
  await dialog.getByRole('combobox', { name: 'Firmware', exact: true }).fill(name);
  await page.getByRole('option', { name: `${name} 9.2.0` }).click();
  await dialog.getByRole('button', { name: 'More options' }).click();
  await page.waitForURL('**/task/addTask?draft=*');
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Firmware', exact: true }).inputValue())
    .toBe(`${name} 9.2.0`);
});
