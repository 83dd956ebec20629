// @module-tag slow
import { expect, it } from 'vitest';
import {
  addBaseline,
  addSite,
  cancelTask,
  deleteBaseline,
  deleteFirmware,
  deleteSite,
  editApprovalRule,
  getBaseline,
  listBaselines,
  listDevices,
  nouns,
  type NounDefinition,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { exampleOf } from '../../../../test/example.ts';

const product = useProduct();

it('baselines are added, edited, deleted and restored, and missing values are reported [STORE-07/page]', async () => {
  const { platform } = product;
  const noun: NounDefinition = nouns.find((n) => n.name === 'firmware')!;
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 1, sort: 'name' } })).records;
  const models = ['X7A', device!.model];
  const firmware = await exampleOf(
    { ...noun, example: { ...noun.example, name: 'Zz desk', version: '0.0.1', models } },
    platform,
  );
  const site = await platform.call(addSite, {
    body: { name: 'Zz base hall', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const { page } = await product.administrator('/task/baseline');
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.locator('[data-id]').filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const found = async () => (await platform.call(listBaselines, { query: { search: 'Zz' } })).records;
  try {
    await page.getByRole('button', { name: 'Add baseline' }).first().click();
    await dialog.getByRole('button', { name: 'Add baseline' }).click();
    for (const missing of ['Enter a name.', 'Choose a firmware.', 'Choose a model.'])
      await dialog.getByText(missing).waitFor();
    await dialog.getByLabel('Name').fill('Zz nights');
    await dialog.getByRole('combobox', { name: 'Firmware' }).fill('Zz desk');
    await page.getByRole('option', { name: 'Zz desk 0.0.1' }).click();
    await dialog.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'X7A', exact: true }).click();
    await dialog.getByLabel('From').fill('23:00');
    await dialog.getByLabel('To', { exact: true }).fill('23:00');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Seoul');
    await page.getByRole('option', { name: 'Asia/Seoul' }).click();
    await dialog.getByRole('button', { name: 'Add baseline' }).click();
    await dialog.getByText('Both times are the same.').waitFor();
    await dialog.getByLabel('To', { exact: true }).fill('04:30');
    await dialog.getByRole('button', { name: 'Add baseline' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz nights').getByText('Zz desk 0.0.1').waitFor();
    await row('Zz nights').getByText('23:00 – 04:30 Asia/Seoul').waitFor();
    expect(await found()).toMatchObject([
      {
        name: 'Zz nights',
        firmwareId: firmware.id,
        model: 'X7A',
        siteId: null,
        groupId: null,
        active: true,
        from: '23:00',
        to: '04:30',
        timeZone: 'Asia/Seoul',
      },
    ]);

    await act('Zz nights', 'Edit');
    await dialog.getByRole('combobox', { name: 'For' }).click();
    await page.getByRole('option', { name: 'Site' }).click();
    await dialog.getByRole('combobox', { name: 'Site' }).click();
    await page.getByRole('option', { name: 'Zz base hall' }).click();
    await dialog.getByText('Only in a window').click();
    await dialog.getByText('Active', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz nights').getByText('Zz base hall').waitFor();
    await row('Zz nights').getByText('Any time').waitFor();
    await row('Zz nights').getByText('Off', { exact: true }).waitFor();
    expect(await found()).toMatchObject([{ model: null, siteId: site.id, active: false, from: null, timeZone: null }]);

    // One device, which then shows the baseline on its page.
    await act('Zz nights', 'Edit');
    await dialog.getByRole('combobox', { name: 'For' }).click();
    await page.getByRole('option', { name: 'Device' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter the MAC address.').waitFor();
    await dialog.getByLabel('MAC address').fill('0c:38:3e:ff:ff:ff');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('No device of the company has this MAC address.').waitFor();
    await dialog.getByLabel('MAC address').fill(device!.mac);
    await dialog.getByText('Active', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz nights').getByText(device!.name, { exact: true }).waitFor();
    expect(await found()).toMatchObject([{ mac: device!.mac, device: { id: device!.id }, siteId: null, active: true }]);
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${device!.id}`);
    const facts = page.getByRole('complementary', { name: 'Details' });
    await facts.getByText('Zz nights 0.0.1 · Newer').waitFor();
    await facts.getByRole('link', { name: 'Zz nights' }).click();
    await page.getByRole('dialog', { name: 'Zz nights' }).waitFor();
    const ofDevice = '**/api/f/task/device/*/baseline';
    await page.route(ofDevice, (route) => route.fulfill({ status: 500 }));
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${device!.id}`);
    await facts.getByText('The baselines could not be loaded.').waitFor();
    await page.unroute(ofDevice);
    await page.goto(`${platform.ready.url}/task/baseline`);

    await act('Zz nights', 'Delete');
    await dialog.getByText('Devices no longer get its version').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('Zz nights').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Baseline Zz nights restored').waitFor();
    await row('Zz nights').waitFor();
  } finally {
    for (const { id } of await found()) await platform.call(deleteBaseline, { query: { id } });
    await platform.call(deleteSite, { query: { id: site.id } });
    await eventually(() => platform.call(deleteFirmware, { query: { id: firmware.id } }));
  }
});

it(
  'a baseline shows that its upgrades wait for approval, and asks again when its task was canceled',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { call } = platform;
    const [device] = (await call(listDevices, { query: { state: ['online'], limit: 1, sort: 'name' } })).records;
    const noun: NounDefinition = nouns.find((n) => n.name === 'firmware')!;
    const example = { ...noun.example, name: 'Zz asked', version: '999.5', models: [device!.model] };
    const firmware = await exampleOf({ ...noun, example }, platform);
    const { model } = device!;
    let id: string | undefined;
    try {
      await call(editApprovalRule, { body: { devices: 1, actions: ['firmwareUpgrade'] } });
      const body = { name: 'Zz asked', firmwareId: firmware.id, model, siteId: null, groupId: null, active: true };
      id = (await eventually(() => call(addBaseline, { body: { ...body, from: null, to: null, timeZone: null } }))).id;
      const approvalOf = async () => (await call(getBaseline, { params: { id: id! } })).approval;
      const { page } = await product.administrator('/task/baseline');
      const row = page.locator(`[data-id="${id}"]`);
      await row.getByRole('link', { name: 'Waits for approval' }).click();
      await page.getByText('You created this task. It starts after someone else approves it.').waitFor();
      const asked = (await approvalOf())!;
      expect(asked).toMatchObject({ state: 'asked' });

      await page.goto(`${platform.ready.url}/task/baseline?baseline=${id}`);
      const note = page.getByRole('note');
      await note.getByText(/^These upgrades have been waiting for approval since/).waitFor();
      await call(cancelTask, { params: { id: asked.taskId } });
      await note.getByText(/^The task was canceled before it started/).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('form').getByRole('button', { name: 'Try again' }).click();
      await note.getByText(/^These upgrades have been waiting for approval since/).waitFor();
      const again = (await approvalOf())!;
      expect(again.taskNumber).toBeGreaterThan(asked.taskNumber);
      await note.getByRole('link', { name: `Task ${again.taskNumber}` }).click();
      await page.getByText('You created this task. It starts after someone else approves it.').waitFor();
      await expect.poll(() => page.url()).not.toContain('baseline=');
    } finally {
      if (id) await call(deleteBaseline, { query: { id } });
      await call(editApprovalRule, { body: { devices: null, actions: [] } });
      await eventually(() => call(deleteFirmware, { query: { id: firmware.id } }));
    }
  },
);
