// @module-tag slow
import { expect, it } from 'vitest';
import { addSipAccount, addSipServer, deleteSipAccounts, deleteSipServer } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('the drawer of an account shows its passwords on request, and logs it [ACC-02/reveal]', async () => {
  const { call } = product.platform;
  const server = await call(addSipServer, {
    body: {
      ...{ name: 'Reveal PBX', address: 'reveal.example.com', port: 5060, transport: 'udp', domain: '' },
      ...{ proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null },
    },
  });
  const add = (name: string, number: string, more: object) =>
    call(addSipAccount, { body: { name, number, serverId: server.id, ...more } });
  const account = await add('Reveal desk', '2901', {
    authPassword: 'Shown-Auth-1',
    voicemailPassword: 'Shown-Voice-2',
  });
  const bare = await add('Reveal bare', '2902', {});
  const { page } = await product.administrator(`/account/sip/sipAccount?server=${server.id}`);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const drawer = page.getByRole('dialog');
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });

  await row('Reveal desk').getByText('2901').click();
  await drawer.getByText('The activity log records that you viewed them.').waitFor();
  expect(sent.filter((one) => one.includes('/reveal'))).toEqual([]);
  await drawer.getByRole('button', { name: 'Show passwords' }).click();
  await drawer.getByText('Shown-Auth-1', { exact: true }).waitFor();
  await drawer.getByText('Shown-Voice-2', { exact: true }).waitFor();
  expect(await drawer.getByText('Proxy password', { exact: true }).count()).toBe(0);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await drawer.getByRole('button', { name: 'Copy Auth password' }).click();
  await drawer.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Shown-Auth-1');
  await drawer.getByRole('button', { name: 'Hide passwords' }).click();
  await drawer.getByText('Shown-Auth-1').waitFor({ state: 'detached' });
  await drawer.getByRole('button', { name: 'Show passwords' }).click();
  await drawer.getByText('Shown-Auth-1').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await row('Reveal desk').getByText('2901').click();
  await drawer.getByRole('button', { name: 'Show passwords' }).waitFor();
  expect(await drawer.getByText('Shown-Auth-1').count()).toBe(0);
  // Another account has no password to show.
  await row('Reveal bare').getByText('2902').click();
  await drawer.getByRole('heading', { name: 'Reveal bare' }).waitFor();
  await drawer.getByRole('heading', { name: 'Passwords' }).waitFor({ state: 'detached' });

  await page.goto('/system/operationLog?search=Reveal%20desk');
  await page.locator('main [data-id]').filter({ hasText: 'Show passwords of SIP account' }).first().click();
  await drawer.getByText('Auth password').first().waitFor();
  expect(await drawer.getByText('Shown-').count()).toBe(0);

  await call(deleteSipAccounts, { query: { ids: [account.id, bare.id] } });
  await call(deleteSipServer, { query: { id: server.id } });
});
