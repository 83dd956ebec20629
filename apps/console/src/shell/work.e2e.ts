import { expect, it } from 'vitest';
import { deleteDeviceExport, listDeviceExports, listDevices } from '@carillon/contracts';
import { useProduct } from '../../test/browser.ts';

const product = useProduct();

it('what a person started stands in the bell of all his tabs, with progress and end, and leads to its result: a task to its devices, a file to itself; a file ordered just before a reload is not lost', async () => {
  const { platform } = product;
  for (const { id } of await platform.call(listDeviceExports)) await platform.call(deleteDeviceExport, { params: { id } });
  const { context, page } = await product.administrator('/device/list');
  const other = await context.newPage();
  await other.goto('/about');
  await other.locator('dl').waitFor();
  const bell = (of: typeof page) => of.getByRole('banner').first().locator('button[aria-haspopup=dialog]');
  const work = (of: typeof page) => of.getByRole('dialog', { name: 'Notices' }).getByRole('region', { name: 'Your work' });

  await page.getByRole('button', { name: 'Export' }).click();
  await page.reload();
  // Once, whether the order had gone out or not.
  await page.getByRole('region', { name: 'Export of devices' }).getByRole('button', { name: 'Download file' }).waitFor();
  expect(await platform.call(listDeviceExports)).toHaveLength(1);
  await bell(page).click();
  await work(page).getByText('Devices.xlsx').waitFor();
  const download = page.waitForEvent('download');
  await work(page).getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('Devices.xlsx');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Slow enough to be seen on the way: devices of the test installation need 1.5 s for a reboot.
  const devices = (await platform.call(listDevices, { query: { state: ['online'], limit: 10, sort: '-name' } })).records;
  await page.goto(`/device/list?search=${devices[0]!.mac}`);
  await page.locator('[data-id]').getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Reboot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reboot' }).click();
  await other.locator('[data-ring]').waitFor();
  await bell(other).click();
  const line = work(other).getByRole('button').filter({ hasText: 'Reboot' }).first();
  await line.getByText('0 of 1').waitFor();
  await line.getByText('Success').or(line.getByText('Finished')).waitFor();
  await other.locator('[data-ring]').waitFor({ state: 'detached' });
  expect(await line.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
  await line.press('Enter');
  await other.getByRole('dialog').getByText(devices[0]!.name).first().waitFor();
  expect(new URL(other.url()).searchParams.get('task')).not.toBeNull();
  await platform.allOnline((await platform.stats()).devices - 12);
});
