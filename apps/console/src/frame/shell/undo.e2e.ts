// @module-tag slow
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addRole, deleteRoles, getRole, restoreRoles } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

async function roleToDelete<T>(name: string, then: (page: Page, id: string) => Promise<T>): Promise<void> {
  const { platform } = product;
  const { id } = await platform.call(addRole, { body: { name, description: '', permissions: ['home', 'device'] } });
  try {
    const { page } = await product.administrator('/system/roles');
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`Role ${name} deleted`).waitFor();
    await then(page, id);
  } finally {
    await platform.call(deleteRoles, { query: { ids: [id] } }).catch(() => undefined);
  }
}
const button = (page: Page) => page.getByRole('button', { name: 'Undo' });
const toasts = (page: Page) => page.getByRole('alert').filter({ visible: true });

it('a failed undo shows its reason and stays, by pointer and key, until it works', async () => {
  await roleToDelete('Bell polishers', async (page, id) => {
    await page.context().setOffline(true);
    await button(page).click();
    await page.getByText('The server did not answer.').waitFor();
    // Longer than a message is shown.
    await page.clock.fastForward(60_000);
    await page.context().setOffline(false);
    await page.route(
      '**/role/restore',
      (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: JSON.stringify({
            code: 503,
            success: false,
            msg: 'Not ready yet.',
            data: null,
            error: 'common.unavailable',
            requestId: 'r-1',
          }),
        }),
      { times: 1 },
    );
    await page.keyboard.press('Control+z');
    await toasts(page).getByText('Not ready yet.').waitFor();
    await toasts(page).getByText('r-1').waitFor();
    // The error is shown at the undo, and nowhere else.
    expect(await toasts(page).count()).toBe(1);
    await page.keyboard.press('Control+z');
    await page.getByText('Role Bell polishers restored').waitFor();
    await button(page).waitFor({ state: 'detached' });
    expect(await product.platform.call(getRole, { params: { id } })).toMatchObject({ name: 'Bell polishers' });
  });
});

it('a failed undo ends with the five minutes', async () => {
  await roleToDelete('Bell carriers', async (page) => {
    await page.context().setOffline(true);
    await button(page).click();
    await page.getByText('The server did not answer.').waitFor();
    await page.clock.fastForward(4 * 60_000);
    await button(page).waitFor();
    await page.clock.fastForward(61_000);
    await button(page).waitFor({ state: 'detached' });
    await page.context().setOffline(false);
  });
});

it('an undo of what is already restored says so without an error', async () => {
  await roleToDelete('Bell keepers', async (page, id) => {
    expect(await product.platform.call(restoreRoles, { body: { ids: [id] } })).toEqual({ restored: 1 });
    await button(page).click();
    await page.getByText('Already restored').waitFor();
    await page.locator('[data-id]').filter({ hasText: 'Bell keepers' }).waitFor();
    // Not in a red toast, which would stay.
    await expect.poll(() => toasts(page).count()).toBe(1);
  });
});
