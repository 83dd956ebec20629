import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Instance } from './instance.ts';

/** How every bench starts Chromium: without background activity of its own. */
export const launch = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
};

/** Logs the administrator in by the form of the login page. */
export async function logIn(page: Page, { url, data }: Instance): Promise<void> {
  const { admin } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as {
    admin: { username: string; password: string };
  };
  if (!page.url().endsWith('/login')) await page.goto(`${url}/login`);
  await page.locator('[name=name]').fill(admin.username);
  await page.locator('[name=password]').fill(admin.password);
  await page.locator('[name=agreement]').check();
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/wel\/home/);
}
