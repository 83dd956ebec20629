// @module-tag slow
import { expect, it } from 'vitest';
import { addSite, listDevices, listTasks, placeDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const field = (name: string) => `[name=${name}]`;

it('a task by the local time of sites says so in a sentence, and names the window of each time zone', async () => {
  const { platform } = product;
  const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 1, sort: 'name' } });
  const [device] = records;
  const site = await platform.call(addSite, {
    body: {
      name: 'Zz local time',
      parentId: null,
      description: '',
      segments: '',
      autoAssign: false,
      timeZone: 'Asia/Tokyo',
    },
  });
  await eventually(() => platform.call(placeDevices, { body: { siteId: site.id, ids: [device!.id] } }));
  const { page } = await product.administrator('/task/addTask');
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Action', 'Locate');
  await page.getByRole('radio', { name: 'All devices' }).click();
  await choose('Type', 'Scheduled once');
  await page.locator(field('begin')).fill('2031-01-14T22:00');
  const zone = page.getByRole('combobox', { name: 'Time zone', exact: true });
  await zone.fill('');
  await zone.fill('Europe/Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Local time of each site' }).check();
  await page.locator(field('durationMinutes')).fill('90');
  await page.locator(field('name')).fill('Zz local time');
  const review = page.getByRole('button', { name: 'Review' });

  // Stages would find the first windows closed.
  await page.getByRole('checkbox', { name: /^Roll out in stages/ }).check();
  await review.click();
  await page.getByText('Local times of sites can’t be combined with stages.').waitFor();
  await page.getByRole('checkbox', { name: /^Roll out in stages/ }).uncheck();
  await review.click();

  const sentence = 'Once, 2031-01-14 22:00, local time of each site (without a time zone: Europe/Berlin)';
  await page.getByText(sentence, { exact: true }).waitFor();
  const windows = page.getByRole('region', { name: 'Windows by time zone' }).locator('tbody tr');
  // The administrator’s clock is UTC; the other devices have no site.
  await eventually(async () => expect(await windows.count()).toBe(2));
  const rows = await windows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
    ['Asia/Tokyo', '2031-01-14 13:00', '2031-01-14 14:30'],
    ['Europe/Berlin', '2031-01-14 21:00', '2031-01-14 22:30'],
  ]);
  expect(rows[0]![3]).toBe('1');
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('dialog', { name: 'Zz local time' }).getByText(sentence, { exact: true }).waitFor();
  const { records: tasks } = await platform.call(listTasks, { query: { search: 'Zz local time' } });
  expect(tasks).toMatchObject([{ inSiteZones: true, timeZone: 'Europe/Berlin', durationMinutes: 90 }]);
});
