import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addTask, cancelTask, listDevices, listTasks, type RouteInput } from '@carillon/contracts';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';
import { someone } from '../../../../test/person.ts';

const product = useProduct();
type Order = Partial<RouteInput<typeof addTask>['body']>;

/** Waits until the list shows exactly these tasks. */
const shows = (page: Page, names: readonly string[]) =>
  expect
    .poll(async () => (await page.locator('main [data-id] [data-name]').allInnerTexts()).sort(), { timeout: 20_000 })
    .toEqual([...names].sort());
const cellOf = async (page: Page, name: string, column: string) => {
  const at = await page
    .locator(`main th[data-column=${column}]`)
    .evaluate((th) => (th as HTMLTableCellElement).cellIndex);
  return page.locator('main [data-id]').filter({ hasText: name }).locator('td').nth(at).innerText();
};

it(
  'the list shows and filters every field of its tasks, and shows all without a type filter [TASK-10]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { platform } = product;
    const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 3, sort: 'name' } });
    const [first, second, third] = records;
    const creator = await someone(platform, 'zz.task.creator', ['task', 'addTask', 'locateDevice', 'device']);
    const token = await logIn({ ...platform.ready, admin: creator });
    const ofCreator = platform.client({ 'carillon-auth': `bearer ${token}` });
    const make = async (call: typeof platform.call, name: string, ids: string[], more: Order = {}) =>
      call(addTask, {
        body: { name, action: 'locate', params: {}, target: { ids }, timeZone: 'UTC', ...more },
      });
    const now = await make(platform.call, 'Zz list now', [first!.id, second!.id]);
    await platform.ended(now.id);
    const timer = await make(ofCreator, 'Zz list timer', [first!.id, second!.id], {
      schedule: { type: 'timer', begin: '2031-05-06T07:08' },
      durationMinutes: 55,
    });
    const cycle = await make(platform.call, 'Zz list cycle', [first!.id, second!.id, third!.id], {
      action: 'reboot',
      schedule: {
        type: 'cycle',
        begin: '2032-02-01T03:04',
        end: '2032-12-31T23:59',
        repeat: { every: 'monthWeekday', ordinal: -1, weekday: 5 },
      },
      versionRange: { from: '2.4.1', to: '2.10.1' },
    });
    const all = ['Zz list now', 'Zz list timer', 'Zz list cycle'];
    const { page } = await product.administrator('/task/list?search=Zz+list');
    await shows(page, all);
    const { total } = await platform.call(listTasks, { query: { search: 'Zz list', type: ['all'] } });
    expect(total).toBe(all.length);
    await page.goto('/task/list?search=Zz+list&type=all');
    await shows(page, all);

    // Also the columns that are hidden by default.
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const column of ['Type', 'Devices', 'Repeats', 'Last run', 'Time limit (min)', 'Version range'])
      await page.getByRole('checkbox', { name: column, exact: true }).check();
    await page.keyboard.press('Escape');
    const published: Record<string, Record<string, string>> = {
      'Zz list now': { type: 'Immediate', action: 'Locate', status: 'Success', repeat: '–', devices: '2', endAt: '–' },
      'Zz list timer': {
        type: 'Scheduled once',
        status: 'Waiting',
        beginAt: '2031-05-06 07:08:00',
        endAt: '–',
        durationMinutes: '55',
        repeat: '–',
        devices: '2',
        version: '–',
        creatorName: 'zz.task.creator',
      },
      'Zz list cycle': {
        type: 'Recurring',
        action: 'Reboot',
        status: 'Waiting',
        beginAt: '2032-02-27 03:04:00',
        endAt: '2032-12-31 03:04:00',
        durationMinutes: '–',
        repeat: 'Every month on the last Friday at 03:04',
        version: '2.4.1 to 2.10.1',
        devices: '3',
        creatorName: 'admin',
      },
    };
    for (const [name, cells] of Object.entries(published))
      for (const [column, text] of Object.entries(cells))
        await expect.poll(() => cellOf(page, name, column), { message: `${name}: ${column}` }).toBe(text);

    // Each filter by its field.
    const filtered = async (
      field: string,
      fill: (panel: ReturnType<Page['getByRole']>) => Promise<void>,
      names: string[],
    ) => {
      await page.goto('/task/list?search=Zz+list');
      await shows(page, all);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('menuitem', { name: field, exact: true }).click();
      const panel = page.getByRole('dialog', { name: field, exact: true });
      await fill(panel);
      await page.keyboard.press('Escape');
      await shows(page, names);
    };
    const tick = (option: string) => (panel: ReturnType<Page['getByRole']>) =>
      panel.getByRole('checkbox', { name: option, exact: true }).check();
    const typed = (text: string) => async (panel: ReturnType<Page['getByRole']>) => {
      await panel.getByRole('textbox', { name: 'Value' }).fill(text);
      await panel.getByRole('button', { name: 'Add' }).click();
    };
    const between =
      (from: string, to: string, days = false) =>
      async (panel: ReturnType<Page['getByRole']>) => {
        if (days) await panel.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'between' });
        await panel.getByLabel('from').fill(from);
        await panel.getByLabel('to', { exact: true }).fill(to);
      };
    await filtered('Name', typed('list timer'), ['Zz list timer']);
    await filtered('Type', tick('Recurring'), ['Zz list cycle']);
    await filtered('Type', tick('Immediate'), ['Zz list now']);
    await filtered('Action', tick('Reboot'), ['Zz list cycle']);
    await filtered('Status', tick('Success'), ['Zz list now']);
    await filtered('Begins', between('2031-05-01', '2031-05-31', true), ['Zz list timer']);
    await filtered('Last run', between('2032-12-01', '2032-12-31', true), ['Zz list cycle']);
    await filtered('Time limit (min)', between('50', '60'), ['Zz list timer']);
    await filtered('Repeats', tick('Monthly by weekday'), ['Zz list cycle']);
    await filtered('Version range', typed('2.9.0'), ['Zz list cycle']);
    await filtered('Version range', typed('2.11.0'), []);
    await filtered('Devices', between('2', '2'), ['Zz list now', 'Zz list timer']);
    await filtered('Device', typed(third!.name), ['Zz list cycle']);
    await filtered('Created by', typed('zz.task.creator'), ['Zz list timer']);

    for (const { id } of [timer, cycle]) await platform.call(cancelTask, { params: { id } });
    await creator.leave();
  },
);

