import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { fillPath } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('every call of the console carries client, bearer token, product token, language, organization and zone; a token works by each of its headers alone, two that differ are 401, and without one every call that is not public is 401 [AUTH-04]', async () => {
  const { page } = await product.visit();
  const calls: { path: string; headers: Record<string, string> }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push({ path: pathname, headers: request.headers() });
  });
  await page.goto('/login');
  await page.locator('[name=name]').fill(product.platform.ready.admin.username);
  await page.locator('[name=password]').fill(product.platform.ready.admin.password);
  await page.locator('[name=agreement]').check();
  const answered = page.waitForResponse('**/api/f/auth/oauth/token');
  await page.locator('button[type=submit]').click();
  const { access_token: token, orgId } = (await (await answered).json()) as { access_token: string; orgId: string };
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /Devices/ })
    .click();
  await page.locator('[data-id]').first().waitFor();
  const open = new Set(allRoutes.filter((r) => r.route.permission === 'public').map((r) => r.route.path as string));
  const inside = calls.filter((c) => !open.has(c.path));
  expect(inside.length).toBeGreaterThan(4);
  for (const { path, headers } of calls) {
    expect(headers['authorization'] ?? `none at ${path}`).toMatch(/^Basic \S+$/);
    expect(headers['carillon-language'], path).toBe('en_US');
    expect(headers['carillon-timezone'], path).toBe('1');
    expect(['1', orgId], path).toContain(headers['carillon-org']);
  }
  for (const { path, headers } of inside)
    expect([headers['carillon-auth'], headers['carillon-token']], path).toEqual([`bearer ${token}`, token]);

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
