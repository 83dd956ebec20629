// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import { listDevices, listLdapServers } from '@carillon/contracts';
import { testLdap, type TestLdap } from '@carillon/testing/ldap';
import { useProduct } from '../../../../test/browser.ts';

let ldap: TestLdap;
const product = useProduct(async () => {
  ldap = await testLdap(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `p${at}`,
        {
          cn: `Person ${String(at).padStart(2, '0')}`,
          telephoneNumber: `20${at}`,
          mail: `p${at}@example.com`,
          departmentNumber: 'Sales',
          manager: 'uid=p0,ou=people,dc=example,dc=com',
        },
      ]),
    ),
  );
  return { name: 'ldap', devices: 2, env: { CARILLON_OUTBOUND_ALLOWED: `localhost:${ldap.tlsPort}` } };
});
afterAll(() => ldap?.stop());

it('a directory is tested, synced and loaded by a phone [ACC-04/screen] [ACC-05]', async () => {
  const { call } = product.platform;
  const { page } = await product.administrator('/account/ldap/ldapServer');
  const shown: string[] = [];
  page.on('response', (answer) => {
    if (answer.url().includes('/api/'))
      answer.text().then(
        (text) => shown.push(text),
        () => undefined,
      );
  });
  const submit = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click();
  const fill = (field: string, value: string) => page.locator(`[name="${field}"]`).fill(value);
  const toast = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
  const dialog = page.getByRole('dialog');

  // Missing values are reported at their fields, and nothing is sent.
  await page.getByText('No LDAP servers yet').waitFor();
  await page.getByRole('link', { name: 'Add LDAP server' }).first().click();
  await page.waitForURL('**/account/ldap/addServer');
  await submit('Add LDAP server');
  await page.getByText('Fill in this field.').first().waitFor();
  await page.getByText('Enter the password.').waitFor();
  // The port follows the encryption until the user chooses one.
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'StartTLS' }).click();
  expect(await page.locator('[name=port]').inputValue()).toBe('389');
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'LDAPS' }).click();
  expect(await page.locator('[name=port]').inputValue()).toBe('636');
  await fill('name', 'Directory');
  await fill('host', 'localhost');
  await fill('port', String(ldap.tlsPort));
  await fill('userName', ldap.user);
  await fill('password', 'wrong');
  await fill('base', ldap.base);
  // The test reports one problem after the other in plain words.
  await submit('Show ten entries');
  await page.getByText('The certificate of the LDAP server is not trusted').waitFor();
  await fill('ca', ldap.ca);
  await submit('Show ten entries');
  await page.getByText('The LDAP server does not accept the username and password.').waitFor();
  await fill('password', ldap.password);
  await fill('attributes.department', 'departmentNumber');
  await fill('attributes.adAccount', 'uid');
  await submit('Show ten entries');
  await page.getByText('Connected. 10 entries as they would be read:').waitFor();
  expect(await page.getByRole('row', { name: /Person 03/ }).textContent()).toBe(
    'Person 03203p3@example.comSalesPerson 00p3',
  );
  await fill('search', 'Person 2');
  await submit('Show ten entries');
  await page.getByRole('row', { name: /Person 29/ }).waitFor();
  await submit('Add LDAP server');
  await toast('Directory added');

  // The list shows the result of a manual sync, also after a reload.
  await row('Directory').getByText('Not synced yet').waitFor();
  await page.getByRole('button', { name: 'Actions for Directory' }).click();
  await page.getByRole('menuitem', { name: 'Sync now' }).click();
  await dialog.getByRole('button', { name: 'Sync now' }).click();
  await toast('Sync of Directory started');
  await row('Directory').getByText('30 entries read: 30 added, 0 changed, 0 removed.').waitFor();
  await page.reload();
  await row('Directory').getByText('Synced', { exact: true }).waitFor();
  await row('Directory').getByRole('link', { name: '30', exact: true }).click();
  await page.waitForURL(/ldapAccount\?server=/);
  await row('p0@example.com').getByText('200').waitFor();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByLabel('AD account', { exact: true }).check();
  await page.keyboard.press('Escape');
  for (const text of ['Person 03', '203', 'p3@example.com', 'Sales', 'Person 00', 'p3', 'In the directory'])
    await row('p3@example.com').getByText(text, { exact: true }).first().waitFor();
  const search = page.getByRole('textbox', { name: 'Name, number, mailbox, department' });
  // The previous list stays cached behind it.
  const shownRows = page.locator('main [data-id]').filter({ visible: true });
  for (const [at, words] of ['son 17', '2018', 'p19@'].entries()) {
    await search.fill(words);
    await row(`p${17 + at}@example.com`).waitFor();
    await expect.poll(() => shownRows.count()).toBe(1);
  }
  await search.fill('sALES');
  await expect.poll(() => shownRows.count()).toBeGreaterThan(1);
  await search.fill('Nobody');
  await expect.poll(() => shownRows.count()).toBe(0);

  // A phone's link to the accounts.
  const [device] = (await call(listDevices, { query: { limit: 1 } })).records;
  await page.getByRole('button', { name: 'Phonebook' }).click();
  await dialog.getByRole('combobox', { name: 'Device' }).fill(device!.mac.slice(-6));
  await page
    .getByRole('option', { name: new RegExp(device!.name) })
    .first()
    .click();
  await dialog.getByText('This device has no link yet.').waitFor();
  await dialog.getByRole('button', { name: 'Create links' }).click();
  const link = (await dialog.locator('code').first().textContent())!;
  const answer = await fetch(`${link}?search=p`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
  const text = await answer.text();
  expect(text).toContain('<FanvilIPPhoneDirectory>');
  expect(text.match(/<DirectoryEntry>/g)).toHaveLength(30);
  const other = await (await fetch(link.replace('fanvil.xml', 'phonebook.xml'))).text();
  expect(other).toContain('<AddressBook>');
  expect(other.match(/<Contact>/g)).toHaveLength(30);
  expect(other).toContain('<phonenumber>203</phonenumber>');
  await dialog.getByRole('button', { name: 'Renew links' }).click();
  await expect.poll(async () => (await fetch(link)).status).toBe(404);
  await dialog.getByRole('button', { name: 'Close' }).click();

  // More than a tenth is missing: the accounts are kept, reported, and deleted on request.
  await ldap.remove('p0', 'p1', 'p2', 'p3', 'p4');
  await page.goto('/account/ldap/ldapServer');
  await page.getByRole('button', { name: 'Actions for Directory' }).click();
  await page.getByRole('menuitem', { name: 'Sync now' }).click();
  await dialog.getByRole('button', { name: 'Sync now' }).click();
  await row('Directory')
    .getByText(/5 accounts are no longer in the directory and were kept/)
    .waitFor();
  await page.getByRole('button', { name: 'Actions for Directory' }).click();
  await page.getByRole('menuitem', { name: 'Delete kept accounts' }).click();
  await dialog.getByRole('button', { name: 'Delete 5 accounts' }).click();
  await toast('5 accounts of Directory deleted');
  await row('Directory').getByRole('link', { name: '25', exact: true }).waitFor();

  // Another address requires the password again.
  await page.getByRole('button', { name: 'Actions for Directory' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.waitForURL('**/account/ldap/editServer?id=*');
  await page.getByText('Set. Leave empty to keep it.').waitFor();
  await fill('host', 'ldap.example.com');
  await page.getByText('Enter it again: the stored password only goes to the server it was saved for.').waitFor();
  await submit('Save');
  await page.getByText('Enter the password.').waitFor();
  await fill('host', 'localhost');
  await page.getByRole('combobox', { name: 'Cycle' }).click();
  await page.getByRole('option', { name: 'Weekly' }).click();
  await submit('Save');
  await toast('Directory saved');
  expect((await call(listLdapServers, { query: {} })).records).toMatchObject([
    { cycle: 'week', time: '02:00', weekday: 1, passwordSet: true, nextSyncAt: expect.any(String) },
  ]);

  // The server is deleted and restored with its accounts.
  await page.getByRole('button', { name: 'Actions for Directory' }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete LDAP server Directory' }).click();
  await page.getByText('No LDAP servers yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Directory').getByRole('link', { name: '25', exact: true }).waitFor();
  expect(shown.filter((answered) => answered.includes(ldap.password))).toEqual([]);
});
