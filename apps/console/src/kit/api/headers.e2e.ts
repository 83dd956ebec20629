// @module-tag slow
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillPath, listOrganizationNames } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { logIn } from '@carillon/testing/platform';
import { fillLogin, useProduct } from '../../../test/browser.ts';
import { someone, type Someone } from '../../../test/person.ts';

const product = useProduct();
let reader: Someone;
beforeAll(async () => {
  // A user with their own zone, so that no default equals it.
  reader = await someone(product.platform, 'headers.reader', ['home', 'device'], { timezoneId: 25 });
});
afterAll(() => reader?.leave());

it('every call carries the headers of AUTH-04, and token rules hold [AUTH-04/console]', async () => {
  const { client } = product.platform.ready;
  const { page } = await product.visit();
  const calls: { path: string; headers: Record<string, string> }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push({ path: pathname, headers: request.headers() });
  });
  const says = (since: number, wanted: Record<string, string>) => {
    for (const { path, headers } of calls.slice(since))
      expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, headers[name]])), path).toEqual(wanted);
  };
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const defaults = { authorization: basic, 'carillon-language': 'en_US', 'carillon-org': '1' };

  // Without a login: the same, without a token.
  await page.goto(`/system/activeUser#${'x'.repeat(43)}`);
  await page.getByText('The activation link is invalid or has expired.').waitFor();
  await page.goto('/forgetPassword', { waitUntil: 'networkidle' });
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect(new Set(calls.map((c) => c.path)).size).toBeGreaterThan(2);
  says(0, { ...defaults, 'carillon-timezone': '1' });
  for (const { path, headers } of calls)
    expect([headers['carillon-auth'], headers['carillon-token']], path).toEqual([undefined, undefined]);

  let since = calls.length;
  const answered = page.waitForResponse('**/api/f/auth/oauth/token');
  await fillLogin(page, reader);
  const { access_token: token, orgId } = (await (await answered).json()) as { access_token: string; orgId: string };
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /Devices/ })
    .click();
  await page.locator('[data-id]').first().waitFor();
  says(since, defaults);
  const open = new Set(allRoutes.filter((r) => r.route.permission === 'public').map((r) => r.route.path as string));
  const inside = calls.filter((c) => !open.has(c.path));
  expect(inside.length).toBeGreaterThan(4);
  for (const { path, headers } of inside)
    expect([headers['carillon-auth'], headers['carillon-token'], headers['carillon-timezone']], path).toEqual([
      `bearer ${token}`,
      token,
      '25',
    ]);

  // Another organization and language apply after their choice; the list of organizations is never limited.
  const [own] = (await product.platform.call(listOrganizationNames)).filter((o) => o.id === orgId);
  since = calls.length;
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: own!.name, exact: true }).click();
  const chosen = (language: string) =>
    calls
      .slice(since)
      .filter((c) => c.headers['carillon-language'] === language && c.path !== '/api/f/mc/org')
      .map(({ headers }) => [headers['authorization'], headers['carillon-org'], headers['carillon-timezone']]);
  await expect.poll(() => chosen('en_US')).toContainEqual([basic, orgId, '25']);
  await page.getByRole('banner').getByTitle('Language').click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: '한국어' }).click()]);
  await expect.poll(() => chosen('ko').length).toBeGreaterThan(3);
  for (const one of chosen('ko')) expect(one).toEqual([basic, orgId, '25']);

  const ask = async (path: string, headers: Record<string, string>, method = 'GET', body?: string) =>
    (
      await fetch(product.platform.ready.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body ? { body } : {}),
      })
    ).status;
  const info = '/api/f/mc/user/info';
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { 'carillon-auth': `bearer ${token}` },
    { 'carillon-token': token },
    { 'carillon-auth': `bearer ${token}`, 'carillon-token': token, authorization: 'Basic eDp5' },
  ] as Record<string, string>[])
    expect(await ask(info, headers), JSON.stringify(Object.keys(headers))).toBe(200);
  expect(await ask(info, { 'carillon-auth': `bearer ${token}`, 'carillon-token': `${token}x` })).toBe(401);
  // Two valid tokens, each accepted alone, but they differ.
  const other = await logIn(product.platform.ready);
  for (const headers of [
    { 'carillon-auth': `bearer ${token}`, 'carillon-token': other },
    { authorization: `Bearer ${other}`, 'carillon-token': token },
    { authorization: `Bearer ${other}`, 'carillon-auth': `bearer ${token}` },
  ] as Record<string, string>[])
    expect(await ask(info, headers), JSON.stringify(Object.keys(headers))).toBe(401);
  expect(await ask(info, { 'carillon-token': other })).toBe(200);
  // Basic authentication identifies the client, which is required where a session begins.
  const login = { grant_type: 'captcha', scope: 'all', username: randomUUID(), password: '0'.repeat(32) };
  const begin = async (authorization: string) =>
    (
      (await (
        await fetch(`${product.platform.ready.url}/api/f/auth/oauth/token`, {
          method: 'POST',
          headers: { authorization },
          body: new URLSearchParams(login),
        })
      ).json()) as { error: string }
    ).error;
  expect(await begin('Basic eDp5')).toBe('auth.clientInvalid');
  expect(await begin(basic)).toBe('auth.wrongCredentials');
  const admitted: string[] = [];
  for (const { name, route } of allRoutes) {
    if (route.permission === 'public') continue;
    const path = fillPath(
      route.path,
      Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((p) => [p, randomUUID()])),
    );
    for (const headers of [{}, { 'carillon-token': 'x' }] as Record<string, string>[]) {
      const status = await ask(path, headers, route.method, route.body ? '{}' : undefined);
      if (status !== 401) admitted.push(`${name} ${status}`);
    }
  }
  expect(admitted).toEqual([]);
});
