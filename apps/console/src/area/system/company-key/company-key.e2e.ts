// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addSipAccount,
  addSipServer,
  deleteSipAccounts,
  deleteSipServer,
  getAccountKey,
  listOperationLog,
  type CompanyKeyRoutes,
  type RouteOutput,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { carillon } from '@carillon/testing/platform';
import { fillLogin, useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const name = 'Change key: Account passwords';
const patience = 240_000;
const made: { server?: string; account?: string } = {};
afterAll(async () => {
  const { call } = product.platform;
  if (made.account) await call(deleteSipAccounts, { query: { ids: [made.account] } });
  if (made.server) await call(deleteSipServer, { query: { id: made.server } });
});

const box = (page: Page) => page.getByRole('region', { name: 'Account passwords' });

it(
  'an administrator changes the key of account passwords, and an operator those of all companies',
  { tags: 'slow', timeout: patience },
  async () => {
    const { platform } = product;
    made.server = (
      await platform.call(addSipServer, {
        body: {
          name: 'Key PBX',
          address: 'key-pbx.example.com',
          port: 5060,
          transport: 'udp',
          domain: '',
          proxyAddress: null,
          proxyPort: null,
          backupAddress: null,
          backupPort: null,
        },
      })
    ).id;
    made.account = (
      await platform.call(addSipAccount, {
        body: { name: 'Key desk', number: '7001', serverId: made.server, authPassword: 'Console-Secret-7' },
      })
    ).id;
    const before = await platform.call(getAccountKey);
    const { page } = await product.administrator('/system/companyKey');
    await box(page)
      .getByText(/^Key created \d{4}-\d\d-\d\d/)
      .waitFor();
    const button = box(page).getByRole('button', { name });
    await button.click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByText('Then the old key is deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await platform.call(getAccountKey)).toEqual(before);

    await button.click();
    await dialog.getByRole('button', { name: 'Change key', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await box(page).getByText('Everything is encrypted with the new key. The old key will be deleted').waitFor();
    // Only one change at a time.
    await expect.poll(() => button.isDisabled()).toBe(true);
    await box(page)
      .getByText(/The old key was deleted \d{4}-\d\d-\d\d/)
      .waitFor({ timeout: patience });
    await expect.poll(() => button.isEnabled()).toBe(true);
    const after = await platform.call(getAccountKey);
    expect(after.madeAt! > before.madeAt!).toBe(true);

    const entries = async () => (await platform.call(listOperationLog, { query: { limit: 100 } })).records;
    await eventually(async () =>
      expect(await entries()).toContainEqual(expect.objectContaining({ action: 'accountKey.renewed' })),
    );
    await page.goto('/system/operationLog');
    for (const words of ['Change encryption key of account passwords', 'Encryption key of account passwords changed'])
      await page.locator('main').getByText(words, { exact: true }).first().waitFor();

    const answer = await carillon(['renew-keys', '--data', platform.folder]);
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.stdout).toMatch(/^passwords of accounts: \d+ compan(y gets|ies get) a new key$/m);
    expect(answer.stdout).toMatch(/^configuration files: \d+ compan(y gets|ies get) a new key$/m);
    await eventually(async () => expect((await platform.call(getAccountKey)).madeAt! > after.madeAt!).toBe(true));
    await eventually(async () =>
      expect(await entries()).toContainEqual(
        expect.objectContaining({ action: 'accountKey.renew', username: 'system' }),
      ),
    );
  },
);

it("the page shows a change's progress, unreadable secrets, and why a key cannot be changed yet", async () => {
  const { page } = await product.visit();
  const at = '2026-11-24T08:30:00.000Z';
  type Key = RouteOutput<CompanyKeyRoutes['get']>;
  let accounts: Key = {
    madeAt: at,
    renewal: { status: 'process', startedAt: at, endedAt: null, done: 1_240, total: 4_800, failed: 0 },
  };
  const answered = async (path: string, data: () => Key) =>
    page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      await route.fulfill({ response, json: { ...body, data: data() } });
    });
  await answered('/api/f/provisioning/companyKey', () => accounts);
  await answered('/api/f/resource/companyKey', () => ({ madeAt: null, renewal: null }));
  await page.goto('/system/companyKey');
  await fillLogin(page, product.platform.ready.admin);
  const bar = box(page).getByRole('progressbar', { name: 'Account passwords' });
  await bar.waitFor();
  expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['1240', '4800']);
  await box(page).getByText('Encrypting with the new key: 1,240 of 4,800.').waitFor();
  const files = page.getByRole('region', { name: 'Configuration files' });
  await files.getByText('Nothing is encrypted yet.').waitFor();
  await expect.poll(() => files.getByRole('button').isDisabled()).toBe(true);
  // The page polls by itself.
  accounts = {
    madeAt: at,
    renewal: { status: 'partly', startedAt: at, endedAt: at, done: 4_798, total: 4_800, failed: 2 },
  };
  await box(page)
    .getByText('2 secrets could not be read and stay as they were. The old key was kept for them.')
    .waitFor();
  await expect.poll(() => box(page).getByRole('button', { name }).isEnabled()).toBe(true);
});
