// @module-tag slow
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { deleteSipAccounts, deleteSipServer, listDevices, listSipAccounts, listSipServers } from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

const toast = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

it('servers and accounts are added, assigned and restored [ACC-02/screen] [ACC-01/screen]', async () => {
  const { call } = product.platform;
  const { page } = await product.administrator('/account/sip/sipServer');
  const shown: string[] = [];
  page.on('response', (answer) => {
    if (answer.url().includes('/api/'))
      answer.text().then(
        (text) => shown.push(text),
        () => undefined,
      );
  });

  const submit = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click();

  // Missing values are reported at their fields, and nothing is sent. Other tests may have added servers; pictures
  // cover the empty list.
  await page.getByRole('link', { name: 'Add SIP server' }).first().click();
  await page.waitForURL('**/account/sip/addSipServer');
  await submit('Add SIP server');
  await page.getByText('Enter a name.').waitFor();
  await page.getByText('Enter an address.').waitFor();
  await page.locator('[name=name]').fill('Bell PBX');
  await page.locator('[name=address]').fill('https://pbx');
  // The port follows the transport until the user chooses one.
  await page.getByRole('combobox', { name: 'Transport' }).click();
  await page.getByRole('option', { name: 'TLS' }).click();
  expect(await page.locator('[name=port]').inputValue()).toBe('5061');
  await submit('Add SIP server');
  await page.getByText('Enter a host name or an IP address without a port.').waitFor();
  await page.locator('[name=address]').fill('pbx.example.com');
  await page.locator('[name=proxyAddress]').fill('10.1.2.3');
  await submit('Add SIP server');
  await toast(page, 'Bell PBX added');
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
  await row('Bell PBX').getByText('pbx.example.com').waitFor();
  const [server] = (await call(listSipServers, { query: { search: 'Bell' } })).records;
  expect(server).toMatchObject({ port: 5061, transport: 'tls', proxyAddress: '10.1.2.3', accounts: 0 });

  // An account with its passwords.
  await page.goto('/account/sip/sipAccount');
  await page.getByRole('link', { name: 'Add SIP account' }).first().click();
  await page.locator('[name=name]').fill('Reception');
  await page.locator('[name=number]').fill('20 01');
  await page.getByRole('combobox', { name: 'SIP server' }).click();
  await page.getByRole('option', { name: /Bell PBX/ }).click();
  await page.locator('[name=authPassword]').fill('Sealed-Secret-1');
  await page.locator('[name=voicemailPassword]').fill('Voice-Secret-2');
  await submit('Add SIP account');
  await page.getByText('Use letters, digits and the characters').waitFor();
  await page.locator('[name=number]').fill('2001');
  await submit('Add SIP account');
  await toast(page, 'Reception added');
  await row('Reception').getByText('Not assigned').waitFor();

  // Assigns it from the account, to a device with as many lines as possible.
  const model = suppliedModels.filter((m) => (m.sipCount ?? 0) >= 5).map((m) => m.name);
  const [device] = (await call(listDevices, { query: { state: ['online'], model, limit: 5 } })).records;
  await page.getByRole('button', { name: 'Actions for Reception' }).click();
  await page.getByRole('menuitem', { name: 'Assign to a line' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Assign account' }).click();
  await dialog.getByText('Choose a device.').waitFor();
  await dialog.getByRole('combobox', { name: 'Device' }).fill(device!.mac.slice(-6));
  await page
    .getByRole('option', { name: new RegExp(device!.name) })
    .first()
    .click();
  await dialog.getByRole('combobox', { name: 'Line' }).click();
  await page.getByRole('option', { name: 'Line 4' }).click();
  await dialog.getByRole('button', { name: 'Assign account' }).click();
  await toast(page, `Reception assigned to line 4 of ${device!.name}`);
  await row('Reception').getByRole('link', { name: device!.name }).waitFor();

  // The device's page shows the account, removes it and assigns it again.
  await page.goto(`/device/deviceDetail?id=${device!.id}`);
  const line = page.getByRole('row').filter({ has: page.getByRole('cell', { name: '4', exact: true }) });
  await line.getByText('2001').waitFor();
  await line.getByRole('button', { name: 'Remove account: Line 4' }).click();
  await dialog.getByRole('button', { name: 'Remove account' }).click();
  await toast(page, `Line 4 of ${device!.name} is free`);
  await line.getByText('2001').waitFor({ state: 'detached' });
  await line.getByRole('button', { name: 'Assign account: Line 4' }).click();
  await dialog.getByRole('combobox', { name: 'SIP account' }).fill('2001');
  await page.getByRole('option', { name: /Reception/ }).click();
  await dialog.getByRole('button', { name: 'Assign account' }).click();
  await line.getByText('2001').waitFor();

  // Its server stays while it has the account; the account is deleted and restored.
  await page.goto('/account/sip/sipServer');
  await row('Bell PBX').getByRole('link', { name: '1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Actions for Bell PBX' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByText('1 account registers with this server. Move or delete it first.').waitFor();
  await page.keyboard.press('Escape');
  await row('Bell PBX').getByRole('link', { name: '1', exact: true }).click();
  await page.waitForURL(/sipAccount\?server=/);
  await page.getByRole('button', { name: 'Actions for Reception' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete SIP account Reception' }).click();
  await page.getByText('No SIP account matches.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Reception').waitFor();
  await eventually(async () =>
    expect((await call(listSipAccounts, { query: { search: '2001' } })).records[0]).toMatchObject({
      status: 'unassigned',
      authPasswordSet: true,
    }),
  );

  // An edit keeps the passwords unless they are changed or removed.
  await page.getByRole('button', { name: 'Actions for Reception' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.waitForURL('**/account/sip/editSipAccount?id=*');
  expect(await page.locator('[name=authPassword]').inputValue()).toBe('');
  await page.locator('[name=voicemailPasswordCleared]').check();
  await page.locator('[name=displayName]').fill('Front desk');
  await submit('Save');
  await toast(page, 'Reception saved');
  expect((await call(listSipAccounts, { query: { search: '2001' } })).records[0]).toMatchObject({
    displayName: 'Front desk',
    authPasswordSet: true,
    voicemailPasswordSet: false,
  });
  expect(shown.filter((text) => /Sealed-Secret|Voice-Secret/.test(text))).toEqual([]);

  const { records } = await call(listSipAccounts, { query: { server: [server!.id] } });
  await call(deleteSipAccounts, { query: { ids: records.map((a) => a.id) } });
  await call(deleteSipServer, { query: { id: server!.id } });
});
