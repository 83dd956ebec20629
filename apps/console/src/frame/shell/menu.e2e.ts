import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { menuTree, type MenuDefinition } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();
const requirements = join(import.meta.dirname, '../../../../../docs/requirements.md');

/** The areas that row SHELL-22 names, with their entries of the menu. Those without an entry are not built yet. */
const areas: Readonly<Record<string, readonly string[]>> = {
  dashboard: ['/wel/home'],
  'device list and detail': ['/device/list'],
  'device logs': ['/device/deviceLog'],
  sites: ['/site/list'],
  organizations: ['/system/organization'],
  users: ['/system/users'],
  roles: ['/system/roles'],
  'SIP accounts and servers': ['/account/sip/sipAccount', '/account/sip/sipServer'],
  'LDAP servers and accounts': ['/account/ldap/ldapServer', '/account/ldap/ldapAccount'],
  tasks: ['/task/list'],
  'firmware (official and mine)': ['/resources/firmwares'],
  'resource files': ['/resources/fileLists'],
  'differential packages': ['/resources/firmwares'],
  diagnosis: [],
  alarms: ['/alarm'],
  messages: ['/alarm'],
  'channels and sub-channels': ['/channel/boundChannelList'],
  'channel address management': ['/channel/address'],
  'order and device import': ['/channel/allocatedList', '/device/list'],
  'EGS address, card, password, portrait, time profile and open-door logs': [],
  license: [],
  'database backup': [],
  'two-step verification': ['/system/twoStep'],
  'email notice': ['/system/emailNotice'],
  'call statistics': [],
  'operation log': ['/system/operationLog'],
  'system config (logo, copyright, email server, FCS, certificate)': ['/system/config'],
  'API developer': ['/system/apiDeveloper'],
  'network capture tool': [],
};

/** Returns the addresses of the entries that the menu shows. */
const shown = (entries: readonly MenuDefinition[]): string[] =>
  entries.flatMap(({ path, hidden, children = [] }) =>
    hidden ? [] : [...(path === undefined ? [] : [path.replace(/\/index$/, '')]), ...shown(children)],
  );

it('each entry of the seeded menu opens its screen, and every built area has one [SHELL-22/areas]', async () => {
  const row = /\| SHELL-22 \| [^|]*?: ([^|]*)\. \|/.exec(readFileSync(requirements, 'utf8'))![1]!;
  expect(row.split('; ')).toEqual(Object.keys(areas));
  const paths = shown(menuTree);
  expect(paths).toEqual(expect.arrayContaining(Object.values(areas).flat()));
  const { page } = await product.administrator('/about');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  // A page that is kept alive stays behind the visible one.
  const heading = page.locator('main h1:visible').first();
  let former: string | null = 'About';
  for (const path of paths) {
    const link = menu.locator(`a[href="${path}"]`);
    await link.click();
    await link.and(menu.locator('[aria-current=page]')).waitFor();
    await expect.poll(() => heading.textContent(), { message: path }).not.toBe(former);
    former = await heading.textContent();
    expect([new URL(page.url()).pathname, await page.getByText(/^(403|404|500)$/).count()]).toEqual([path, 0]);
  }
});
