import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addUser,
  deleteExternalApp,
  deleteUsers,
  editSysConfig,
  getSysConfig,
  listExternalApps,
  listRoleNames,
  listOrganizationNames,
} from '@carillon/contracts';
import { ico, jpg, png, startMailServer, type MailServer } from '@carillon/testing';
import { unfoldMenu, useProduct } from '../../../../test/browser.ts';

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
  await save({ configKey: 'frameHosts', value: [] });
  for (const app of await product.platform.call(listExternalApps))
    await product.platform.call(deleteExternalApp, { params: { id: app.id } });
  await save({ configKey: 'fcs', value: { enabled: false, localConfigSync: false, servers: [] } });
  if (users.length > 0) await product.platform.call(deleteUsers, { query: { ids: users } });
  await mailServer?.close();
});

/** Returns a JPG of the given size, padded with comments. */
function jpgOf(bytes: number): Buffer {
  const parts = [jpg.subarray(0, 2)];
  for (let left = bytes - jpg.length; left > 0;) {
    const size = Math.min(left, 60_000);
    const comment = Buffer.alloc(size);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(size - 2, 2);
    parts.push(comment);
    left -= size;
  }
  return Buffer.concat([...parts, jpg.subarray(2)]);
}
const picture = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
const upload = (page: Page, name: string, file: ReturnType<typeof picture>) =>
  page.locator(`[data-picture=${name}] + input, [data-picture=${name}] input[type=file]`).first().setInputFiles(file);

