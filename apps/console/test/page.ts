import type { Page } from 'playwright-core';

export interface Person {
  username: string;
  password: string;
}

/** Fills the login form of the open page and submits it. */
export async function fillLogin(page: Page, { username, password }: Person): Promise<void> {
  await page.locator('[name=name]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=agreement]').check();
  await page.locator('button[type=submit]').click();
}
