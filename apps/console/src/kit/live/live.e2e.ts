// @module-tag slow
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Request } from 'playwright-core';
import { addOrganization, deleteOrganization, listDevices, listOrganizationNames } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { lane, useProduct } from '../../../test/browser.ts';

const product = useProduct();
const streamPath = '/api/f/gateway/live';
const online = async () =>
  (await product.platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records;
const lines = (status: 'registered' | 'failed') => [{ line: 1, account: '2001', server: 'pbx.demo.example', status }];

it('one stream serves all tabs of the browser, and another tab takes over when its tab is closed', async () => {
  const { context, page } = await product.administrator('/device/list?state=online&state=abnormal');
  let streams = 0;
  context.on('request', (r) => {
    if (r.url().endsWith(streamPath)) streams += 1;
  });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => streams).toBe(1);
  const [device] = await online();
  const second = await context.newPage();
  await second.goto(`/device/deviceDetail?id=${device!.id}`);
  await second.getByText('Live', { exact: true }).waitFor();
  await second.getByText('Online', { exact: true }).first().waitFor();
  // Received through the first tab's stream.
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  await second.getByText('Abnormal', { exact: true }).first().waitFor();
  expect(streams).toBe(1);
  const opened = context.waitForEvent('response', (r) => r.url().endsWith(streamPath));
  await page.close();
  expect((await opened).status()).toBe(200);
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
  await second.getByText('Online', { exact: true }).first().waitFor();
  expect(streams).toBe(2);
});

it(
  'eight tabs of a session share one stream within six connections, and a closed tab is replaced',
  { tags: 'slow' },
  async () => {
    const { context, page } = await product.administrator();
    // No event reports that a request ended with its tab.
    const asked = new Set<Request>();
    context.on('request', (r) => {
      if (r.url().endsWith(streamPath)) asked.add(r);
    });
    context.on('requestfinished', (r) => {
      asked.delete(r);
    });
    context.on('requestfailed', (r) => {
      asked.delete(r);
    });
    const open = () => [...asked].filter((r) => !r.frame().page().isClosed()).length;
    const [device] = await online();
    const tabs = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
    await Promise.all(tabs.map((tab) => tab.goto(`/device/deviceDetail?id=${device!.id}`)));
    const all = async (rest: typeof tabs, state: 'Abnormal' | 'Online') => {
      await product.platform.simulator('/state', {
        mac: device!.mac,
        lines: lines(state === 'Online' ? 'registered' : 'failed'),
      });
      await Promise.all(rest.map((tab) => tab.getByText(state, { exact: true }).first().waitFor()));
    };
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.getByText('Live', { exact: true }).waitFor();
        await tab.getByText('Online', { exact: true }).first().waitFor();
      }),
    );
    await all(tabs, 'Abnormal');
    await expect.poll(open).toBe(1);
    // Each tab still gets its requests answered, at the same time.
    await Promise.all(tabs.map((tab) => tab.goto('/about')));
    await Promise.all(tabs.map((tab) => tab.goBack()));
    await all(tabs, 'Online');
    await expect.poll(open).toBe(1);
    for (let rest = tabs; rest.length > 6; rest = rest.slice(1)) {
      // The tab with the stream is among those closed in turn; a change between two streams is not lost.
      await rest[0]!.close();
      await all(rest.slice(1), rest.length % 2 === 0 ? 'Abnormal' : 'Online');
    }
    await expect.poll(open).toBe(1);
  },
);

it('the stream uses the last chosen organization in all tabs', { tags: 'slow' }, async () => {
  const { platform } = product;
  const { id } = await platform.call(addOrganization, { body: { name: 'Live branch', description: '' } });
  const head = (await platform.call(listOrganizationNames)).find((o) => o.name !== 'Live branch')!;
  await eventually(async () => expect((await platform.call(listOrganizationNames)).map((o) => o.id)).toContain(id));
  try {
    const { context, page } = await product.administrator('/device/list');
    const other = await context.newPage();
    await other.goto('/device/list');
    await other.locator('[data-id]').first().waitFor();
    const choose = async (view: typeof page, name: string) => {
      const asked = context.waitForEvent('request', { predicate: (r) => r.url().endsWith(streamPath) });
      await view.getByRole('button', { name: /^Organization/ }).click();
      await view.getByRole('menuitem', { name }).click();
      return (await asked).headers()['carillon-org'];
    };
    expect(await choose(page, 'Live branch')).toBe(id);
    await other.getByText('No devices yet').waitFor();
    expect(await choose(other, head.name)).toBe(head.id);
    await page.locator('[data-id]').first().waitFor();
    const [device] = await online();
    await page.goto(`/device/deviceDetail?id=${device!.id}`);
    await page.getByText('Online', { exact: true }).first().waitFor();
    await platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
    await page.getByText('Abnormal', { exact: true }).first().waitFor();
    await platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
  } finally {
    await platform.call(deleteOrganization, { body: { id } });
  }
});

it('marks automatic requests as no activity, and gives each user call its own trace [AUTH-08/console]', async () => {
  const { page } = await product.administrator();
  await page.getByText('Live', { exact: true }).waitFor();
  const [device] = await online();
  const lists = (background: boolean) =>
    page.waitForRequest(
      (r) =>
        r.url().includes('/api/f/device/device/list') && (r.headers()['carillon-background'] === '1') === background,
    );
  const answer = lists(true);
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  const unasked = await answer;
  const asked = lists(false);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const traces = [unasked, await asked].map((r) => r.headers()['traceparent']!.split('-'));
  expect(new Set(traces.map(([, trace]) => trace)).size).toBe(2);
  for (const [, traceId, spanId] of traces) {
    await eventually(() => {
      const spans = readFileSync(lane().traceFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes(traceId!))
        .map((line) => JSON.parse(line) as { name: string; parentId: string });
      expect(spans.find((s) => s.name === 'GET /api/f/device/device/list')?.parentId).toBe(spanId);
    });
  }
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
});

it(
  'the page shows since when it is stale while the server is down, and recovers by itself',
  { tags: 'slow' },
  async () => {
    const { page } = await product.administrator();
    await page.getByText('Live', { exact: true }).waitFor();
    // Lazily loaded parts are present: only the stream is lost.
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    // In the cluster these are all API gateways.
    for (const name of product.platform.processes.filter((p) => p === 'standalone' || p.startsWith('gateway-')))
      product.platform.kill(name);
    await page
      .getByText(/Stale since \d\d:\d\d/)
      .first()
      .waitFor();
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
    await product.platform.allOnline(lane().online);
    const [device] = await online();
    await page.goto(`/device/deviceDetail?id=${device!.id}`);
    await page.getByText('Online', { exact: true }).first().waitFor();
    await product.platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
    await page.getByText('Abnormal', { exact: true }).first().waitFor();
    await product.platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
    await page.getByText('Online', { exact: true }).first().waitFor();
  },
);
