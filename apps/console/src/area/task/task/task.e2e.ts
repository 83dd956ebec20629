import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import {
  addTask,
  cancelTask,
  getTask,
  listDevices,
  listTaskReasons,
  listTasks,
  type RouteInput,
} from '@carillon/contracts';
import { lane, useProduct } from '../../../../test/browser.ts';

const product = useProduct();
type Order = Partial<RouteInput<typeof addTask>['body']>;
const later = '2031-03-04T02:30';
const online = async (limit: number) =>
  (await product.platform.call(listDevices, { query: { state: ['online'], limit, sort: 'name' } })).records;
const away = async () =>
  (await product.platform.call(listDevices, { query: { state: ['offline', 'notConfigured'], limit: 1, sort: 'name' } }))
    .records[0]!;
const order = (name: string, ids: string[], more: Order = {}) =>
  product.platform.call(addTask, {
    body: { name, action: 'locate', params: {}, target: { ids }, timeZone: 'Europe/Berlin', ...more },
  });
const drawerOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
/** Presses an action and confirms it; the confirming button of one that ends something is named like the question. */
const confirm = async (
  page: Page,
  drawer: ReturnType<typeof drawerOf>,
  button: string,
  question: string,
  answer = question,
) => {
  await drawer.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: question, exact: true });
  await dialog.getByRole('button', { name: answer, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
};
const rowOf = (drawer: ReturnType<typeof drawerOf>, name: string) =>
  drawer.getByRole('row').filter({ has: drawer.page().getByRole('link', { name, exact: true }) });
let broken: string[] = [];
afterEach(async () => {
  if (broken.length > 0) await product.platform.behave(broken, 'normal');
  broken = [];
  await product.platform.allOnline(lane().online);
});

it('tasks are run now, canceled, stopped and run again, and the results of each run are kept [TASK-04]', async () => {
  const { platform } = product;
  const [sound, failing] = await online(2);
  const { page } = await product.administrator('/task/list');
  const open = async (id: string, name: string) => {
    await page.goto(`/task/list?task=${id}`);
    const drawer = drawerOf(page, name);
    await drawer.getByRole('heading', { name, exact: true }).waitFor();
    return drawer;
  };

  // Running a scheduled task now: it runs once.
  const timer = await order('Zz run now', [sound!.id], { schedule: { type: 'timer', begin: later } });
  let drawer = await open(timer.id, 'Zz run now');
  await drawer.getByText(/^Starts 2031-03-0\d/).waitFor();
  await confirm(page, drawer, 'Run now', 'Run Zz run now now', 'Run now');
  await drawer.getByText('1 of 1 device finished').waitFor();
  expect(await platform.ended(timer.id)).toMatchObject({ status: 'success', dueAt: null, runs: 1 });

  // A repeating task keeps its next time.
  const cycle = await order('Zz run cycle', [sound!.id], {
    schedule: { type: 'cycle', begin: later, end: null, repeat: { every: 'day' } },
  });
  drawer = await open(cycle.id, 'Zz run cycle');
  await drawer.getByText('Every day at 02:30, Europe/Berlin time, from 2031-03-04').waitFor();
  await confirm(page, drawer, 'Run now', 'Run Zz run cycle now', 'Run now');
  await drawer.getByText('1 of 1 device finished').waitFor();
  expect((await platform.call(getTask, { params: { id: cycle.id } })).dueAt).toBe(cycle.dueAt);
  // Cancels it between its runs.
  await confirm(page, drawer, 'Cancel task', 'Cancel task Zz run cycle');
  await drawer.getByText('Canceled', { exact: true }).first().waitFor();
  expect(await platform.call(getTask, { params: { id: cycle.id } })).toMatchObject({ status: 'cancel', dueAt: null });

  // Stops a task with one finished and one waiting device.
  const { id: awayId } = await away();
  const stopped = await order('Zz stop', [sound!.id, awayId], { action: 'reboot' });
  drawer = await open(stopped.id, 'Zz stop');
  await drawer.getByText('1 of 2 devices finished').waitFor();
  await confirm(page, drawer, 'Stop task', 'Stop task Zz stop');
  await drawer.getByText('Stopped', { exact: true }).first().waitFor();
  expect(await platform.ended(stopped.id)).toMatchObject({ status: 'stop', counts: { cancel: 1, success: 1 } });

  // Runs again: failed devices first, then all.
  broken = [failing!.mac];
  await platform.behave(broken, 'failing');
  const again = await order('Zz again', [sound!.id, failing!.id]);
  await platform.ended(again.id);
  drawer = await open(again.id, 'Zz again');
  await drawer.getByText(/^Ended/).waitFor();
  await platform.behave(broken, 'normal');
  await drawer.getByRole('button', { name: 'Run again' }).click();
  const question = page.getByRole('dialog', { name: 'Run Zz again again' });
  await question.getByRole('radio', { name: 'Only those that failed or timed out (1)' }).check();
  await question.getByRole('button', { name: 'Run again' }).click();
  await drawer.getByRole('button', { name: 'Run 2', exact: true }).waitFor();
  await drawer.getByText('1 of 1 device finished').waitFor();
  await rowOf(drawer, failing!.name).getByText('Success').waitFor();
  await rowOf(drawer, sound!.name).waitFor({ state: 'detached' });
  await drawer.getByRole('button', { name: 'Run again' }).click();
  expect(await question.getByRole('radio', { name: /^Only those that failed/ }).isDisabled()).toBe(true);
  await question.getByRole('radio', { name: 'All devices' }).check();
  await question.getByRole('button', { name: 'Run again' }).click();
  await drawer.getByRole('button', { name: 'Run 3', exact: true }).waitFor();
  await drawer.getByText('2 of 2 devices finished').waitFor();
  // The first run's results are unchanged.
  await drawer.getByRole('button', { name: 'Run 1', exact: true }).click();
  await rowOf(drawer, failing!.name).getByText('Failed').waitFor();
  await rowOf(drawer, sound!.name).getByText('Success').waitFor();
}, 900_000);

it('a task is copied with its action, target, time and limits', { tags: 'slow' }, async () => {
  const { platform } = product;
  const [device] = await online(1);
  const task = await order('Zz copied', [device!.id], {
    params: { seconds: 77 },
    sync: 3,
    durationMinutes: 45,
    versionRange: { from: '1.0.1', to: '9.9.1' },
    pace: {
      retry: { tries: 4, of: ['busy', 'timeout'], firstSeconds: 30 },
      spreadMinutes: 20,
      siteSync: 2,
      sitePerMinute: 10,
    },
    schedule: { type: 'cycle', begin: later, end: null, repeat: { every: 'week', weekdays: [1, 4] } },
  });
  const { page } = await product.administrator(`/task/list?task=${task.id}`);
  await drawerOf(page, 'Zz copied').getByRole('link', { name: 'Copy' }).click();
  await page.getByRole('radio', { name: '1 selected device' }).waitFor();
  await page
    .getByText('Every week on Monday and Thursday at 02:30, Europe/Berlin time, from 2031-03-04', { exact: true })
    .waitFor();
  expect(await page.getByLabel('How long, in seconds (5 to 120)').inputValue()).toBe('77');
  for (const [name, value] of Object.entries({
    name: 'Zz copied',
    sync: '3',
    durationMinutes: '45',
    from: '1.0.1',
    to: '9.9.1',
    tries: '4',
    firstSeconds: '30',
    spreadMinutes: '20',
    siteSync: '2',
    sitePerMinute: '10',
  }))
    expect(await page.locator(`[name=${name}]`).inputValue(), name).toBe(value);
  await page.locator('[name=name]').fill('Zz the copy');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create task' }).click();
  await drawerOf(page, 'Zz the copy')
    .getByText(/^Starts/)
    .waitFor();
  await drawerOf(page, 'Zz the copy').getByText('Devices start spread over 20 minutes').waitFor();
  const { records } = await platform.call(listTasks, { query: { search: 'Zz the copy' } });
  expect(records[0]).toMatchObject({
    schedule: task.schedule,
    params: task.params,
    sync: 3,
    durationMinutes: 45,
    versionRange: task.versionRange,
    pace: task.pace,
    timeZone: 'Europe/Berlin',
  });
  for (const id of [task.id, records[0]!.id]) await platform.call(cancelTask, { params: { id } });
});

it('a task shows counts, a bar and its devices, and silent ones can be marked as done [TASK-03]', async () => {
  const { platform } = product;
  const [sound, failing, mute] = await online(3);
  const waits = await away();
  broken = [failing!.mac, mute!.mac];
  await platform.behave([failing!.mac], 'failing');
  await platform.behave([mute!.mac], 'dead');
  const task = await order('Zz by hand', [sound!.id, failing!.id, mute!.id, waits.id], { action: 'reboot' });
  const { page } = await product.administrator(`/task/list?task=${task.id}`);
  const drawer = drawerOf(page, 'Zz by hand');
  await drawer.getByText('2 of 4 devices finished').waitFor();
  const bar = drawer.getByRole('progressbar');
  expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual(['2', '4']);
  const counts = () => drawer.getByRole('list', { name: 'Devices by state' }).getByRole('button').allInnerTexts();
  const sums = async () => (await counts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  expect(await sums()).toEqual(['Success 1', 'Failed 1', 'Timed out 0', 'Canceled 0', 'Running 1', 'Waiting 1']);
  await rowOf(drawer, sound!.name).getByText('Success').waitFor();
  await rowOf(drawer, failing!.name).getByText('Failed').waitFor();

  const question = `Mark ${waits.name} as done by hand?`;
  const mark = rowOf(drawer, waits.name).getByRole('button', { name: `Done by hand… ${waits.name}` });
  await mark.click();
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: 'Cancel' }).click();
  await rowOf(drawer, waits.name).getByText('Waiting').waitFor();
  await mark.click();
  const asked = page.getByRole('dialog', { name: question });
  await asked.getByText('It can’t be undone.').waitFor();
  expect(await asked.getByText('already told').count()).toBe(0);
  await asked.getByRole('button', { name: 'Mark as done' }).click();
  await rowOf(drawer, waits.name).getByText('Done by hand', { exact: true }).waitFor();
  await rowOf(drawer, waits.name)
    .getByText(/^Done by hand, says /)
    .waitFor();
  await drawer.getByText('3 of 4 devices finished').waitFor();
  await rowOf(drawer, mute!.name)
    .getByRole('button', { name: `Done by hand… ${mute!.name}` })
    .click();
  const answer = page.getByRole('dialog', { name: `Mark ${mute!.name} as done by hand?` });
  await answer.getByText('The device was already told: it may still carry that out.').waitFor();
  await answer.getByRole('button', { name: 'Mark as done' }).click();
  await rowOf(drawer, mute!.name).getByText('Done by hand', { exact: true }).waitFor();
  await drawer.getByText('4 of 4 devices finished').waitFor();
  await expect.poll(sums).toEqual(['Success 3', 'Failed 1', 'Timed out 0', 'Canceled 0', 'Running 0', 'Waiting 0']);
  expect(await platform.ended(task.id)).toMatchObject({ status: 'finished', counts: { success: 3, fail: 1, wait: 0 } });

  // The history of each device.
  for (const [device, state] of [
    [sound!, 'Success'],
    [failing!, 'Failed'],
    [mute!, 'Done by hand'],
    [waits, 'Done by hand'],
  ] as const) {
    await page.goto(`/device/deviceDetail?id=${device.id}&tab=tasks`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Zz by hand', exact: true }) });
    await row.getByText(state, { exact: true }).waitFor();
  }
}, 900_000);

it('shows why devices failed with counts, and lists those of one reason [TASK-03/reasons]', async () => {
  const { platform } = product;
  const [sound, failing, also] = await online(3);
  broken = [failing!.mac, also!.mac];
  await platform.behave(broken, 'failing');
  const task = await order('Zz reasons', [sound!.id, failing!.id, also!.id]);
  await platform.ended(task.id);
  const { code, message } = (await platform.call(listTaskReasons, { params: { id: task.id } })).reasons[0]!;
  const { page } = await product.administrator(`/task/list?task=${task.id}`);
  const drawer = drawerOf(page, 'Zz reasons');
  const reason = drawer.getByRole('region', { name: 'Why devices failed' }).getByRole('listitem');
  await reason.filter({ hasText: message! }).getByText('2', { exact: true }).waitFor();
  await rowOf(drawer, sound!.name).waitFor();
  const show = reason.getByRole('button', { name: `Show these: ${message}`, exact: true });
  await show.click();
  await page.waitForURL((url) => url.searchParams.get('taskCode') === code);
  await rowOf(drawer, sound!.name).waitFor({ state: 'detached' });
  await rowOf(drawer, failing!.name).waitFor();
  // The address keeps the reason, also without the state.
  await page.goto(`/task/list?task=${task.id}&taskCode=${code}`);
  await drawer.getByRole('button', { name: `Show these: ${message}`, exact: true, pressed: true }).waitFor();
  await rowOf(drawer, also!.name).waitFor();
  expect(await rowOf(drawer, sound!.name).count()).toBe(0);
  await drawer.getByRole('button', { name: 'All', exact: true }).click();
  await rowOf(drawer, sound!.name).waitFor();
  expect(new URL(page.url()).searchParams.has('taskCode')).toBe(false);
});

it('exports the listed devices of a task with result, reason and times [TASK-03/export]', async () => {
  const { platform } = product;
  const [sound, failing] = await online(2);
  broken = [failing!.mac];
  await platform.behave(broken, 'failing');
  const task = await order('Zz file', [sound!.id, failing!.id]);
  await platform.ended(task.id);
  const { message } = (await platform.call(listTaskReasons, { params: { id: task.id } })).reasons[0]!;
  const { page } = await product.administrator(`/task/list?task=${task.id}&taskState=problems`);
  const drawer = drawerOf(page, 'Zz file');
  await rowOf(drawer, failing!.name).waitFor();
  await drawer.getByRole('button', { name: 'Export', exact: true }).click();
  const strip = drawer.getByRole('region', { name: 'Export: Task results' });
  await strip.getByText('The file with 1 row is ready').waitFor();
  const download = page.waitForEvent('download');
  await strip.getByRole('button', { name: 'Download file' }).click();
  const [head, ...rows] = (await readXlsx(readFileSync(await (await download).path()))).sheets[0]!.rows;
  const [row] = rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head![at], cell])));
  expect(rows).toHaveLength(1);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(row).toMatchObject({ Device: failing!.name, Status: 'Failed', Told: time, 'Step or reason': message });
});

