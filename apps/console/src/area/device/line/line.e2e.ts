// @module-tag slow
import { expect, it } from 'vitest';
import {
  addSipAccount,
  assignAccount,
  deleteSipAccounts,
  listAccountNames,
  listDevices,
  unassignAccount,
  type LineStatus,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a line tells that its account is not on the device yet, why it fails, since when, and what to check', async () => {
  const { platform } = product;
  const device = (await platform.call(listDevices, { query: { state: ['online'], model: ['SIP-T46U'], limit: 1 } }))
    .records[0]!;
  const { serverId } = await devicePlace(platform.call);
  const { id: accountId } = await platform.call(addSipAccount, {
    body: { name: 'Zz line', number: '7199', serverId },
  });
  const report = (account: string, status: LineStatus, code?: number) =>
    platform.simulator('/state', {
      mac: device.mac,
      lines: [{ line: 1, account, server: 'pbx.example.com', status, ...(code === undefined ? {} : { code }) }],
    });
  try {
    await eventually(async () =>
      expect(await platform.call(listAccountNames, { query: { id: accountId } })).toHaveLength(1),
    );
    await report('7100', 'registered');
    const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
    const line = page.getByRole('group', { name: 'Lines' }).getByRole('row').nth(1);
    await line.getByText('Registered', { exact: true }).waitFor();
    await platform.call(assignAccount, { body: { deviceId: device.id, accountId, line: 1 } });
    // The phone is still registered with its former account.
    await line.getByText('Zz line').waitFor();
    await line.getByText('Not on the device yet').waitFor();
    await report('7199', 'failed', 403);
    await line.getByText('Registration failed').waitFor();
    const problem = page.getByRole('status').filter({ hasText: 'Line 1 can’t register.' });
    await problem.getByText(/refused the username or password \(403\)\..*Since \d{4}-\d\d-\d\d/).waitFor();
    await problem.getByRole('link', { name: 'Check the SIP account' }).click();
    await page.waitForURL(`**/account/sip/editSipAccount?id=${accountId}`);
    await page.goBack();
    await report('7199', 'failed', 408);
    await problem.getByText('The SIP server doesn’t answer (408).').waitFor();
    await report('7199', 'registered');
    await line.getByText('Registered', { exact: true }).waitFor();
    await problem.waitFor({ state: 'detached' });
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${device.id}&tab=log`);
    await page
      .getByRole('row', { name: /Registration failed · The SIP server refused the username or password/ })
      .first()
      .waitFor();
  } finally {
    await platform.call(unassignAccount, { query: { deviceId: device.id, line: 1 } });
    await platform.call(deleteSipAccounts, { query: { ids: [accountId] } });
  }
});
