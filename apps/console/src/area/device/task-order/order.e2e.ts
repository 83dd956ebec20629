import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { listDevices, previewTask } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const patience = 300_000;
const field = (name: string) => `[name=${name}]`;
/** Returns a UTC minute in the format of its field. */
const minute = (at: number) => new Date(at).toISOString().slice(0, 16);
const minuteMs = 60_000;
const combobox = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true });
const choose = async (page: Page, label: string, option: string) => {
  await combobox(page, label).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const zone = async (page: Page, name: string) => {
  // It may be the selected one already.
  await combobox(page, 'Time zone').fill('');
  await combobox(page, 'Time zone').fill(name);
  await page.getByRole('option', { name, exact: true }).click();
};

it(
  'a selection moves from the action dialog to the page, survives a reload, and is run when created',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 2, sort: 'name' } });
    const { page } = await product.administrator('/device/list?state=online&sort=name');
    for (const { id } of records) await page.locator(`[data-id="${id}"] input[type=checkbox]`).click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Locate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('How long, in seconds (5 to 120)').fill('85');
    await dialog.getByRole('button', { name: 'More options' }).click();
    await page.waitForURL('**/task/addTask?draft=*');
    await page.reload();
    await page.getByRole('radio', { name: '2 selected devices' }).waitFor();
    expect(await page.getByLabel('How long, in seconds (5 to 120)').inputValue()).toBe('85');
    expect(await page.locator(field('name')).inputValue()).toBe('Locate 2 devices');
    await page.locator(field('name')).fill('Zz order now');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'Review Zz order now' }).waitFor();
    await page.getByText('2 devices would run this now').waitFor();
    for (const { name } of records) await page.getByRole('link', { name, exact: true }).waitFor();
    const before = Date.now();
    await page.getByRole('button', { name: 'Create task' }).click();
    const drawer = page.getByRole('dialog', { name: 'Zz order now' });
    await drawer.getByText(/^Ended \d{4}-/).waitFor();
    await drawer.getByText('2 of 2 devices finished').waitFor();
    const shown = (await platform.devices()).filter((d) => records.some(({ mac }) => mac === d.mac));
    for (const { shows } of shown)
      expect(Date.parse(shows!['blinking']!) - 85_000).toBeGreaterThanOrEqual(before - 1_000);
    // The selection is used up, so the page starts empty.
    await page.goto('/task/addTask');
    await page.getByRole('radio', { name: 'Devices that match' }).waitFor();
    expect(await page.getByRole('radio', { name: /selected/ }).count()).toBe(0);
  },
);

it(
  'a selection of all matches with exclusions becomes a filter, and excluded devices can be added back',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/device/list?state=online');
    await page.locator('thead input').click();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByRole('button', { name: /^Select all/ }).click();
    await page.locator('[data-id] input[type=checkbox]').nth(1).click();
    await bar.getByRole('button', { name: 'Locate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'More options' }).click();
    await page.getByRole('button', { name: 'Status is Online' }).waitFor();
    const { total } = await platform.call(listDevices, { query: { state: ['online'], limit: 1 } });
    await page.getByText(`${total - 1} devices match now`).waitFor();
    await page.getByText('1 device left out').waitFor();
    await page.getByRole('button', { name: 'Include' }).click();
    await page.getByText(`${total} devices match now`).waitFor();
  },
);

it(
  'a task for matching devices waits without being called started, and runs at its time',
  { tags: 'slow', timeout: patience + 60_000 },
  async () => {
    const { platform } = product;
    const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 1, sort: '-name' } }))
      .records;
    const { page } = await product.administrator('/task/list');
    await page.getByRole('link', { name: 'New task' }).click();
    await choose(page, 'Action', 'Locate');
    await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(device!.mac);
    await page.getByText('1 device matches now').waitFor();
    await page.locator(field('name')).fill('Zz order timer');
    await choose(page, 'Type', 'Scheduled once');
    await zone(page, 'UTC');
    // The next whole minute, or the one after it when there is too little time to fill in the page.
    const due = Math.ceil((Date.now() + 15_000) / minuteMs) * minuteMs;
    await page.locator(field('begin')).fill(minute(due));
    const answer = `Once, ${minute(due).replace('T', ' ')}, UTC time`;
    await page.getByText(answer, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('1 device would run this now').waitFor();
    await page.getByText(answer, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create task' }).click();
    const drawer = page.getByRole('dialog', { name: 'Zz order timer' });
    await drawer.getByText(/^Starts \d{4}-/).waitFor();
    expect(await drawer.getByRole('progressbar').count()).toBe(0);
    await drawer.getByText('1 of 1 device finished').waitFor({ timeout: patience });
    const { shows } = (await platform.devices()).find((d) => d.mac === device!.mac)!;
    expect(Date.parse(shows!['blinking']!)).toBeGreaterThanOrEqual(due);
  },
);

