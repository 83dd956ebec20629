import { afterAll, expect, it } from 'vitest';
import { addOrganization, deleteOrganization, editSysConfig, listOrganizationNames } from '@carillon/contracts';
import { eventually, ico } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();
const set = (configKey: 'abbreviatedName' | 'favicon' | 'copyright', value: string | null) =>
  product.platform.call(editSysConfig, { body: { configKey, value } });
let branch = '';
afterAll(async () => {
  for (const key of ['abbreviatedName', 'favicon', 'copyright'] as const) await set(key, null);
  if (branch !== '') await product.platform.call(deleteOrganization, { body: { id: branch } });
});

it('stored values have prefix, type and time, and single mode keeps one page open [SHELL-12]', async () => {
  const { platform } = product;
  await set('abbreviatedName', 'Glocke');
  await set('copyright', '© Glocke');
  await set('favicon', ico.toString('base64'));
  branch = (await platform.call(addOrganization, { body: { name: 'Storage branch', description: '' } })).id;
  await eventually(async () => expect((await platform.call(listOrganizationNames)).map((o) => o.id)).toContain(branch));
  const { page } = await product.loggedIn('/about');
  await page.locator('dl').waitFor();
  const bar = page.getByRole('banner');
  const begun = Date.now();
  // Everything is chosen like a user does.
  const reloaded = async (act: () => Promise<void>) => {
    await Promise.all([page.waitForEvent('load'), act()]);
    await page.locator('dl').waitFor();
  };
  await bar.getByTitle('Language').click();
  await reloaded(() => page.getByRole('menuitem', { name: 'English' }).click());
  await bar.getByTitle('Time zone of all times shown').click();
  await reloaded(() => page.getByRole('menuitem', { name: /UTC\+00:00\s*UTC$/ }).click());
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: 'Storage branch' }).click();
  const palette = bar.locator('button:has(.tabler-icon-palette)');
  await palette.click();
  for (const name of ['Slate', 'Cobalt']) await page.getByRole('menuitem', { name, exact: true }).click();
  await page.keyboard.press('Escape');

  // Single mode: the tab bar is gone, and only the shown page is open.
  const tabs = page.getByRole('navigation', { name: 'Open pages' });
  await page.goto('/task/list');
  await tabs.getByRole('link', { name: 'Tasks' }).waitFor();
  expect(await tabs.getByRole('link').count()).toBe(3);
  await palette.click();
  await page.getByRole('menuitem', { name: 'One page at a time' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => tabs.count()).toBe(0);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const open = () =>
    page.evaluate(() =>
      (JSON.parse(sessionStorage.getItem('carillon-tabs')!) as { value: { value: string }[] }).value.map(
        (t) => t.value,
      ),
    );
  for (const [name, path] of [
    ['Devices', '/device/list'],
    ['Tasks', '/task/list'],
  ] as const) {
    await menu.getByRole('link', { name }).click();
    await page.waitForURL(`**${path}*`);
    await expect.poll(open).toEqual([path]);
  }

  await bar.getByRole('button', { name: 'Lock', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Lock' });
  await dialog.getByLabel('Lock password', { exact: true }).fill('Storage-Lock-1');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/lock?to=*');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  const kept = await page.evaluate(() => {
    const all = (area: Storage) =>
      Object.fromEntries(
        Object.keys(area).map((key) => [
          key,
          JSON.parse(area.getItem(key)!) as { type: string; value: unknown; time: number },
        ]),
      );
    return { local: all(localStorage), session: all(sessionStorage) };
  });
  // Scroll positions belong to the router, for this tab only.
  const everything = [
    ...Object.entries(kept.local),
    ...Object.entries(kept.session).filter(([key]) => !key.startsWith('tsr-scroll-')),
  ];
  for (const [key, { type, value, time }] of everything) {
    expect(key).toMatch(/^carillon-/);
    expect([key, type]).toEqual([key, Array.isArray(value) ? 'array' : typeof value]);
    expect(time, key).toBeGreaterThan(begun - 120_000);
    expect(time, key).toBeLessThanOrEqual(Date.now());
  }
  const { username } = platform.ready.admin;
  expect(
    Object.fromEntries(Object.entries(kept.local).map(([key, { value }]) => [key.slice('carillon-'.length), value])),
  ).toMatchObject({
    language: 'en_US',
    organization: branch,
    timezone: { id: 1, displayName: 'UTC+00:00 UTC' },
    theme: 'slate',
    colour: 'cobalt',
    abbreviatedName: 'Glocke',
    copyright: '© Glocke',
    singleMode: true,
    favicon: expect.stringMatching(/^\/api\/f\/mc\/sysConfig\/picture\/favicon\?v=\d+$/),
    user: { username, companyName: expect.any(String), roles: ['administrator'] },
    lockPassword: { salt: expect.stringMatching(/^[\w+/]{22}==$/), hash: expect.stringMatching(/^[\w+/]{43}=$/) },
  });
  expect(kept.session['carillon-lock']).toMatchObject({ type: 'boolean', value: true });
  expect(Object.keys(kept.local)).not.toContain('carillon-lock');
  expect(JSON.stringify(kept)).not.toContain('Storage-Lock-1');
  // After the unlock the hash is gone, and the tab bar returns on request.
  await page.getByLabel('Lock password', { exact: true }).fill('Storage-Lock-1');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/task/list*');
  expect(await page.evaluate(() => localStorage.getItem('carillon-lockPassword'))).toBeNull();
  await palette.click();
  await page.getByRole('menuitem', { name: 'One page at a time' }).click();
  await page.keyboard.press('Escape');
  await tabs.getByRole('link', { name: 'Tasks' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('carillon-singleMode'))).toBeNull();
});
