import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  addUser,
  getDevice,
  languages,
  listDevices,
  listMessages,
  type CallError,
  type Language,
} from '@carillon/contracts';
import { idleTimeoutMs } from '@carillon/contracts/constants';
import { errorCatalogue, errorText } from '@carillon/contracts/errors';
import { eventually } from '@carillon/testing';
import { fillLogin, useProduct } from '../../../test/browser.ts';
import { pageRoutes } from '../../../test/routes.ts';
import { allTexts } from '../../texts.ts';
import { publishMessage } from '../../../test/publish.ts';

const product = useProduct();
const admin = () => product.platform.ready.admin;

/** Runs in the page: opens addresses inside it, and returns those to which the login would return. */
async function askedAfter(paths: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  for (const path of paths) {
    history.pushState({}, '', path);
    const end = Date.now() + 5_000;
    while (location.pathname !== '/login' && Date.now() < end)
      await new Promise((next) => {
        setTimeout(next, 4);
      });
    asked.push(
      location.pathname === '/login'
        ? (new URLSearchParams(location.search).get('to') ?? '/wel/home')
        : `${path} opens ${location.pathname}`,
    );
  }
  return asked;
}

it('every page asks for a login and returns to its address, except public ones [SHELL-01]', async () => {
  const [device] = (await product.platform.call(listDevices, { query: { limit: 5 } })).records;
  const { context, page } = await product.visit();
  const browser = await context.newCDPSession(page);
  /** Ends the session from an empty page, which is not already on its way to the login. */
  const forget = async () => {
    await page.goto('about:blank');
    await browser.send('Storage.clearDataForOrigin', {
      origin: product.platform.ready.url,
      storageTypes: 'cookies,local_storage',
    });
  };
  for (const [path, heading] of [
    ['/404', 'Page not found'],
    ['/403', 'No permission'],
    ['/500', 'Something went wrong'],
    ['/login', 'Sign in'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await page.goto('/no/such/path');
  await page.waitForURL('**/404');
  // Every page of the main layout, whatever it requires; SHELL-23 covers the public ones.
  const inside = pageRoutes.filter((route) => !route.isPublic).map(({ path }) => path.replaceAll(/\$\w+/g, 'some'));
  expect(inside.length).toBeGreaterThan(50);
  // Each address loads the same document, so that one page shows what every one of them would do.
  await page.goto('/login');
  await page.locator('[name=password]').waitFor();
  const documentOf = async (path: string) =>
    (await context.request.get(path, { headers: { accept: 'text/html' } })).text();
  const login = await documentOf('/login');
  const others = await Promise.all(inside.map(async (path) => ((await documentOf(path)) === login ? [] : [path])));
  expect(others.flat()).toEqual([]);
  expect(await page.evaluate(askedAfter, inside)).toEqual(inside);
  await page.locator('[name=password]').waitFor();
  for (const path of [
    '/device/list?state=online&search=room',
    '/device/addDevice',
    `/device/deviceDetail?id=${device!.id}`,
    '/system/operationLog',
  ]) {
    await page.goto(path);
    await page.waitForURL('**/login*');
    await fillLogin(page, admin());
    await page.waitForURL(`**${path}`);
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    await forget();
  }
  await page.goto('/');
  await page.waitForURL('**/login');
  await fillLogin(page, admin());
  await page.waitForURL('**/wel/home');
  await page.goto('/');
  await page.waitForURL('**/wel/home');
  await page.goto('/no/such/path');
  await page.waitForURL('**/404');
});

it('a login names missing fields and refusals, and offers no other way without a provider [AUTH-01]', async () => {
  const { page } = await product.visit();
  await page.goto('/task/list?status=finished', { waitUntil: 'networkidle' });
  await page.locator('button[type=submit]').waitFor();
  expect(await page.getByRole('link', { name: /^Continue with/ }).count()).toBe(0);
  await page.locator('button[type=submit]').click();
  for (const text of ['Enter your username or email.', 'Enter your password.', 'Agree to the terms to sign in.'])
    await page.getByText(text).waitFor();
  await page.locator('[name=name]').fill(admin().username);
  await page.locator('[name=password]').fill(admin().password);
  await page.locator('button[type=submit]').click();
  await page.getByText('Agree to the terms to sign in.').waitFor();
  expect(page.url()).toContain('/login');
  await fillLogin(page, { ...admin(), password: 'wrong' });
  await page.getByRole('alert').waitFor();
  expect(page.url()).toContain('/login');
  await page.locator('[name=password]').fill(admin().password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/task/list?status=finished');
});

it('a login never goes to another site, whatever the address says', async () => {
  const { page } = await product.visit();
  for (const to of ['//evil.example/', 'https://evil.example/', '/\\evil.example/']) {
    await page.goto(`/login?to=${encodeURIComponent(to)}`);
    await fillLogin(page, admin());
    await page
      .getByRole('navigation', { name: 'Menu' })
      .or(page.getByRole('heading', { name: 'Page not found' }))
      .waitFor();
    expect(new URL(page.url()).origin).toBe(product.platform.ready.url);
    await page.goto('/500');
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
  }
});

it('a session that is ended elsewhere ends in every tab at once, without a click', async () => {
  const { context, page } = await product.loggedIn();
  await page.getByText('Live', { exact: true }).waitFor();
  const second = await context.newPage();
  await second.goto('/task/list');
  await second.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  // Another client ends the same session: the open stream reports it.
  const answer = await context.request.get('/api/f/auth/oauth/logout', { headers: { 'carillon-language': 'en_US' } });
  expect(answer.status()).toBe(200);
  await page.waitForURL('**/login');
  // If a call of the second tab finds the session gone first, it leads there too, with the current address.
  await second.waitForURL((url) => url.pathname === '/login');
  await second.locator('[name=password]').waitFor();
  expect(await page.evaluate(() => localStorage.getItem('carillon-session'))).toBeNull();
});

it('logging out asks first and ends the session on the server, and its token becomes invalid', async () => {
  const { context, page } = await product.loggedIn('/wel/home');
  const { cookies } = await context.storageState();
  await page.getByRole('button', { name: 'User: admin' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await context.addCookies(cookies);
  expect(
    (await context.request.get('/api/f/device/device/list', { headers: { 'carillon-language': 'en_US' } })).status(),
  ).toBe(401);
});

it('a read-only user has neither menu entry nor page of the operation log [SHELL-03/server-menu]', async () => {
  const { page } = await product.loggedIn('/wel/home', product.platform.viewer);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: /Devices/ }).waitFor();
  expect(
    await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((l) => new URL((l as HTMLAnchorElement).href).pathname)),
  ).toEqual(['/wel/home', '/device/list', '/device/deviceLog', '/task/list', '/alarm']);
  await page.goto('/system/operationLog');
  await page.waitForURL('**/404');
  const { page: other } = await product.administrator('/system/operationLog');
  await other.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Activity log' }).waitFor();
});

it('a read-only user sees devices without controls to add, select or reboot them [SHELL-14/buttons]', async () => {
  const { page } = await product.loggedIn('/device/list', product.platform.viewer);
  await page.locator('[data-id]').first().waitFor();
  const forbidden = page
    .getByRole('link', { name: 'Add device' })
    .or(page.getByRole('button', { name: /Reboot|Renew secret/ }))
    .or(page.locator('main').getByRole('checkbox'));
  expect(await forbidden.count()).toBe(0);
  await page.goto(`/device/deviceDetail?id=${await page.locator('[data-id]').first().getAttribute('data-id')}`);
  await page.getByRole('heading', { name: 'Lines' }).waitFor();
  expect(await forbidden.count()).toBe(0);
  await page.goto('/device/addDevice');
  await page.getByRole('heading', { name: 'No permission' }).waitFor();
});

it('a chosen language is stored and reloads the page [SHELL-15/language] [AUTH-01/language]', async () => {
  const { page } = await product.visit();
  const lang = () => page.locator('html').getAttribute('lang');
  await page.goto('/login');
  await Promise.all([page.waitForEvent('load'), page.getByLabel('Language').selectOption('pt_BR')]);
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  expect(await lang()).toBe('pt-BR');
  await fillLogin(page, { ...admin(), password: 'wrong' });
  expect(await page.getByRole('alert').innerText()).toMatch(/senha|conta|usuário/i);
  await fillLogin(page, admin());
  await page.waitForURL('**/wel/home');
  await page.getByTitle('Idioma').click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: '한국어' }).click()]);
  await expect.poll(lang).toBe('ko');
  await page.reload();
  await expect.poll(lang).toBe('ko');
  expect(JSON.parse(await page.evaluate(() => localStorage.getItem('carillon-language')!))).toMatchObject({
    type: 'string',
    value: 'ko',
    time: expect.any(Number),
  });
});

