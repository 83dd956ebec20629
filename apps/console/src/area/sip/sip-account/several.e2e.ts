// @module-tag slow
import { expect, it } from 'vitest';
import {
  addSipAccount,
  addSipServer,
  assignAccount,
  deleteSipAccounts,
  deleteSipServer,
  listDevices,
  listSipAccounts,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('accounts on several lines are counted, filtered and shown with their lines [ACC-02/several]', async () => {
  const { call } = product.platform;
  const server = await call(addSipServer, {
    body: {
      ...{ name: 'Several PBX', address: 'several.example.com', port: 5060, transport: 'udp', domain: '' },
      ...{ proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null },
    },
  });
  const add = (name: string, number: string) => call(addSipAccount, { body: { name, number, serverId: server.id } });
  const [shared, single] = [await add('Several shared', '2801'), await add('Several single', '2802')];
  const model = suppliedModels.filter((m) => (m.sipCount ?? 0) >= 5).map((m) => m.name);
  const [first, second] = (await call(listDevices, { query: { model, limit: 2 } })).records;
  const give = (deviceId: string, accountId: string, line: number) =>
    eventually(() => call(assignAccount, { body: { deviceId, accountId, line } }));
  await give(first!.id, shared.id, 4);
  await give(second!.id, shared.id, 5);
  await give(first!.id, single.id, 5);
  await eventually(async () =>
    expect((await call(listSipAccounts, { query: { search: '2801', several: ['true'] } })).total).toBe(1),
  );

  const { page } = await product.administrator('/account/sip/sipAccount');
  const rows = page.locator('main [data-id]');
  await page
    .getByRole('note')
    .getByText(/accounts? (is|are) on several lines\./)
    .waitFor();
  await page.getByRole('link', { name: 'Show accounts on several lines' }).click();
  await page.waitForURL(/sipAccount\?several=true/);
  await rows.filter({ hasText: 'Several shared' }).waitFor();
  await rows.filter({ hasText: 'Several single' }).waitFor({ state: 'detached' });
  await page.getByRole('note').waitFor({ state: 'detached' });

  await rows.filter({ hasText: 'Several shared' }).getByText('2801').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('This account is on 2 lines. A call can ring at each of them.').waitFor();
  for (const [device, line] of [
    [first!, '4'],
    [second!, '5'],
  ] as const)
    await drawer
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: device.name }) })
      .getByRole('cell', { name: line, exact: true })
      .waitFor();

  await page.goto(`/account/sip/sipAccount?several=false&server=${server.id}`);
  await rows.filter({ hasText: 'Several single' }).waitFor();
  expect(await rows.count()).toBe(1);

  await call(deleteSipAccounts, { query: { ids: [shared.id, single.id] } });
  await call(deleteSipServer, { query: { id: server.id } });
});
