import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addConfigFile,
  addDeviceGroup,
  addSite,
  deleteConfigFile,
  deleteDeviceGroup,
  deleteDevices,
  deleteSite,
  getDevice,
  listTaskDevices,
  listTasks,
  nouns,
  stopTask,
  type DeviceRecord,
  type RouteOutput,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';
import { uploadOf } from '../../../../test/example.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
/** A new one for each test, so that events of an earlier test's device do not matter. */
let mac: string;
type ConfigFile = RouteOutput<typeof addConfigFile>;

let device: DeviceRecord;
let client: ConfigDevice['client'];
let commands: ConfigDevice['commands'] = [];
let held: ConfigDevice['held'] = [];
let made: (() => Promise<unknown>)[] = [];
let serial = 0;

beforeEach(async () => {
  const { platform } = product;
  made = [];
  mac = `0c383ea4d0c${++serial}`;
  const named = { mac, name: `Zz config ${stamp} ${serial}`, model: 'X7A' };
  const rejected = [{ key: 'account.9.fax', code: 'unknown' }];
  ({ device, client, commands, held } = await configDevice(platform, { ...named, rejected }));
  expect((await platform.call(getDevice, { params: { id: device.id } })).state).toBe('notConfigured');
});
afterEach(async () => {
  const { platform } = product;
  await client.endAsync().catch(() => undefined);
  const { records } = await platform.call(listTasks, { query: { search: stamp, limit: 200 } });
  for (const { id, endedAt } of records)
    if (endedAt === null) await platform.call(stopTask, { params: { id } }).catch(() => undefined);
  await platform.call(deleteDevices, { query: { ids: [device.id] } });
  // The store learns of the end of a task a moment later.
  for (const undo of made.toReversed()) await eventually(undo);
});

async function file(name: string, text: string, models: string[] = []): Promise<ConfigFile> {
  const { platform } = product;
  const upload = await uploadOf(
    nouns.find((n) => n.name === 'configFile')!,
    { name: `${name}.cfg`, text },
    platform,
  );
  const added = await platform.call(addConfigFile, {
    body: { name: `Zz ${name} ${stamp}`, description: '', models, upload },
  });
  made.push(() => platform.call(deleteConfigFile, { query: { id: added.id } }));
  return added;
}
const versionOf = ({ id }: ConfigFile) => `${id.slice(-12)}.1`;
const choose = async (page: Page, { name }: ConfigFile, nth = 0) => {
  await page.getByPlaceholder('Name, model, file or description').nth(nth).fill(name);
  await page.getByRole('option', { name }).click();
};
const rows = async (name: string) => {
  const { records } = await product.platform.call(listTasks, { query: { search: name } });
  return (await product.platform.call(listTaskDevices, { params: { id: records[0]!.id }, query: {} })).records;
};