it('four languages are complete, and server texts follow the header [SHELL-18]', async () => {
  // No text is missing, empty or left in English, in the console's files or in the catalogue.
  const console_ = fileURLToPath(new URL('../../../', import.meta.url));
  const check = ['--conditions=carillon-source', `${console_}check-texts.ts`];
  expect((await promisify(execFile)(process.execPath, check)).stdout).toMatch(/^\d{3,} texts in 4 languages/);
  // Also the texts of areas and of actions.
  const texts = Object.fromEntries(languages.map((l) => [l, allTexts(l)])) as Record<Language, Record<string, string>>;
  // No sentence equals the English one; single words and names may.
  const sentence = (text: string) =>
    text
      .replace(/\{\{\w+\}\}/g, '')
      .split(/\s+/)
      .filter((word) => /^[a-z]{2,}/.test(word)).length >= 3;
  for (const language of ['zh_CN', 'ko', 'pt_BR'] as const)
    expect(
      Object.entries(texts[language]).filter(([key, text]) => sentence(text) && text === texts.en_US[key]),
    ).toEqual([]);
  for (const [key, entry] of Object.entries(errorCatalogue))
    expect(new Set(languages.map((l) => entry[l].trim()).filter((text) => text !== '')).size, key).toBe(4);

  for (const [locale, lang, button] of [
    ['zh-CN', 'zh-CN', '登录'],
    ['zh-TW', 'zh-CN', '登录'],
    ['ko-KR', 'en', 'Sign in'],
    ['pt-BR', 'en', 'Sign in'],
    ['fr-FR', 'en', 'Sign in'],
  ] as const) {
    const { page } = await product.visit({ locale });
    await page.goto('/login');
    await page.getByRole('button', { name: button, exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  }

  // Errors of the gateway and of services, also of fields, and texts built for the reader.
  const { platform } = product;
  await publishMessage(platform, { type: 6 });
  await eventually(async () => {
    expect((await platform.call(listMessages, { query: { type: [6], limit: 5 } })).total).toBeGreaterThan(0);
  });
  const titles = new Set<string>();
  for (const language of languages) {
    const as = platform.client({ 'carillon-language': language });
    const said = (promise: Promise<unknown>) =>
      promise.then(
        () => {
          throw new Error('not refused');
        },
        (e: CallError) => e,
      );
    expect((await said(as(getDevice, { params: { id: randomUUID() } }))).message).toBe(
      errorText('common.notFound', language),
    );
    const invalid = await said(
      as(addUser, {
        body: {
          username: 'a b',
          nickname: '',
          activation: 'password',
          oldEnough: true,
          password: 'x',
          email: 'none',
          roleIds: [],
          allOrgs: true,
          orgIds: [],
        },
      }),
    );
    expect(invalid.message).toBe(errorText('common.invalid', language));
    expect(JSON.stringify(invalid)).toContain(errorText('auth.passwordRule', language));
    const answers = [
      ['/api/f/nothing', 'common.routeUnknown'],
      ['/api/f/device/device/list', 'common.tokenInvalid'],
    ] as const;
    for (const [path, key] of answers)
      expect(
        await (await fetch(platform.ready.url + path, { headers: { 'carillon-language': language } })).json(),
      ).toMatchObject({ error: key, msg: errorText(key, language) });
    titles.add((await as(listMessages, { query: { type: [6], limit: 5 } })).records[0]!.title);
  }
  expect(titles.size).toBe(4);
});

it('without a configured limit pages end a session after 30 minutes without activity [AUTH-08/limit]', async () => {
  const answer = await fetch(`${product.platform.ready.url}/carillon.json`);
  expect(await answer.json()).toMatchObject({ idleSeconds: idleTimeoutMs / 1000 });
  expect(idleTimeoutMs).toBe(30 * 60_000);
});