it('a user who may only see tasks finds no action that creates or changes one', { tags: 'slow' }, async () => {
  const { platform } = product;
  const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 1 } });
  const order = { action: 'locate', params: {}, target: { ids: [records[0]!.id] } };
  const waiting = await platform.call(addTask, {
    body: { name: 'Zz seen waiting', ...order, schedule: { type: 'timer', begin: '2031-05-06T07:08' } },
  });
  const over = await platform.call(addTask, { body: { name: 'Zz seen over', ...order } });
  await platform.ended(over.id);
  const reader = await someone(platform, 'zz.task.reader', ['task', 'device']);
  const { page } = await product.loggedIn('/task/list', reader);
  await page.locator('main [data-id]').first().waitFor();
  expect(await page.getByRole('link', { name: 'New task' }).count()).toBe(0);
  for (const { id, name } of [waiting, over]) {
    await page.goto(`/task/list?task=${id}`);
    const drawer = page.getByRole('dialog', { name, exact: true });
    await drawer.getByText(/^(?:Starts|Ended) \d{4}-/).waitFor();
    expect(await drawer.getByRole('link', { name: 'Copy' }).count()).toBe(0);
    expect(await drawer.getByRole('button', { name: /^(?:Run now|Run again|Stop task|Cancel task)$/ }).count()).toBe(0);
  }
  await page.goto('/task/addTask');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('main form').count()).toBe(0);
  await platform.call(cancelTask, { params: { id: waiting.id } });
  await reader.leave();
});
