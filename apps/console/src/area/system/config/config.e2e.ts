import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addUser,
  deleteUsers,
  editSysConfig,
  getSysConfig,
  listRoleNames,
  listOrganizationNames,
} from '@carillon/contracts';
import { ico, jpg, png, startMailServer, type MailServer } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
let mailServer: MailServer;
const users: string[] = [];

beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(async () => {
  const save = (body: Parameters<typeof product.platform.call<typeof editSysConfig>>[1]['body']) =>
    product.platform.call(editSysConfig, { body });
  for (const configKey of [
    'systemName',
    'abbreviatedName',
    'copyright',
    'logo',
    'loginImage',
    'favicon',
    'emailServer',
  ] as const)
    await save({ configKey, value: null });
  await save({ configKey: 'certificates', value: [] });
  await save({ configKey: 'fcs', value: { enabled: false, localConfigSync: false, servers: [] } });
  if (users.length > 0) await product.platform.call(deleteUsers, { query: { ids: users } });
  await mailServer?.close();
});

const picture = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
const upload = (page: Page, name: string, file: ReturnType<typeof picture>) =>
  page.locator(`[data-picture=${name}] + input, [data-picture=${name}] input[type=file]`).first().setInputFiles(file);

it('the operator sets names, pictures, copyright, the mail server with a test mail, FCS and certificates; everybody sees the public part before a login, and what does not fit is refused with its message [SYS-01/operator]', async () => {
  const { page } = await product.loggedIn('/system/config');
  // Names and copyright.
  await page.locator('[name=systemName]').fill('Glockenspiel Manager');
  await page.locator('[name=abbreviatedName]').fill('Glocke');
  await page.locator('[name=copyright]').fill('© 2026 Glocke & Söhne');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Names and pictures saved').waitFor();
  await expect.poll(() => page.title()).toBe('System configuration · Glocke');
  // Pictures, by what is in them.
  await upload(page, 'logo', picture('logo.jpg', 'image/jpeg', png));
  await page.locator('[data-picture=logo]').getByText('The logo must be a JPG picture under 100 KB.').waitFor();
  await upload(page, 'logo', picture('logo.jpg', 'image/jpeg', jpg));
  await page.locator('[data-picture=logo] img').waitFor();
  await upload(
    page,
    'loginImage',
    picture('big.jpg', 'image/jpeg', Buffer.concat([jpg.subarray(0, 4), Buffer.alloc(110_000), jpg.subarray(4)])),
  );
  await page.locator('[data-picture=loginImage]').getByText('The picture must be a JPG or PNG under 100 KB.').waitFor();
  await upload(page, 'loginImage', picture('login.png', 'image/png', png));
  await page.locator('[data-picture=loginImage] img').waitFor();
  await upload(page, 'favicon', picture('favicon.ico', 'image/x-icon', jpg));
  await page.locator('[data-picture=favicon]').getByText('The favicon must be an .ico file under 10 KB.').waitFor();
  await upload(page, 'favicon', picture('favicon.ico', 'image/x-icon', ico));
  await page.locator('[data-picture=favicon] img').waitFor();

  // Who has not logged in sees all of that, on the first page.
  const { page: stranger } = await product.visit();
  await stranger.goto('/login');
  await stranger.getByText('Glockenspiel Manager').waitFor();
  await stranger.getByText('© 2026 Glocke & Söhne').waitFor();
  expect(await stranger.title()).toBe('Sign in · Glocke');
  await stranger.waitForFunction(() => [...document.querySelectorAll('img')].every((i) => i.complete));
  const seen = await stranger.evaluate(async () => ({
    icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')!.getAttribute('href')!,
    pictures: [...document.querySelectorAll('img')].map((i) => [
      new URL(i.src).pathname.split('/').at(-1),
      i.complete && i.naturalWidth > 0,
    ]),
  }));
  expect(seen.icon).toMatch(/^\/api\/f\/mc\/sysConfig\/picture\/favicon\?v=\d+$/);
  expect(seen.pictures).toEqual([
    ['loginImage', true],
    ['logo', true],
  ]);
  expect((await stranger.request.get(`/api/f/mc/sysConfig/sys_info`)).status()).toBe(200);
  expect((await stranger.request.get(`/api/f/mc/sysConfig/detail?configKey=emailServer`)).status()).toBe(401);

  // The mail server: it does not work before its certificate is trusted, and says so.
  await page.goto('/system/config?tab=mail');
  const test = page.getByRole('form', { name: 'Send test email' });
  await page.locator('[name=host]').fill('localhost');
  expect(await page.locator('[name=port]').inputValue()).toBe('465');
  await page.locator('[name=port]').fill(String(mailServer.port));
  await page.locator('[name=user]').fill('carillon');
  await page.locator('[name=mailPassword]').fill('mail-secret');
  await page.locator('[name=from]').fill('Glocke <glocke@example.com>');
  await test.locator('[name=to]').fill('operator@example.com');
  await test.getByRole('button', { name: 'Send test email' }).click();
  await test.getByText(/The email server did not accept the test email:.*certificate/).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Leave empty to keep it.').waitFor();
  await page.goto('/system/config?tab=certificates');
  await page
    .locator('input[type=file]')
    .setInputFiles(picture('x.pem', 'application/x-pem-file', Buffer.from('no certificate')));
  await page.getByText('This is not a certificate in PEM format.').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles(picture('root.pem', 'application/x-pem-file', Buffer.from(mailServer.settings.smtpCa)));
  await page.locator('main').getByText('CN=localhost').first().waitFor();
  await page.goto('/system/config?tab=mail');
  await test.locator('[name=to]').fill('operator@example.com');
  // The stored password, which the page does not have.
  await expect
    .poll(
      async () => {
        await test.getByRole('button', { name: 'Send test email' }).click();
        await test.locator('[role=status], [role=alert]').first().waitFor();
        return test.getByText('The email server accepted the test email to operator@example.com.').isVisible();
      },
      { timeout: 15_000, interval: 1_000 },
    )
    .toBe(true);
  expect(await mailServer.next('operator@example.com')).toMatchObject({
    from: 'glocke@example.com',
    subject: 'Test email',
    secure: true,
    user: 'carillon',
  });
  expect(
    JSON.stringify(await product.platform.call(getSysConfig, { query: { configKey: 'emailServer' } })),
  ).not.toContain('mail-secret');
  // Mails of the product go there from now on.
  const [[role], [org]] = await Promise.all([
    product.platform.call(listRoleNames),
    product.platform.call(listOrganizationNames),
  ]);
  const { id } = (await product.platform.call(addUser, {
    body: {
      username: 'config-mail',
      nickname: 'Config',
      email: 'config.mail@example.com',
      activation: 'email',
      oldEnough: true,
      roleIds: [role!.id],
      allOrgs: false,
      orgIds: [org!.id],
    } as never,
  })) as { id: string };
  users.push(id);
  expect(await mailServer.next('config.mail@example.com')).toMatchObject({
    from: 'glocke@example.com',
    subject: 'Activate your account',
  });

  // FCS.
  await page.goto('/system/config?tab=fcs');
  await page.getByLabel('Enable FCS').check();
  await page.getByRole('link', { name: 'Add FCS SIP server' }).click();
  await page.locator('[name=name]').fill('FCS 1');
  await page.locator('[name=address]').fill('not a host');
  await page.locator('main').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Enter a host name or address').waitFor();
  await page.locator('[name=address]').fill('fcs.example.com');
  await page.locator('main').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('tls:fcs.example.com:5061').waitFor();
  expect((await product.platform.call(getSysConfig, { query: { configKey: 'fcs' } })).value).toEqual({
    enabled: true,
    localConfigSync: false,
    servers: [{ name: 'FCS 1', address: 'fcs.example.com', port: 5061, transport: 'tls', domain: '' }],
  });
});