it('a configuration is pushed and loaded, and what the device rejected is shown [DEV-06]', async () => {
  const files = [await file('list', 'a = 1\n'), await file('detail', 'a = 2\n')];
  const { page } = await product.administrator(`/device/list?search=${mac}`);
  for (const [n, place] of (['list', 'detail'] as const).entries()) {
    if (place === 'list') {
      await page.locator('[data-id] button[aria-haspopup=menu]').first().click();
      await page.getByRole('menuitem', { name: 'Push configuration', exact: true }).click();
    } else {
      await page.goto(`/device/deviceDetail?id=${device.id}`);
      await page.locator('header').getByRole('button', { name: 'Push configuration', exact: true }).click();
    }
    const dialog = page.getByRole('dialog').filter({ has: page.locator('form') });
    const begin = dialog.getByRole('button', { name: 'Push configuration', exact: true });
    // There is one file, but it is not chosen automatically. Files by model, site or group are chosen on the page only.
    await dialog.getByRole('combobox', { name: 'Which file' }).click();
    expect(await page.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual([
      'One file for all devices',
      'Each device’s settings from the templates',
    ]);
    await page.keyboard.press('Escape');
    await begin.click();
    await dialog.getByText('Choose a configuration file.').waitFor();
    await choose(page, files[n]!);
    await dialog.getByText(`Version 1 · Any model · ${place}.cfg`).waitFor();
    await begin.click();
    await page.getByText('Not accepted: account.9.fax').first().waitFor();
    expect(held[n]).toEqual([versionOf(files[n]!), `a = ${n + 1}\n`]);
    expect(commands[n]!.args.mode).toBe('merge');
    await eventually(async () =>
      expect(await product.platform.call(getDevice, { params: { id: device.id } })).toMatchObject({
        state: 'online',
        configVersion: versionOf(files[n]!),
      }),
    );
    await page.keyboard.press('Escape');
  }
});

it('a configuration file leads to a task that sends it, whose review describes it', { tags: 'slow' }, async () => {
  const one = await file('row', 'a = 1\n', ['X7A']);
  const { page } = await product.administrator(`/resources/configFiles?search=${stamp}`);
  await page
    .locator(`[data-id="${one.id}"]`)
    .getByRole('button', { name: /^Actions for / })
    .click();
  await page.getByRole('menuitem', { name: 'Send to devices', exact: true }).click();
  await page.waitForURL(`**/task/addTask?action=configUpdate&file=${one.id}`);
  const choice = page.getByRole('combobox', { name: 'Configuration file', exact: true });
  await expect.poll(() => choice.inputValue()).toBe(one.name);
  await page.getByRole('combobox', { name: 'Existing settings' }).click();
  await page.getByRole('option', { name: 'Remove settings that are not in the file' }).click();
  await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(mac);
  await page.getByRole('button', { name: 'Review' }).click();
  const fact = (name: string) => page.locator('dl div').filter({ hasText: name });
  await fact('Which file').getByText('One file for all devices').waitFor();
  await fact('Configuration file').getByText(one.name, { exact: true }).waitFor();
  await fact('Existing settings').getByText('Remove settings that are not in the file').waitFor();
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.getByText('Not accepted: account.9.fax').first().waitFor();
  expect(commands.map(({ args }) => args.mode)).toEqual(['replace']);
});

it('files are assigned by model, site or group, and devices without a file are named', { tags: 'slow' }, async () => {
  const { call } = product.platform;
  const [one, two] = [await file('one', 'a = 1\n'), await file('two', 'a = 2\n')];
  const site = await call(addSite, {
    body: { name: `Zz site ${stamp}`, parentId: null, description: '', segments: '', autoAssign: false },
  });
  made.push(() => call(deleteSite, { query: { id: site.id } }));
  const group = await call(addDeviceGroup, { body: { name: `Zz group ${stamp}`, description: '' } });
  made.push(() => call(deleteDeviceGroup, { query: { id: group.id } }));
  const { page } = await product.administrator('/task/addTask?action=configUpdate');
  const table = page.getByRole('group', { name: 'Configuration files', exact: true });
  const pick = async (box: string, nth: number, option: string) => {
    await table.getByRole('combobox', { name: box, exact: true }).nth(nth).click();
    // A group is shown with its organization.
    await page.getByRole('option', { name: new RegExp(`^${option}( · |$)`) }).click();
  };
  const way = async (name: string) => {
    await page.getByRole('combobox', { name: 'Which file' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(mac);
  for (const [by, box, other, reason] of [
    ['By site', 'Site', `Zz site ${stamp}`, 'No file for its site'],
    ['By group', 'Group', `Zz group ${stamp}`, 'No file for its groups'],
  ] as const) {
    await way(by);
    await page.getByRole('button', { name: 'Review' }).click();
    await table.getByText(`Choose a ${box.toLowerCase()} and a file in each row.`).waitFor();
    await eventually(() => pick(box, 0, other));
    await choose(page, one);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText(`${reason} · 1`).waitFor();
    await page
      .locator('dl li')
      .filter({ hasText: other })
      .filter({ hasText: `: ${one.name}` })
      .waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
  }
  await way('By model');
  await pick('Model', 0, 'X6U');
  await choose(page, one, 0);
  await table.getByRole('button', { name: 'Add model' }).click();
  // A model can be chosen only once.
  await table.getByRole('combobox', { name: 'Model', exact: true }).nth(1).click();
  expect(await page.getByRole('option', { name: 'X6U', exact: true }).count()).toBe(0);
  await page.getByRole('option', { name: 'X7A', exact: true }).click();
  await choose(page, two, 1);
  await page.getByLabel('Name', { exact: true }).fill(`Zz by model ${stamp}`);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText(`X7A: ${two.name}`).waitFor();
  const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/api/f/task/task'));
  await page.getByRole('button', { name: 'Create task' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    params: {
      by: 'model',
      pairs: [
        { of: 'X6U', configFileId: one.id },
        { of: 'X7A', configFileId: two.id },
      ],
    },
  });
  const drawer = page.getByRole('dialog');
  await drawer.getByText(`${two.name} 1`, { exact: true }).waitFor();
  await drawer.getByText('Not accepted: account.9.fax').waitFor();
  expect(held).toEqual([[versionOf(two), 'a = 2\n']]);
  expect((await rows(`Zz by model ${stamp}`)).map((r) => r.status)).toEqual(['success']);

  // A copy of the task has its table filled in.
  await drawer
    .getByRole('link', { name: 'Copy' })
    .or(drawer.getByRole('button', { name: 'Copy' }))
    .click();
  await page.waitForURL('**/task/addTask?copy=*');
  await expect
    .poll(() => table.getByRole('combobox', { name: 'File', exact: true }).nth(1).inputValue())
    .toBe(two.name);
  expect(await table.getByRole('combobox', { name: 'Model', exact: true }).nth(0).inputValue()).toBe('X6U');
});
