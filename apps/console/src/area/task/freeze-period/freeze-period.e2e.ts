// @module-tag slow
import { expect, it } from 'vitest';
import {
  addSite,
  addTask,
  deleteFreezePeriod,
  deleteSite,
  listDevices,
  listFreezePeriods,
  placeDevices,
  previewTask,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const local = (fromNow: number): string => new Date(Date.now() + fromNow * 60_000).toISOString().slice(0, 16);

it('freeze periods are added, edited, deleted and restored, with faults at their fields [TASK-12/page]', async () => {
  const { platform } = product;
  const site = await platform.call(addSite, {
    body: { name: 'Zz frozen hall', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const { page } = await product.administrator('/task/freezePeriod');
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.locator('[data-id]').filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const ids: string[] = [];
  try {
    await page.getByRole('button', { name: 'Add freeze period' }).first().click();
    await dialog.getByRole('button', { name: 'Add freeze period' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByText('Enter when it ends.').waitFor();
    await dialog.getByLabel('Name').fill('Zz fair');
    await dialog.getByLabel('Begins').fill('2031-05-02T08:00');
    await dialog.getByLabel('Ends').fill('2031-05-02T08:00');
    await dialog.getByRole('button', { name: 'Add freeze period' }).click();
    await dialog.getByText('The end must be later than the beginning.').waitFor();
    await dialog.getByLabel('Ends').fill('2031-05-06T18:00');
    await dialog.getByRole('combobox', { name: 'Sites' }).click();
    await page.getByRole('option', { name: 'Zz frozen hall' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Seoul');
    await page.getByRole('option', { name: 'Asia/Seoul' }).click();
    await dialog.getByRole('button', { name: 'Add freeze period' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Zz fair').getByText('Zz frozen hall').waitFor();
    await row('Zz fair').getByText('Planned').waitFor();
    const { records } = await platform.call(listFreezePeriods, { query: { search: 'Zz fair' } });
    ids.push(records[0]!.id);
    expect(records[0]).toMatchObject({
      siteIds: [site.id],
      begin: '2031-05-02T08:00',
      end: '2031-05-06T18:00',
      timeZone: 'Asia/Seoul',
      beginsAt: '2031-05-01T23:00:00.000Z',
    });
    await act('Zz fair', 'Edit');
    await dialog.getByLabel('Name').fill('Zz congress');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('Zz congress').waitFor();
    await act('Zz congress', 'Delete');
    await dialog.getByText('It will hold no task.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('Zz congress').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Freeze period Zz congress restored').waitFor();
    await row('Zz congress').waitFor();
  } finally {
    for (const id of ids) await platform.call(deleteFreezePeriod, { query: { id } }).catch(() => {});
    await platform.call(deleteSite, { query: { id: site.id } });
  }
});

it('a frozen device shows until when, and reboots when its active period is deleted [TASK-12/drawer]', async () => {
  const { platform } = product;
  const site = await platform.call(addSite, {
    body: { name: 'Zz frozen room', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], sort: '-mac', limit: 1 } })).records;
  const { page } = await product.administrator(`/device/list?search=${device!.mac}`);
  try {
    const body = { siteId: site.id, ids: [device!.id] };
    await eventually(() => platform.call(placeDevices, { body }));
    // The task service knows it.
    await eventually(async () =>
      expect(
        await platform.call(previewTask, {
          query: {},
          body: { action: 'reboot', target: { filter: { site: [site.id] } } },
        }),
      ).toMatchObject({ total: 1 }),
    );
    await page.goto(`${platform.ready.url}/task/freezePeriod`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add freeze period' }).first().click();
    await dialog.getByLabel('Name').fill('Zz now');
    await dialog.getByRole('combobox', { name: 'Sites' }).click();
    await page.getByRole('option', { name: 'Zz frozen room' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Africa/Abidjan');
    await page.getByRole('option', { name: 'Africa/Abidjan' }).click();
    await dialog.getByLabel('Begins').fill(local(-1));
    await dialog.getByLabel('Ends').fill(local(120));
    await dialog.getByRole('button', { name: 'Add freeze period' }).click();
    await page.locator('[data-id]').filter({ hasText: 'Zz now' }).getByText('In force').waitFor();
    const task = await platform.call(addTask, {
      body: { name: 'Zz frozen', action: 'reboot', target: { ids: [device!.id] } },
    });
    await page.goto(`${platform.ready.url}/task/freezePeriod?task=${task.id}`);
    await dialog.getByText(/Frozen until \d{4}-\d\d-\d\d \d\d:\d\d/).waitFor();
    await page.goto(`${platform.ready.url}/task/freezePeriod`);
    await page.getByRole('button', { name: 'Actions for Zz now', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await dialog.getByText('It is in force').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    expect(await platform.ended(task.id)).toMatchObject({ status: 'success' });
  } finally {
    for (const { id } of (await platform.call(listFreezePeriods, { query: { search: 'Zz now' } })).records)
      await platform.call(deleteFreezePeriod, { query: { id } });
    await platform.call(deleteSite, { query: { id: site.id } });
  }
});