it('invalid times, versions and selections are reported before sending [TASK-01] [TASK-05]', async () => {
  const { page } = await product.administrator('/task/list');
  const sent: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'POST' && r.url().includes('/api/f/task/')) sent.push(r.url());
  });
  await page.getByRole('link', { name: 'New task' }).click();
  const review = page.getByRole('button', { name: 'Review' });
  await review.click();
  await page.getByText('Choose an action.').waitFor();
  await page.getByText('Add a condition, or choose all devices.').waitFor();
  await choose(page, 'Action', 'Locate');
  await page.getByRole('radio', { name: 'All devices' }).click();
  await choose(page, 'Type', 'Recurring');
  await choose(page, 'Repeats', 'Weekly');
  await page.locator(field('begin')).fill(minute(Date.now() - 48 * 3_600_000));
  await page.locator(field('from')).fill('2.10.1');
  await page.locator(field('to')).fill('2.12.2');
  await review.click();
  for (const words of [
    'Choose at least one weekday.',
    'The start time can’t be earlier than now.',
    'The last digit of the end version must be the same as that of the begin version.',
  ])
    await page.getByText(words).waitFor();
  await page.locator(field('begin')).fill('2031-02-01T02:30');
  await page.locator(field('end')).fill('2031-01-01T02:30');
  await page.getByRole('checkbox', { name: 'Monday' }).check();
  await page.locator(field('to')).fill('2.12.1');
  await review.click();
  await page.getByText('The end can’t be earlier than the beginning.').waitFor();
  expect(sent).toEqual([]);
  // February has no such day.
  await choose(page, 'Repeats', 'Monthly by day');
  await page.locator(field('day')).fill('31');
  await page.getByText('Months without this day are skipped.').waitFor();
  await page.locator(field('end')).fill('2031-02-27T02:30');
  await review.click();
  await page.getByText('With this schedule, the task would never run.').waitFor();
  expect(sent).toHaveLength(1);
});

it(
  'a monthly task shows a sentence, five runs and the devices that are skipped [TASK-08/review]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/task/addTask');
    await choose(page, 'Action', 'Locate');
    await page.getByRole('radio', { name: 'All devices' }).click();
    await choose(page, 'Type', 'Recurring');
    await choose(page, 'Repeats', 'Monthly by weekday');
    await choose(page, 'Which one', 'Second');
    await choose(page, 'Weekday', 'Tuesday');
    await page.locator(field('begin')).fill('2031-01-01T02:30');
    await zone(page, 'Europe/Berlin');
    await page.locator(field('sync')).fill('20');
    await page.locator(field('durationMinutes')).fill('90');
    // Pacing: invalid values are reported at their fields, and valid ones are shown in words.
    await page.locator(field('spreadMinutes')).fill('90');
    await page.locator(field('siteSync')).fill('5');
    await page.locator(field('sitePerMinute')).fill('30');
    await page.getByText('Retry failed devices', { exact: true }).click();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('The spread must be shorter than the time limit.').waitFor();
    await page.locator(field('spreadMinutes')).fill('60');
    await page.getByRole('checkbox', { name: 'The device doesn’t answer in time' }).uncheck();
    await page.getByRole('button', { name: 'Review' }).click();
    for (const words of [
      'Devices start spread over 60 minutes',
      'At most 5 devices at once · At most 30 devices a minute',
      'Up to 3 tries, the second after 60 s, then twice as long each time · The device is busy · A download or a restart broke it off',
    ])
      await page.getByText(words, { exact: true }).waitFor();
    const answer = 'Every month on the second Tuesday at 02:30, Europe/Berlin time, from 2031-01-01';
    await page.getByText(answer, { exact: true }).waitFor();
    const runs = page.getByRole('region', { name: 'Next runs' }).locator('tbody tr');
    await runs.nth(4).waitFor();
    expect(await runs.locator('td:first-child').allInnerTexts()).toEqual([
      '2031-01-14 02:30',
      '2031-02-11 02:30',
      '2031-03-11 02:30',
      '2031-04-08 02:30',
      '2031-05-13 02:30',
    ]);
    const body = {
      action: 'locate',
      target: { filter: {} },
    } as const;
    const seen = await platform.call(previewTask, { body, query: { limit: 200, only: 'skipped' } });
    expect(seen.devices.total).toBeGreaterThan(0);
    const devices = page.getByRole('region', { name: 'Devices' });
    await devices.getByRole('button', { name: /^Skipped \d+$/ }).click();
    const first = seen.devices.records[0]!;
    const row = devices.getByRole('row').filter({ hasText: first.name });
    await row.getByText(first.message!).first().waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    // The values are still there.
    expect(await page.locator(field('sync')).inputValue()).toBe('20');
  },
);
