import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { lane, useProduct } from '../../test/browser.ts';

const product = useProduct();
const streamPath = '/api/f/gateway/live';
const online = async () => (await product.platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records;
const lines = (status: 'registered' | 'failed') => [{ line: 1, account: '2001', server: 'pbx.demo.example', status }];

it('one stream serves all tabs of the browser, and goes on when the tab that held it is closed', async () => {
  const { context, page } = await product.administrator('/device/list?state=online&state=abnormal');
  let streams = 0;
  context.on('request', (r) => { if (r.url().endsWith(streamPath)) streams += 1; });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => streams).toBe(1);
  const [device] = await online();
  const second = await context.newPage();
  await second.goto(`/device/deviceDetail?id=${device!.id}`);
  await second.getByText('Live', { exact: true }).waitFor();
  await second.getByText('Online', { exact: true }).first().waitFor();
  // Told by the first tab's stream.
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

it('what the console asks by itself is marked as no activity, what a person asks is not, and each call is a trace of its own from the click on [AUTH-08/console]', async () => {
  const { page } = await product.administrator();
  await page.getByText('Live', { exact: true }).waitFor();
  const [device] = await online();
  const lists = (background: boolean) => page.waitForRequest((r) => r.url().includes('/api/f/device/device/list') && (r.headers()['carillon-background'] === '1') === background);
  const told = lists(true);
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  const unasked = await told;
  const asked = lists(false);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const traces = [unasked, await asked].map((r) => r.headers()['traceparent']!.split('-'));
  expect(new Set(traces.map(([, trace]) => trace)).size).toBe(2);
  for (const [, traceId, spanId] of traces) {
    await eventually(() => {
      const spans = readFileSync(lane().traceFile, 'utf8').split('\n').filter((line) => line.includes(traceId!)).map((line) => JSON.parse(line) as { name: string; parentId: string });
      expect(spans.find((s) => s.name === 'GET /api/f/device/device/list')?.parentId).toBe(spanId);
    });
  }
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
});

it('the page says since when it is stale while the server is away, and is live again by itself', async () => {
  const { page } = await product.administrator();
  await page.getByText('Live', { exact: true }).waitFor();
  product.platform.kill('standalone');
  await page.getByText(/Stale since \d\d:\d\d/).first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
  await product.platform.allOnline(lane().online);
  const [device] = await online();
  await page.goto(`/device/deviceDetail?id=${device!.id}`);
  await page.getByText('Online', { exact: true }).first().waitFor();
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  await page.getByText('Abnormal', { exact: true }).first().waitFor();
  await product.platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
  await page.getByText('Online', { exact: true }).first().waitFor();
});
