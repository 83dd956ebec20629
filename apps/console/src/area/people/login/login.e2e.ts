import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
// @ts-expect-error The package brings no types.
import Provider from 'oidc-provider';
import { afterAll, expect, it } from 'vitest';
import { authSql } from '@carillon/testing/platform';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

let server: Server;
let issuer: string;
const secret = 'secret-of-the-test-0123456789';
const product = useProduct(async () => {
  server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    name: 'login',
    devices: 0,
    env: {
      CARILLON_OIDC_PROVIDERS: JSON.stringify([
        { id: 'work', name: 'Work account', issuer, clientId: 'carillon', clientSecret: secret },
      ]),
    },
  };
});
afterAll(async () => {
  server?.closeAllConnections();
  await new Promise((done) => {
    server?.close(done);
  });
});

it('a user logs in by name, email or provider, with agreement, captcha and language [AUTH-01]', async () => {
  const { admin, url } = product.platform.ready;
  await authSql(product.platform, `update user_account set email = 'admin@example.com' where username = 'admin'`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // The product's address is known only now.
  server.on(
    'request',
    new Provider(issuer, {
      clients: [
        {
          client_id: 'carillon',
          client_secret: secret,
          redirect_uris: [`${url}/api/f/auth/oidc/callback`],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the test'] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_ctx: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
      }),
    }).callback(),
  );

  const { page } = await product.visit();
  await page.goto('/login?to=/system/operationLog');
  const submit = page.locator('button[type=submit]');
  await submit.click();
  for (const text of ['Enter your username or email.', 'Enter your password.', 'Agree to the terms to sign in.'])
    await page.getByText(text).waitFor();
  const third = page.getByRole('link', { name: 'Continue with Work account' });
  await third.click();
  expect(new URL(page.url()).pathname).toBe('/login');
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('agreement');
  await page.locator('[name=name]').fill('admin@example.com');
  await page.locator('[name=password]').fill('wrong');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await submit.click();
  await page.locator('[name=agreement]').check();
  expect(sent).not.toContain('/api/f/auth/oauth/token');
  for (let i = 0; i < 3; i++) {
    const answered = page.waitForResponse('**/oauth/token');
    await submit.click();
    expect((await answered).status()).toBe(400);
  }
  await page.getByRole('alert').getByText('Wrong username or password.').waitFor();
  await page.getByAltText('Picture with five characters').waitFor();
  await page.locator('[name=password]').fill(admin.password);
  await submit.click();
  await page.getByText('Enter the characters, or let this device solve a puzzle.').waitFor();
  await page.getByRole('button', { name: /let this device solve/i }).click();
  await page.getByText('Done. You can sign in.').waitFor();
  await submit.click();
  await page.waitForURL('**/system/operationLog');
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();

  const { page: other } = await product.visit();
  await other.goto('/login');
  await expect
    .poll(() => other.getByLabel('Language').locator('option').allTextContents())
    .toEqual(['English', '中文', '한국어', 'Português']);
  await Promise.all([other.waitForEvent('load'), other.getByLabel('Language').selectOption('ko')]);
  await other.getByRole('button', { name: '로그인', exact: true }).waitFor();
  await Promise.all([other.waitForEvent('load'), other.getByLabel('언어').selectOption('en_US')]);
  await fillLogin(other, admin);
  await other.waitForURL('**/wel/home');

  for (const [who, where] of [
    ['stranger', '**/login?refused=noAccount*'],
    ['admin', '**/wel/home'],
  ] as const) {
    const { page: by } = await product.visit();
    await by.goto('/login');
    await by.locator('[name=agreement]').check();
    await by.getByRole('link', { name: 'Continue with Work account' }).click();
    await by.locator('[name=login]').fill(who);
    await by.locator('[name=password]').fill('x');
    await by.locator('[type=submit]').click();
    await by.locator('[type=submit]').click();
    await by.waitForURL(where);
    if (who === 'stranger') await by.getByRole('alert').getByText('You don’t have an account here.').waitFor();
    else await by.getByRole('button', { name: 'User: admin' }).waitFor();
  }
});
