// @module-tag slow
import { expect, it } from 'vitest';
import { addTask, listDeviceLog, listDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('the device log is filtered, updates live and links to the log of a device [SHELL-02/deviceLog]', async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], sort: 'mac', limit: 1 } })).records;
  const { page } = await product.administrator(`/device/deviceLog?deviceId=${device!.id}`);
  const rows = page.locator('tbody [data-id]');
  await rows.first().waitFor();
  await page.getByText(device!.name, { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'Event', exact: true }).click();
  await page.getByRole('dialog').getByText('Went offline', { exact: true }).click();
  await page.waitForURL(/kind=offline/);
  await page.keyboard.press('Escape');
  const gone = async () =>
    (await platform.call(listDeviceLog, { query: { deviceId: [device!.id], kind: ['offline'] } })).total;
  const before = await gone();
  const { id } = await platform.call(addTask, {
    body: { name: 'For the log', action: 'reboot', params: {}, target: { ids: [device!.id] } },
  });
  await platform.ended(id);
  await eventually(async () => {
    expect(await gone()).toBeGreaterThan(before);
    expect(await rows.count()).toBe(await gone());
  });
  await rows.first().getByText('The device closed the connection').waitFor();

  // The device's name leads to the device, the rest of the row to the entry.
  await rows.first().getByRole('link', { name: device!.name }).click();
  await page.waitForURL(/\/device\/deviceDetail\?.*tab=log/);
  await page
    .getByRole('cell', { name: /After a reboot, firmware/ })
    .first()
    .waitFor();
});
