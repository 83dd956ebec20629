import type { Page } from 'playwright-core';

export const row = (page: Page, name: string) => page.locator('[data-id]').filter({ hasText: name });
/** Runs an action of a row. */
export async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
export async function agree(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
/** Returns a user's row by column name. */
export async function listed(page: Page, name: string): Promise<Record<string, string>> {
  const [heads, cells] = await Promise.all([
    page.locator('main th').allInnerTexts(),
    row(page, name).locator('td').allInnerTexts(),
  ]);
  return Object.fromEntries(
    heads.map((head, i) => [head.trim(), cells[i]!.trim()]).filter(([head]) => head !== '' && head !== 'Actions'),
  );
}
export async function pick(page: Page, nth: number, option: string): Promise<void> {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
}
export async function select(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByLabel(label, { exact: true }))
    .filter({ visible: true })
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
