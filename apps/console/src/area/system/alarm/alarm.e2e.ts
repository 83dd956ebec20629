import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { listDevices } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';
import { tellOfDevice } from '../../../../test/tell.ts';

const product = useProduct();

it('a tamper alarm is on the open page at once, shows its device, and ends when it is acknowledged; a lost registration ends by itself [NOTE-01/page]', async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { state: ['notConfigured', 'offline'], limit: 1 } }))
    .records;
  const { page } = await product.administrator(`/alarm?objectName=${encodeURIComponent(device!.name)}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
  await page.getByText('Nothing matches these filters').waitFor();

  const before = Date.now();
  await tellOfDevice(platform, device!, { event: { id: randomUUID(), kind: 'tamper' } });
  await row('Tamper alarm').getByText('Active').waitFor();
  // Far below the minute of the poll.
  expect(Date.now() - before).toBeLessThan(20_000);
  await page.getByRole('button', { name: /unread notification/ }).waitFor();
  await row('Tamper alarm').locator('button, [data-name]').filter({ hasText: 'Tamper alarm' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Tamper alarm' });
  await drawer.getByText(`${device!.name} reports tampering.`).waitFor();
  await drawer.getByRole('region', { name: 'Devices' }).getByRole('link', { name: device!.name }).waitFor();
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await drawer.getByText('Ended', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  const line = (status: 'failed' | 'registered') => ({
    state: { lines: [{ line: 1, account: '4711', server: 'pbx.alarm.example', status }] },
  });
  await tellOfDevice(platform, device!, line('failed'));
  await row('Account registration failed').getByText('Active').waitFor();
  await row('Server pbx.alarm.example').waitFor();
  await tellOfDevice(platform, device!, line('registered'));
  await row('Account registration failed').getByText('Ended').waitFor();
});