it('shows when a device was told and when it accepted [TASK-03/steps]', async () => {
  const { platform } = product;
  const [device] = await online(1);
  const task = await order('Zz steps', [device!.id]);
  await platform.ended(task.id);
  const { page } = await product.administrator(`/task/list?task=${task.id}`);
  const row = rowOf(drawerOf(page, 'Zz steps'), device!.name);
  await row.getByText(/^Told \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, accepted [\d-]* ?\d\d:\d\d:\d\d$/).waitFor();
});

it('shows what a repeating task does about a missed run [TASK-06/missed]', async () => {
  const { platform } = product;
  const [device] = await online(1);
  const schedule = { type: 'cycle', begin: later, end: null, repeat: { every: 'day' } } as const;
  const nightly = await order('Zz limited', [device!.id], { schedule, durationMinutes: 45 });
  const open = await order('Zz unlimited', [device!.id], { schedule });
  const once = await order('Zz timer', [device!.id], { schedule: { type: 'timer', begin: later } });
  const { page } = await product.administrator(`/task/list?task=${nightly.id}`);
  await drawerOf(page, 'Zz limited').getByText('Made up once if less than 45 minutes late, else skipped').waitFor();
  await page.goto(`/task/list?task=${open.id}`);
  await drawerOf(page, 'Zz unlimited').getByText('Made up once if less than 10 minutes late, else skipped').waitFor();
  await page.goto(`/task/list?task=${once.id}`);
  await drawerOf(page, 'Zz timer').getByText('Starts 2031').waitFor();
  expect(await drawerOf(page, 'Zz timer').getByText('If a run is missed').count()).toBe(0);
  for (const { id } of [nightly, open, once]) await platform.call(cancelTask, { params: { id } });
});
