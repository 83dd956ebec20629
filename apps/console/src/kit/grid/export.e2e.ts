import { expect, it } from 'vitest';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('whoever reloads or leaves the page while the file of a list is written is asked first; who stays gets the whole file, and is asked nothing after it', async () => {
  const { page } = await product.administrator('/about');
  await page.getByRole('link', { name: 'Activity log' }).click();
  await page.locator('[data-id]').first().waitFor();
  // Its page for the file answers when the test lets it.
  let goOn = () => {};
  const held = new Promise<void>((done) => {
    goOn = done;
  });
  await page.route(
    (url) => url.pathname === '/api/f/notification/operationLog/list' && url.searchParams.get('limit') === '200',
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  await dialog.getByRole('progressbar').waitFor();

  const asked: string[] = [];
  page.on('dialog', (d) => {
    asked.push(`${d.type()} ${d.message()}`);
    void d.dismiss();
  });
  await page.evaluate(() => {
    setTimeout(() => location.reload());
  });
  await expect.poll(() => asked).toEqual(['beforeunload ']);
  await page.evaluate(() => history.back());
  const leave = page.getByRole('dialog', { name: 'Leave and stop the export?' });
  await leave.getByText('The file is not finished.').waitFor();
  await leave.getByRole('button', { name: 'Keep exporting' }).click();
  await leave.waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/system/operationLog');
  await dialog.getByRole('progressbar').waitFor();

  const [download] = await Promise.all([page.waitForEvent('download'), Promise.resolve(goOn())]);
  expect(download.suggestedFilename()).toBe('Activity log.csv');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.evaluate(() => history.back());
  await page.waitForURL('**/about');
  expect(asked).toHaveLength(1);
  expect(await leave.count()).toBe(0);
});
