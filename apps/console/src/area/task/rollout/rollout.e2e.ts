import { expect, it } from 'vitest';
import {
  addTask,
  getDevice,
  getTask,
  listDevices,
  listMessages,
  listTaskDevices,
  listTasks,
  previewTask,
  tagDevices,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a staged task pauses after too many failures and resumes; a dry run names skipped devices [TASK-08]', async () => {
  const { platform } = product;
  const { call } = platform;
  const simulated = await platform.devices();
  const online = new Set(simulated.filter((d) => d.online && d.behaviour === 'normal').map((d) => d.mac));
  const away = simulated.find((d) => !d.online)!.mac;
  const { records } = await call(listDevices, { query: { sort: 'name', limit: 200, state: ['online'] } });
  const phones = records.filter((d) => online.has(d.mac)).slice(0, 40);
  const [silent] = (await call(listDevices, { query: { search: away } })).records;
  expect([phones.length, silent !== undefined]).toEqual([40, true]);
  const macs = phones.map((d) => d.mac);
  const order = {
    action: 'locate',
    params: { seconds: 5 },
    target: { ids: [...phones, silent!].map((d) => d.id) },
    rollout: { stages: [25, 50, 100], pauseAt: 20 },
  };

  // A preview, which changes nothing.
  const dry = await call(previewTask, { query: { limit: 200 }, body: order });
  const named = (touched: boolean) =>
    dry.devices.records.filter((d) => (d.code === null) === touched).map((d) => d.name);
  expect(named(true).toSorted()).toEqual(phones.map((d) => d.name).toSorted());
  expect([dry.total, dry.touched, named(false)]).toEqual([41, 40, [silent!.name]]);
  const message = `The ${silent!.model} cannot do this`;
  expect(dry.skipped).toEqual([{ code: 'unsupported', message, count: 1 }]);

  const before = await platform.effects();
  const located = async () => {
    const after = await platform.effects();
    const times = (effects: typeof after, mac: string) =>
      (effects.get(mac) ?? []).filter((e) => e.action === 'locate').length;
    return macs.map((mac) => times(after, mac) - times(before, mac));
  };
  await platform.behave(macs, 'failing');
  let id = '';
  try {
    id = (await call(addTask, { body: { ...order, name: 'Rolled out' } })).id;
    const { page } = await product.administrator(`/task/list?task=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Rolled out' });
    await drawer.getByText('Paused: too many devices of this stage failed').waitFor({ timeout: 60_000 });
    const paused = await call(getTask, { params: { id } });
    // Eleven of 41 are a quarter; no device of a later stage got a command.
    expect(paused).toMatchObject({ stage: 1, planned: 41, pausedFor: 'failures', counts: { total: 11, wait: 0 } });
    expect(paused.counts.fail).toBe(11);
    const step = drawer.getByRole('list').locator('[aria-current=step]');
    expect(await step.innerText()).toBe('25%');
    await eventually(async () => {
      const { records: told } = await call(listMessages, { query: { search: 'Rolled out' } });
      expect(told.map((m) => m.type)).toContain(5);
    });

    // The second stage goes up to the half, and no further.
    await drawer.getByRole('button', { name: 'Resume task' }).click();
    const half = { stage: 2, pausedFor: 'failures', counts: { total: 21, fail: 21, wait: 0 } };
    await eventually(async () => expect(await call(getTask, { params: { id } })).toMatchObject(half), 60_000);
    await drawer.getByText('Paused: too many devices of this stage failed').waitFor();
    await expect.poll(() => step.innerText()).toBe('50%');

    await platform.behave(macs, 'normal');
    await drawer.getByRole('button', { name: 'Resume task' }).click();
    await drawer.getByText(/^Ended \d{4}-/).waitFor({ timeout: 60_000 });
    expect(await step.innerText()).toBe('100%');
    const ended = await call(getTask, { params: { id } });
    expect(ended).toMatchObject({ stage: 3, pausedAt: null, counts: { total: 41, wait: 0, process: 0 } });
    expect(ended.counts.success + ended.counts.fail).toBe(41);
    // Failed devices got no second command, and every other one exactly one.
    const times = await located();
    expect([times.filter((n) => n > 1), times.filter((n) => n === 1).length]).toEqual([[], ended.counts.success]);
    expect(ended.counts.success).toBeGreaterThanOrEqual(19);
  } finally {
    await platform.behave(macs, 'normal');
  }
}, 900_000);

it(
  'a task is paused and resumed from its drawer: what waits is sent only after the resume',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { call } = platform;
    // The last one: once online it has reported its abilities, and other tests look for a device that has not.
    const away = (await platform.devices()).findLast((d) => !d.online)!.mac;
    const [device] = (await call(listDevices, { query: { search: away } })).records;
    const { id } = await call(addTask, {
      body: { name: 'Held by hand', action: 'reboot', params: {}, target: { ids: [device!.id] } },
    });
    const { page } = await product.administrator(`/task/list?task=${id}`);
    const drawer = page.getByRole('dialog', { name: 'Held by hand' });
    await drawer.getByRole('button', { name: 'Pause task' }).click();
    await drawer.getByText('Nothing more is sent. Devices that have started will finish.').waitFor();
    try {
      await platform.behave([away], 'normal');
      await eventually(async () =>
        expect((await call(getDevice, { params: { id: device!.id } })).state).not.toBe('offline'),
      );
      expect(await call(getTask, { params: { id } })).toMatchObject({ pausedFor: 'person', counts: { wait: 1 } });
      await drawer.getByRole('button', { name: 'Resume task' }).click();
      await drawer.getByText(/^Ended \d{4}-/).waitFor();
      expect((await call(getTask, { params: { id } })).counts).toMatchObject({ success: 1 });
    } finally {
      await platform.behave([away], 'offline');
    }
  },
);

it(
  'a staged task pauses when its devices are less healthy, and resumes on request [TASK-08/health]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { platform } = product;
    const { call } = platform;
    const simulated = await platform.devices();
    const fit = new Set(simulated.filter((d) => d.online && d.behaviour === 'normal').map((d) => d.mac));
    const { records } = await call(listDevices, { query: { sort: '-name', limit: 200, state: ['online'] } });
    const phones = records.filter((d) => fit.has(d.mac)).slice(0, 8);
    expect(phones).toHaveLength(8);
    const { page } = await product.administrator('/device/list?state=online&sort=-name');
    for (const { id } of phones) await page.locator(`[data-id="${id}"] input[type=checkbox]`).click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Locate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'More options' }).click();
    const field = (name: string) => page.locator(`[name=${name}]`);
    await field('name').fill('Zz watched');
    await field('inStages').check({ force: true });
    await field('stages').fill('50, 100');
    await field('watches').check({ force: true });
    await field('watchMinutes').fill('');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Enter a number from 1 to 1440.').waitFor();
    await field('watchMinutes').fill('1');
    await field('unwellAt').fill('20');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Watched for 1 minute before the next stage. Pauses when 20% more fare badly').waitFor();
    await page.getByRole('button', { name: 'Create task' }).click();
    const drawer = page.getByRole('dialog', { name: 'Zz watched' });
    await drawer.getByText(/^Watching the changed devices until \d{4}-/).waitFor();
    const [task] = (await call(listTasks, { query: { search: 'Zz watched' } })).records;
    const { id } = task!;
    const seen = (await call(listTaskDevices, { params: { id }, query: { limit: 200 } })).records;
    expect(seen.map((d) => d.status)).toEqual(Array(4).fill('success'));
    const unfit = seen.slice(0, 2).map((d) => d.mac);
    const lines = async (status: 'failed' | 'registered') => {
      for (const mac of unfit)
        await platform.simulator('/state', { mac, lines: [{ line: 1, account: '2001', status }] });
    };
    await lines('failed');
    try {
      await drawer.getByText('Paused: changed devices fare worse than the rest').waitFor({ timeout: 120_000 });
      const health = drawer.getByRole('table', { name: 'Health after stage 1' });
      await health.getByRole('row', { name: 'A line can’t register 2 of 4 (50%) 0 of 4 (0%)' }).waitFor();
      await health.getByRole('row', { name: 'Offline 0 of 4 (0%) 0 of 4 (0%)' }).waitFor();
      expect(await call(getTask, { params: { id } })).toMatchObject({ stage: 1, pausedFor: 'health' });
      await eventually(async () => {
        const { records: messages } = await call(listMessages, { query: { search: 'Zz watched' } });
        expect(messages.map((m) => m.content)).toEqual(['Task Zz watched paused: 2 of 4 changed devices fare badly.']);
      });
      await drawer.getByRole('button', { name: 'Resume task' }).click();
      await drawer.getByText('8 of 8 devices finished').waitFor();
    } finally {
      await lines('registered');
    }
  },
);

it(
  'a rollout in stages by tags is chosen, reviewed as a sentence and shown stage by stage',
  { tags: 'slow' },
  async () => {
    const { call } = product.platform;
    const { records } = await call(listDevices, { query: { sort: 'name', limit: 3, state: ['online'] } });
    const tag = (ids: string[], value: string) =>
      call(tagDevices, { body: { target: { ids }, set: [{ key: 'zzring', value }], remove: [] } });
    const ids = records.map(({ id }) => id);
    await tag(ids.slice(0, 1), 'canary');
    await tag(ids.slice(1, 2), 'early');
    try {
      const { page } = await product.administrator('/device/list?state=online&sort=name');
      for (const id of ids) await page.locator(`[data-id="${id}"] input[type=checkbox]`).click();
      await page
        .getByRole('region', { name: 'Selection' })
        .getByRole('button', { name: 'Locate', exact: true })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'More options' }).click();
      const field = (name: string) => page.locator(`[name=${name}]`);
      await field('name').fill('Zz by tag');
      await field('inStages').check({ force: true });
      await page.getByRole('combobox', { name: 'Stages by' }).click();
      await page.getByRole('option', { name: 'Tag', exact: true }).click();
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByText('Choose 1 to 9 tags.').waitFor();
      const tags = page.getByRole('combobox', { name: 'Tags, in the order of their stages' });
      for (const value of ['canary', 'early']) {
        await tags.fill(`zzring: ${value}`);
        await page.getByRole('option', { name: `zzring: ${value}`, exact: true }).click();
      }
      await field('successAt').fill('80');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByText('zzring: canary → zzring: early → Other devices. Pauses when 5% of a stage fail.').waitFor();
      await page.getByText('The next stage begins when 80% of the reached devices have succeeded.').waitFor();
      await page.getByRole('button', { name: 'Create task' }).click();
      const drawer = page.getByRole('dialog', { name: 'Zz by tag' });
      await drawer.getByText('3 of 3 devices finished').waitFor();
      await drawer.getByText('Stage 3 of 3: Other devices').waitFor();
      const [task] = (await call(listTasks, { query: { search: 'Zz by tag' } })).records;
      const seen = (await call(listTaskDevices, { params: { id: task!.id }, query: { limit: 200 } })).records;
      const sentTo = seen.toSorted((a, b) => (a.sentAt! < b.sentAt! ? -1 : 1)).map((d) => d.deviceId);
      expect(sentTo).toEqual(ids);
    } finally {
      await call(tagDevices, { body: { target: { ids }, set: [], remove: ['zzring'] } });
    }
  },
);
