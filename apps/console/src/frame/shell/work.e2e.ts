// @module-tag slow
import { expect, it } from 'vitest';
import { addTask, deleteDeviceExport, listDeviceExports, listDevices, listTasks, stopTask } from '@carillon/contracts';
import { lane, useProduct } from '../../../test/browser.ts';

const product = useProduct();

it("the bell shows a user's work in all tabs, with progress, result and link, also after a reload", async () => {
  const { platform } = product;
  for (const { id } of await platform.call(listDeviceExports))
    await platform.call(deleteDeviceExport, { params: { id } });
  // Stop tasks that other tests left.
  const { records: left } = await platform.call(listTasks, { query: { mine: 'true', status: ['process'] } });
  for (const { id } of left) await platform.call(stopTask, { params: { id } });
  const { context, page } = await product.administrator('/device/list');
  const other = await context.newPage();
  await other.goto('/about');
  await other.locator('dl').waitFor();
  const bell = (view: typeof page) => view.getByRole('banner').first().locator('button[aria-haspopup=dialog]');
  const work = (view: typeof page) =>
    view.getByRole('dialog', { name: 'Notifications' }).getByRole('region', { name: 'Tasks and files' });

  await page.getByRole('button', { name: 'Export' }).click();
  await page.reload();
  // Once, whether the order was already sent or not.
  await page.getByRole('region', { name: 'Export: Devices' }).getByRole('button', { name: 'Download file' }).waitFor();
  expect(await platform.call(listDeviceExports)).toHaveLength(1);
  await bell(page).click();
  await work(page).getByText('Devices.xlsx').waitFor();
  const download = page.waitForEvent('download');
  // Other tests of this installation may have exported other lists.
  const file = work(page).getByRole('listitem').filter({ hasText: 'Devices.xlsx' });
  await file.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('Devices.xlsx');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // One device is offline, so that the task runs until it is stopped.
  const here = (await platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records[0];
  const { mac } = (await platform.devices()).find((d) => !d.online)!;
  const [away] = (await platform.call(listDevices, { query: { search: mac } })).records;
  const task = await platform.call(addTask, {
    body: { name: 'Night round', action: 'reboot', params: {}, target: { ids: [here!.id, away!.id] } },
  });
  for (const tab of [page, other]) await tab.locator('[data-ring]').waitFor();
  await page.reload();
  await page.locator('[data-ring]').waitFor();
  await bell(other).click();
  const line = work(other).getByRole('button').filter({ hasText: 'Night round' });
  await line.getByText('1 of 2').waitFor();
  await platform.call(stopTask, { params: { id: task.id } });
  for (const tab of [page, other]) await tab.locator('[data-ring]').waitFor({ state: 'detached' });
  await line.getByText('Stopped').waitFor();
  expect(await line.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('2');
  await line.press('Enter');
  await other.getByRole('dialog').getByText(here!.name).first().waitFor();
  expect(new URL(other.url()).searchParams.get('task')).toBe(task.id);
  await platform.allOnline(lane().online);
});
