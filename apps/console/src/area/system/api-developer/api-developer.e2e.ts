import { expect, it } from 'vitest';
import {
  activateByPassword,
  addApiToken,
  addCompany,
  editDevice,
  listApiTokens,
  listDevices,
  listOperationLog,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a company opens the API, makes a limited token and revokes it, and calls are logged [AUTH-17]', async () => {
  const { page } = await product.administrator('/system/apiDeveloper');
  await page.getByRole('status').getByText('API access is off').waitFor();
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const { password } = product.platform.ready.admin;
  const early = { name: 'Early', scopes: ['device' as const], expiresAt: inAnHour, password };
  await expect(product.platform.call(addApiToken, { body: early })).rejects.toMatchObject({ error: 'auth.apiClosed' });
  await page.getByRole('button', { name: 'Enable API' }).click();
  await page.getByRole('status').getByText('API access is on').waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Enter a name, for example Monitoring.').waitFor();
  await dialog.getByLabel('Name').fill('Monitoring');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Choose at least one permission.').waitFor();
  // From the tree of the roles: a right adds its page.
  await dialog.getByLabel('Edit devices', { exact: true }).check();
  await dialog.getByLabel('Expires after').selectOption('30');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Enter your password.').waitFor();
  // A wrong password is refused at its field, and the rest of the form stays.
  const ownPassword = dialog.getByLabel('Current password', { exact: true });
  expect(await ownPassword.getAttribute('autocomplete')).toBe('current-password');
  await ownPassword.fill('Wrong-Secret-9');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('The current password is wrong.').waitFor();
  expect(await ownPassword.getAttribute('aria-invalid')).toBe('true');
  expect(await product.platform.call(listApiTokens, { query: { search: 'Monitoring' } })).toMatchObject({ total: 0 });
  await ownPassword.fill(password);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByRole('dialog', { name: 'Token “Monitoring”' }).locator('code').innerText();
  expect(token).toMatch(/^carillon_[\w-]{43}$/);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const row = page.locator('[data-id]').filter({ hasText: 'Monitoring' });
  expect(await row.innerText()).toMatch(/active[\s\S]*Devices[\s\S]*Edit devices[\s\S]*admin/);
  await page.reload();
  await row.waitFor();
  expect(await page.content()).not.toContain(token);
  const listed = JSON.stringify(await product.platform.call(listApiTokens, { query: { limit: 200 } }));
  expect(listed).toContain('Monitoring');
  expect(listed).not.toContain(token);

  const { url } = product.platform.ready;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
  const list = await eventually(async () => {
    const answer = await ask('/api/f/device/device/list?limit=5');
    expect(answer.status).toBe(200);
    return answer.json() as Promise<{ data: { total: number; records: { id: string; name: string }[] } }>;
  });
  expect(list.data.total).toBe((await product.platform.call(listDevices, { query: { limit: 5 } })).total);
  const device = list.data.records[0]!;
  for (const [path, init, status] of [
    ['/api/f/task/task/list', {}, 403],
    ['/api/f/notification/operationLog/list', {}, 403],
    ['/api/f/auth/api/token/list', {}, 403],
    ['/api/f/mc/user/info', {}, 403],
    ['/api/f/gateway/live', {}, 403],
    ['/api/f/auth/oauth/logout', {}, 403],
    [`/api/f/device/device?ids=${device.id}`, { method: 'DELETE' }, 403],
    [
      '/api/f/auth/api/token/add',
      {
        method: 'POST',
        body: JSON.stringify({
          name: 'More',
          scopes: ['device'],
          expiresAt: new Date(Date.now() + 1e6).toISOString(),
          password,
        }),
      },
      403,
    ],
    ['/api/f/device/device/list?limit=none', {}, 400],
    ['/api/f/device/device', { method: 'PUT', body: JSON.stringify({ id: device.id, misspelt: '' }) }, 400],
  ] as const)
    expect((await ask(path, init)).status, path).toBe(status);
  const entries = async () =>
    (await product.platform.call(listOperationLog, { query: { search: 'Monitoring', limit: 50 } })).records
      .filter((e) => e.username === 'admin · Monitoring')
      .map((e) => `${e.action} ${e.objectName ?? ''}`);
  await eventually(async () => {
    expect(await entries()).toContain('api.read GET /api/f/device/device/list');
  });
  // So are the ten refused calls, whether the API gateway or a service refused them.
  const refused = async () =>
    (await product.platform.call(listOperationLog, { query: { search: 'Monitoring', limit: 50 } })).records
      .filter((e) => e.username === 'admin · Monitoring' && e.result !== 'success')
      .map((e) => `${e.result} ${String(e.detail['call'])}`)
      .toSorted();
  await eventually(async () => {
    expect(await refused()).toEqual([
      'common.forbidden DELETE /api/f/device/device',
      'common.forbidden GET /api/f/auth/api/token/list',
      'common.forbidden GET /api/f/auth/oauth/logout',
      'common.forbidden GET /api/f/gateway/live',
      'common.forbidden GET /api/f/mc/user/info',
      'common.forbidden GET /api/f/notification/operationLog/list',
      'common.forbidden GET /api/f/task/task/list',
      'common.forbidden POST /api/f/auth/api/token/add',
      'common.invalid GET /api/f/device/device/list',
      'common.invalid PUT /api/f/device/device',
    ]);
  });

  // A permission for changes works, and the log names the program and the device.
  const rename = (asking: typeof ask, name: string) =>
    asking('/api/f/device/device', { method: 'PUT', body: JSON.stringify({ id: device.id, name }) });
  const renamed = `${device.name.slice(0, 40)} by a program`;
  expect((await rename(ask, renamed)).status).toBe(200);
  const nameNow = async () =>
    (await product.platform.call(listDevices, { query: { limit: 200 } })).records.find((d) => d.id === device.id)?.name;
  expect(await nameNow()).toBe(renamed);
  await eventually(async () => {
    expect(await entries()).toContain(`device.edit ${renamed}`);
  });

  // A token of another company can neither see nor change devices of this one.
  const [first, own] = ['First-Secret-1', 'Second-Secret-2'];
  const administrator = `tower.${Date.now().toString(36)}`;
  await product.platform.call(addCompany, {
    body: {
      name: `Towers ${administrator}`,
      type: 'enterprise',
      organizationName: 'Tower',
      remarks: '',
      username: administrator,
      nickname: 'Tower',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: 1,
      countryId: 1,
    },
  });
  await product.platform.plainClient()(activateByPassword, {
    body: { username: administrator, password: first, newPassword: own, confirmation: own },
  });
  const { context: other } = await product.loggedIn('/wel/home', { username: administrator, password: own });
  const post = async (path: string, data: object = {}) => {
    const answer = await other.request.post(path, { headers: { origin: url }, data });
    return (await answer.json()) as { data: { token: string } };
  };
  await post('/api/f/auth/api/open');
  const foreign = await post('/api/f/auth/api/token/add', {
    name: 'Monitoring',
    scopes: ['device', 'editDevice'],
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    password: own,
  });
  const askForeign: typeof ask = (path, init = {}) =>
    fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${foreign.data.token}`, 'content-type': 'application/json' },
    });
  await eventually(async () => {
    const answer = await askForeign('/api/f/device/device/list?limit=5');
    expect([answer.status, ((await answer.json()) as typeof list).data]).toMatchObject([200, { total: 0 }]);
  });
  expect((await rename(askForeign, 'Taken')).status).toBe(404);
  expect(await nameNow()).toBe(renamed);
  await product.platform.call(editDevice, { body: { id: device.id, name: device.name } });

  // An expired token is invalid although it was not revoked.
  const ends = Date.now() + 3_000;
  const brief = await product.platform.call(addApiToken, {
    body: { name: 'Brief', scopes: ['device'], expiresAt: new Date(ends).toISOString(), password },
  });
  const askBriefly = async () =>
    (await fetch(`${url}/api/f/device/device/list`, { headers: { authorization: `Bearer ${brief.token}` } })).status;
  await eventually(async () => {
    expect(await askBriefly()).toBe(200);
  }, 2_500);
  await eventually(async () => {
    expect(await askBriefly()).toBe(401);
  }, 10_000);
  expect(Date.now()).toBeGreaterThanOrEqual(ends);

  await row.hover();
  await row.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token Monitoring', exact: true }).click();
  await row.getByText('revoked').waitFor();
  await eventually(async () => {
    expect((await ask('/api/f/device/device/list')).status).toBe(401);
  }, 1_000);
  // Closing the API also ends tokens that were not revoked.
  const left = await product.platform.call(addApiToken, { body: { ...early, name: 'Left' } });
  const askLeft = async () =>
    (await fetch(`${url}/api/f/device/device/list`, { headers: { authorization: `Bearer ${left.token}` } })).status;
  await eventually(async () => {
    expect(await askLeft()).toBe(200);
  });
  await page.getByRole('button', { name: 'Disable API' }).click();
  await page.getByRole('dialog', { name: 'Disable API' }).getByRole('button', { name: 'Disable API' }).click();
  await page.getByRole('status').getByText('API access is off').waitFor();
  await eventually(async () => {
    expect(await askLeft()).toBe(401);
  });
});
