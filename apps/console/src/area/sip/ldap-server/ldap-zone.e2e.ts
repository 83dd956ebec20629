import { expect, it } from 'vitest';
import { deleteLdapServer, listLdapServers } from '@carillon/contracts';
import { fillLogin, useProduct } from '../../../../test/browser.ts';
import { someone } from '../../../../test/person.ts';

const product = useProduct();

it(
  "a user without a chosen zone schedules syncs by the browser's clock, which the form names",
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const person = await someone(platform, 'ldap.zone', ['home', 'ldapServer', 'addLdapServer', 'editLdapServer']);
    const open = async (timezoneId: string, path: string) => {
      const { page } = await product.visit({ timezoneId });
      await page.goto(path);
      await fillLogin(page, person);
      await page.getByText('In the time zone Asia/Shanghai, for example 02:00.').waitFor();
      return page;
    };
    const page = await open('Asia/Shanghai', '/account/ldap/addServer');
    for (const [field, value] of Object.entries({
      name: 'Shanghai',
      host: 'ldap.example.com',
      userName: 'cn=reader',
      password: 'secret',
      base: 'dc=example,dc=com',
    }))
      await page.locator(`[name="${field}"]`).fill(value);
    await page.locator('main').getByRole('button', { name: 'Add LDAP server', exact: true }).click();
    await page.locator('main [data-id]').filter({ hasText: 'Shanghai' }).waitFor();
    const [server] = (await platform.call(listLdapServers, { query: { 'name.contains': 'Shanghai' } })).records;
    expect(server).toMatchObject({ time: '02:00', timeZone: 'Asia/Shanghai' });
    expect(server!.nextSyncAt).toMatch(/T18:00:00/);
    // Another browser shows the zone in which the schedule was meant.
    await open('Europe/Berlin', `/account/ldap/editServer?id=${server!.id}`);
    await platform.call(deleteLdapServer, { query: { id: server!.id } });
    await person.leave();
  },
);