it(
  'the operator manages all settings by screen and calls; only the public part needs no login [SYS-01]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { page } = await product.loggedIn('/wel/home');
    await unfoldMenu(page);
    await page.goto('/system/config');
    // Names and copyright.
    await page.locator('[name=systemName]').fill('Glockenspiel Manager');
    await page.locator('[name=abbreviatedName]').fill('Glocke');
    await page.locator('[name=copyright]').fill('© 2026 Glocke & Söhne');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Names and pictures saved').waitFor();
    await expect.poll(() => page.title()).toBe('System configuration · Glocke');
    // Pictures, checked by their content.
    const wrong = {
      logo: 'The logo must be a JPG picture under 100 KB.',
      loginImage: 'The picture must be a JPG or PNG under 100 KB.',
      favicon: 'The favicon must be an .ico file under 10 KB.',
    };
    const sent = async (name: keyof typeof wrong, file: ReturnType<typeof picture>) => {
      const answer = page.waitForResponse((r) => r.url().endsWith('/sysConfig') && r.request().method() !== 'GET');
      await upload(page, name, file);
      return (await answer).status();
    };
    const refused = async (name: keyof typeof wrong, file: ReturnType<typeof picture>) => {
      expect(await sent(name, file)).toBe(400);
      await page.locator(`[data-picture=${name}]`).getByText(wrong[name]).waitFor();
    };
    const taken = async (name: keyof typeof wrong, file: ReturnType<typeof picture>) => {
      expect(await sent(name, file)).toBe(200);
      await page.locator(`[data-picture=${name}]`).getByText(wrong[name]).waitFor({ state: 'detached' });
      await page.locator(`[data-picture=${name}] img`).waitFor();
    };
    await refused('logo', picture('logo.jpg', 'image/jpeg', png));
    await taken('logo', picture('logo.jpg', 'image/jpeg', jpg));
    await page.getByText('Logo saved', { exact: true }).waitFor();
    await refused('logo', picture('logo.jpg', 'image/jpeg', jpgOf(100 * 1024)));
    await taken('logo', picture('logo.jpg', 'image/jpeg', jpgOf(100 * 1024 - 1)));
    await refused('loginImage', picture('big.jpg', 'image/jpeg', jpgOf(100 * 1024)));
    for (const [name, type, file] of [
      ['login.jpg', 'image/jpeg', jpg],
      ['login.png', 'image/png', png],
    ] as const) {
      await taken('loginImage', picture(name, type, file));
      const shown = page.locator('[data-picture=loginImage] img');
      const typeNow = async () =>
        (await page.request.get((await shown.getAttribute('src'))!)).headers()['content-type'];
      await expect.poll(typeNow).toBe(type);
      // A file that is only named like a picture is refused, and the previous one stays.
      await refused('loginImage', picture(name, type, ico));
      expect(await typeNow()).toBe(type);
    }
    await refused('favicon', picture('favicon.ico', 'image/x-icon', jpg));
    const large = Buffer.concat([ico, Buffer.alloc(10 * 1024 - ico.length)]);
    await refused('favicon', picture('favicon.ico', 'image/x-icon', large));
    await taken('favicon', picture('favicon.ico', 'image/x-icon', large.subarray(0, -1)));
    await taken('favicon', picture('favicon.ico', 'image/x-icon', ico));

    // Visitors without a login see all of this on the first page.
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
    const asStranger = { 'carillon-language': 'en_US', origin: product.platform.ready.url };
    const info = await stranger.request.get('/api/f/mc/sysConfig/sys_info');
    expect([info.status(), ((await info.json()) as { data: object }).data]).toEqual([
      200,
      expect.objectContaining({
        systemName: 'Glockenspiel Manager',
        abbreviatedName: 'Glocke',
        copyright: '© 2026 Glocke & Söhne',
      }),
    ]);
    for (const answer of [
      await stranger.request.get('/api/f/mc/sysConfig/detail?configKey=emailServer'),
      await stranger.request.post('/api/f/mc/sysConfig', {
        headers: asStranger,
        data: { configKey: 'copyright', value: 'x' },
      }),
      await stranger.request.put('/api/f/mc/sysConfig', {
        headers: asStranger,
        data: { configKey: 'copyright', value: 'x' },
      }),
    ])
      expect(answer.status()).toBe(401);

    // The calls of the spec: a setting is saved by POST and PUT, and read by its key.
    for (const [method, value] of [
      ['POST', '© Glocke by POST'],
      ['PUT', '© Glocke by PUT'],
    ] as const) {
      const saved = await page.request.fetch('/api/f/mc/sysConfig', {
        method,
        headers: asStranger,
        data: { configKey: 'copyright', value },
      });
      expect([saved.status(), (await saved.json()) as object]).toEqual([
        200,
        expect.objectContaining({ data: { configKey: 'copyright', value } }),
      ]);
      const read = await page.request.get('/api/f/mc/sysConfig/detail?configKey=copyright', { headers: asStranger });
      expect(((await read.json()) as { data: object }).data).toEqual({ configKey: 'copyright', value });
    }

    // The mail server does not work before its certificate is trusted, and the page says so.
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
    await page.getByText('Certificate added', { exact: true }).waitFor();
    await page.goto('/system/config?tab=mail');
    await test.locator('[name=to]').fill('operator@example.com');
    // The stored password, which the page does not know.
    await expect
      .poll(
        async () => {
          await test.getByRole('button', { name: 'Send test email' }).click();
          await test.locator('[role=status], [role=alert]').first().waitFor();
          return test.getByText('The email server accepted the test email to operator@example.com.').isVisible();
        },
        { timeout: 45_000, interval: 1_000 },
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
    await page.getByText('Enter a host name or an IP address without a port.').waitFor();
    await page.locator('[name=address]').fill('fcs.example.com');
    await page.locator('main').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('tls:fcs.example.com:5061').waitFor();
    await page.getByLabel('Synchronize local configuration').check();
    const fcs = { enabled: true, localConfigSync: true };
    const server = { name: 'FCS 1', address: 'fcs.example.com', port: 5061, transport: 'tls', domain: '' };
    const stored = async (configKey: 'fcs' | 'certificates' | 'emailServer') =>
      (await product.platform.call(getSysConfig, { query: { configKey } })).value;
    await expect.poll(() => stored('fcs')).toEqual({ ...fcs, servers: [server] });
    await page.getByText('FCS saved', { exact: true }).first().waitFor();
    // What is deleted is named first.
    await page.getByRole('button', { name: 'Delete FCS 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete FCS 1' }).click();
    await page.getByText('FCS 1 deleted', { exact: true }).waitFor();
    expect(await stored('fcs')).toEqual({ ...fcs, servers: [] });

    // An external app appears in the menu once its host is allowed.
    await page.goto('/system/config?tab=apps');
    await page.locator('textarea[name=value]').fill('wall.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Hosts that can be embedded saved').waitFor();
    await page.getByRole('button', { name: 'Add external app' }).click();
    await page.getByRole('dialog').locator('[name=name]').fill('Wall');
    await page.getByRole('dialog').locator('[name=address]').fill('https://wall.example.com/');
    await page.getByRole('dialog').getByRole('button', { name: 'Add external app' }).click();
    await page.getByText('Wall added', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Wall' }).waitFor();

    // The certificate and the email server are removed.
    await page.goto('/system/config?tab=certificates');
    await page.getByRole('button', { name: /^Delete .*CN=localhost/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete .*CN=localhost/ })
      .click();
    await page.getByText('No certificates of your own yet.').waitFor();
    await page.goto('/system/config?tab=mail');
    await page.getByRole('button', { name: 'Remove server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove email server localhost' }).click();
    await page.getByText('Email server removed', { exact: true }).waitFor();
    expect([await stored('certificates'), await stored('emailServer')]).toEqual([[], null]);
  },
);
