import { afterAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { deleteMessages, editOwnUser, getClock, listMessages, modifyUser, resetCountryTime } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { publishMessage } from '../../../../test/publish.ts';

const product = useProduct();
const minute = 60_000;
const germany = 276;
const australia = 36;

afterAll(async () => {
  const { call } = product.platform;
  await call(modifyUser, { body: { timezoneId: 1 } });
  await call(editOwnUser, { body: { nickname: 'admin', countryId: 1 } });
  for (const countryId of [germany, australia]) await call(resetCountryTime, { body: { countryId } });
  const { records } = await call(listMessages, { query: { search: 'Edge-', limit: 50 } });
  if (records.length > 0) await call(deleteMessages, { body: records.map((m) => m.id) });
});

/** Creates messages one minute before and at each of these times. */
async function messagesAt(name: string, edges: readonly number[]): Promise<void> {
  for (const at of edges.flatMap((edge) => [edge - minute, edge]))
    await publishMessage(product.platform, { type: 6, objectName: `Edge-${name}` }, at);
  await eventually(async () =>
    expect((await product.platform.call(listMessages, { query: { search: `Edge-${name}` } })).total).toBe(
      edges.length * 2,
    ),
  );
}

/** Returns the times of these messages as the console shows them, in order. */
async function times(page: Page, name: string): Promise<string[]> {
  await page.goto(`/alarm?search=Edge-${name}`);
  await page.locator('[data-id]').first().waitFor();
  const rows = await page.locator('[data-id]').allInnerTexts();
  return rows.map((row) => /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(row)![0].slice(5, 16)).toReversed();
}

async function live(page: Page, zone: RegExp, country: string): Promise<void> {
  await page.goto('/info');
  await page.getByRole('banner').getByTitle('Time zone of all times shown').click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: zone }).click()]);
  await page.goto('/info');
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: country, exact: true }).click();
  const saved = page.waitForResponse((r) => r.url().includes('/time/clock'));
  await page.locator('form:has(#info-basic)').getByRole('button', { name: 'Save' }).click();
  await saved;
}

async function editRow(page: Page, id: string): Promise<void> {
  const row = page.locator(`[data-id="${id}"]`);
  await row.hover();
  await row.getByRole('button', { name: 'Edit' }).click();
}

/** Opens the rule of a country, changes it and saves it. */
async function rule(
  page: Page,
  code: string,
  change: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
): Promise<void> {
  await page.goto(`/system/time?search=${code}&limit=200`);
  await editRow(page, code);
  const dialog = page.getByRole('dialog');
  await change(dialog);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
async function pick(page: Page, dialog: ReturnType<Page['getByRole']>, name: string, option: string): Promise<void> {
  const [, side, part] = /^(start|end)(\w+)$/.exec(name)!;
  await dialog
    .getByRole('group', { name: side === 'start' ? /^Starts/ : /^Ends/ })
    .getByRole('combobox', { name: part!, exact: true })
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

it(
  'times follow the zone and its rule, and differences from the tz data are shown [SHELL-19]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    // From the tz database: Germany and New South Wales in 2026.
    await messagesAt('north', [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)]);
    await messagesAt('south', [Date.UTC(2026, 3, 4, 16), Date.UTC(2026, 9, 3, 16)]);
    const { page } = await product.loggedIn('/info');

    // North, with the seeded object.
    await live(page, /Berlin/, 'Germany');
    expect(await times(page, 'north')).toEqual(['03-29 01:59', '03-29 03:00', '10-25 02:59', '10-25 02:00']);
    await page.goto('/system/time?name=Germany');
    await page
      .locator('[data-id=DE]')
      .getByText('Last Sunday of March, 02:00 – Last Sunday of October, 03:00, 60 min')
      .waitFor();
    await page.locator('[data-id=DE]').getByText('Same').waitFor();
    // Not enabled: the stored rule applies, whatever the tz database says, and the screen says so.
    await rule(page, 'DE', async (dialog) => {
      await dialog.getByLabel('Enabled').uncheck();
    });
    await page.locator('[data-id=DE]').getByText('Differs').waitFor();
    expect(await times(page, 'north')).toEqual(['03-29 01:59', '03-29 02:00', '10-25 01:59', '10-25 02:00']);
    await page.goto('/system/time?different=true');
    await editRow(page, 'DE');
    await page
      .getByRole('dialog')
      .getByText('2026-03-29 01:00 to 2026-10-25 01:00: stored UTC+01:00, tz database UTC+02:00')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Use tz database' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('[data-id=DE]').count()).toBe(0);
    expect(await times(page, 'north')).toEqual(['03-29 01:59', '03-29 03:00', '10-25 02:59', '10-25 02:00']);
    // The text form with fixed dates: an hour earlier in spring, a day earlier in autumn.
    await rule(page, 'DE', async (dialog) => {
      await dialog.getByText('By fixed date').click();
      await pick(page, dialog, 'startDay', '29');
      await pick(page, dialog, 'startHour', '1');
      await pick(page, dialog, 'endDay', '24');
    });
    expect((await platform.call(getClock, { query: { timezoneId: 17, countryId: germany } })).rule).toBe(
      '0;3/29/1;10/24/3',
    );
    expect(await times(page, 'north')).toEqual(['03-29 02:59', '03-29 03:00', '10-25 01:59', '10-25 02:00']);

    // South, across the turn of the year: the seeded object, then the text form.
    await live(page, /Sydney/, 'Australia');
    expect(await times(page, 'south')).toEqual(['04-05 02:59', '04-05 02:00', '10-04 01:59', '10-04 03:00']);
    await rule(page, 'AU', async (dialog) => {
      await dialog.getByText('By fixed date').click();
      await pick(page, dialog, 'startDay', '4');
      await pick(page, dialog, 'endDay', '5');
      await dialog.locator('[name=minutes]').fill('30');
      await pick(page, dialog, 'endHour', '2');
    });
    expect((await platform.call(getClock, { query: { timezoneId: 34, countryId: australia } })).rule).toBe(
      '0;10/4/2;4/5/2;30',
    );
    // The end is half an hour earlier now: both times are winter time.
    expect(await times(page, 'south')).toEqual(['04-05 01:59', '04-05 02:00', '10-04 01:59', '10-04 02:30']);
    await rule(page, 'AU', async (dialog) => {
      await dialog.getByText('None', { exact: true }).click();
    });
    expect(await times(page, 'south')).toEqual(['04-05 01:59', '04-05 02:00', '10-04 01:59', '10-04 02:00']);
  },
);

it('an edited zone appears in every choice of zones', async () => {
  const { page } = await product.loggedIn('/system/time');
  await page.getByRole('button', { name: 'Time zones', exact: true }).click();
  await page.locator('footer select').selectOption('50');
  await expect.poll(() => page.locator('[data-id]').count()).toBe(41);
  const edit = async (region: string) => {
    await editRow(page, '31');
    await page.getByRole('dialog').locator('[name=region]').fill(region);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator('[data-id="31"]').getByText(region, { exact: true }).waitFor();
  };
  await edit('Eucla, Mundrabilla');
  await page.getByRole('banner').getByTitle('Time zone of all times shown').click();
  await page.getByRole('menuitem', { name: 'Eucla, Mundrabilla' }).waitFor();
  await page.keyboard.press('Escape');
  await edit('Eucla');
});
