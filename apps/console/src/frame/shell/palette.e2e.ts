import { expect, it } from 'vitest';
import { addSipAccount, addSite, deleteSipAccounts, deleteSite, listDevices } from '@carillon/contracts';
import { devicePlace } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('the search has the focus as soon as the palette is there, so that no letter is lost [SHELL-06/focus]', async () => {
  const { page } = await product.administrator('/wel/home');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  // Told right after the palette is drawn, before any timer of the page.
  const focused = page.evaluate(
    () =>
      new Promise<boolean>((publish) => {
        new MutationObserver((_, observer) => {
          const field = document.querySelector('[role=dialog] [role=combobox]');
          if (!field) return;
          observer.disconnect();
          publish(document.activeElement === field);
        }).observe(document.body, { subtree: true, childList: true });
      }),
  );
  await page.keyboard.press('Control+k');
  expect(await focused).toBe(true);
});

it('the palette finds menu entries by prefix, and devices by name, MAC and SN, within 50 ms [SHELL-06]', async () => {
  const [device] = (await product.platform.call(listDevices, { query: { limit: 5, page: 2 } })).records;
  const { page } = await product.administrator('/wel/home');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox');
  // A site that another test added may match as well.
  const entries = async () =>
    (await dialog.locator('[data-action]').allInnerTexts()).filter((text) => !text.startsWith('Place of devices'));
  /** Expects the paths of the found menu entries; devices and actions have none. */
  const menuEntries = async (text: string, paths: readonly string[]) => {
    await field.fill(text);
    await expect
      .poll(async () => (await entries()).flatMap((entry) => /\s(\/\S+)$/.exec(entry)?.[1] ?? []))
      .toEqual(paths);
  };
  await field.waitFor();
  await field.fill('DEV');
  await expect
    .poll(entries)
    .toEqual([
      expect.stringMatching(/^Devices\s+\/device\/list$/),
      expect.stringMatching(/^Device groups\s+\/device\/group$/),
      expect.stringMatching(/^Device logs\s+\/device\/deviceLog$/),
      'Add device',
    ]);
  expect(await dialog.locator('[data-action]:not(:has(svg))').count()).toBe(0);
  // Not by the middle or the second word of a name, and no entry that only groups others.
  await menuEntries('evi', []);
  await menuEntries('groups', []);
  await menuEntries('acc', []);
  await menuEntries('channels', []);
  await menuEntries('SIP AC', ['/account/sip/sipAccount']);
  // From the key to the entry on the screen, measured in the page.
  const took = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('[role=dialog] input')!;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
    const times: number[] = [];
    for (const text of ['t', 'o', 'd', 'ta', 'h', 'ac', 'de']) {
      // Menu entries end with their path. What the server finds comes later, and matches in the middle of a word too.
      const shown = () =>
        [...document.querySelectorAll('[role=dialog] [data-action]')]
          .map((a) => a.textContent!.toLowerCase())
          .filter((a) => /\/\S+$/.test(a));
      set.call(input, '');
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((r) => {
        requestAnimationFrame(() => setTimeout(r));
      });
      const from = performance.now();
      set.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      while (shown().length === 0 || !shown().every((a) => ` ${a}`.includes(` ${text}`)))
        await new Promise((r) => {
          setTimeout(r);
        });
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b)[3]!;
  });
  expect(took).toBeLessThan(50);
  for (const text of [
    device!.name,
    device!.mac.match(/../g)!.join('-').toUpperCase(),
    device!.mac.slice(4),
    device!.sn,
  ]) {
    // The server must find it too: the palette shows earlier results that match in the browser.
    const answered = page.waitForResponse((r) => {
      const { pathname, searchParams } = new URL(r.url());
      return pathname === listDevices.path && searchParams.get('search') === text;
    });
    await field.fill(text);
    const { data } = (await (await answered).json()) as { data: { records: { mac: string }[] } };
    expect(data.records.map(({ mac }) => mac)).toContain(device!.mac);
    await dialog.locator('[data-action]').filter({ hasText: device!.name }).first().waitFor();
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/device/deviceDetail?id=${device!.id}`);
  await page.keyboard.press('Meta+k');
  await field.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Search devices and pages' }).first().click();
  await field.fill('act');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/system/operationLog');
});

it(
  'the palette finds users, sites, accounts, settings and actions, as far as permitted',
  { tags: 'slow' },
  async () => {
    const { call } = product.platform;
    const site = await call(addSite, {
      body: { name: 'Zz palette hall', parentId: null, description: '', segments: '', autoAssign: false },
    });
    const { serverId } = await devicePlace(call);
    const account = await call(addSipAccount, { body: { name: 'Zz palette account', number: '7198', serverId } });
    try {
      const { page } = await product.administrator('/wel/home');
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      const dialog = page.getByRole('dialog', { name: /^Search/ });
      const entry = (text: string | RegExp) => dialog.locator('[data-action]').filter({ hasText: text });
      const ask = async (text: string) => {
        await page.keyboard.press('Control+k');
        await dialog.getByRole('combobox').fill(text);
      };
      await ask('viewer');
      await entry('viewer').click();
      await page.waitForURL(/\/system\/users\/editUser\?id=/);
      await ask('user');
      await entry('Add user').click();
      await page.waitForURL('**/system/users/addUser');
      await ask('zz palette');
      await entry('Zz palette hall').waitFor();
      await entry('Zz palette account').click();
      await page.waitForURL(`**/account/sip/editSipAccount?id=${account.id}`);
      await ask('email');
      await entry(/^System configuration: Email server$/).click();
      await page.waitForURL('**/system/config?tab=mail');
      await ask('dark');
      await page.keyboard.press('Enter');
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
      await ask('sign');
      await entry(/^Sign out$/).click();
      await page.getByRole('dialog', { name: 'Sign out?' }).waitFor();

      const { page: looks } = await product.loggedIn('/wel/home', product.platform.viewer);
      await looks.getByRole('heading', { name: 'Home' }).waitFor();
      await looks.keyboard.press('Control+k');
      const own = looks.getByRole('dialog', { name: /^Search/ });
      await own.getByText('Sign out', { exact: true }).waitFor();
      expect((await own.locator('[data-action]').allInnerTexts()).filter((text) => text.startsWith('Add '))).toEqual(
        [],
      );
      const asked: string[] = [];
      looks.on('request', (r) => {
        const { pathname, search } = new URL(r.url());
        if (search.includes('viewer')) asked.push(pathname);
      });
      await own.getByRole('combobox').fill('viewer');
      await own.getByText('Nothing found').waitFor();
      // Users are not requested: this user may not see any.
      await expect.poll(() => asked).toContain('/api/f/device/device/list');
      expect(asked).not.toContain('/api/f/auth/user/list');
    } finally {
      await call(deleteSite, { query: { id: site.id } });
      await call(deleteSipAccounts, { query: { ids: [account.id] } });
    }
  },
);

it('in the palette Enter waits for results, and a late page does not take the focus', { tags: 'slow' }, async () => {
  const [device, other] = (await product.platform.call(listDevices, { query: { limit: 2 } })).records;
  const { page } = await product.administrator('/wel/home');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const dialog = page.getByRole('dialog', { name: /^Search/ });
  const field = dialog.getByRole('combobox');
  const answer = Promise.withResolvers<void>();
  await page.route(/device\/list\?.*search=/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await field.fill(device!.sn);
  await page.keyboard.press('Enter');
  expect(await dialog.locator('[data-action]').count()).toBe(0);
  answer.resolve();
  await page.waitForURL(`**/device/deviceDetail?id=${device!.id}`);
  await expect.poll(() => dialog.count()).toBe(0);
  // Enter does not take an earlier result that no longer matches.
  await page.keyboard.press('Control+k');
  await field.fill(device!.mac);
  await dialog.locator('[data-action][data-selected]').filter({ hasText: device!.name }).waitFor();
  await field.fill(other!.mac);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/device/deviceDetail?id=${other!.id}`);
  await expect.poll(() => dialog.count()).toBe(0);

  const chunk = Promise.withResolvers<void>();
  await page.route(/addUser[^/]*\.js|user-page[^/]*\.js/, async (route) => {
    await chunk.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await field.fill('Add user');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/system/users/addUser');
  await page.keyboard.press('Control+k');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.keyboard.type('da');
  chunk.resolve();
  await page.locator('#main h1', { hasText: 'Add user' }).waitFor();
  await page.keyboard.type('rk');
  expect(await field.inputValue()).toBe('dark');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Username' }).fill('typed');
});
