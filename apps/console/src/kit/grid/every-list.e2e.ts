import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as contracts from '@carillon/contracts';
import type { Client, ExportCell, ListExport, RouteDefinition } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';
import { addCopies, customer } from '../../../test/named-copies.ts';
import { pageRoutes } from '../../../test/routes.ts';

const product = useProduct();
const area = join(import.meta.dirname, '../../area');
/** The addresses of all lists, from their declarations; a list with tabs has several. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  '/alarm': ['', 'tableCheck=message'],
  '/system/operationLog': ['', 'log=errors'],
  '/system/time': ['', 'table=zones'],
};
const addresses = [
  ...new Set(
    globSync('**/*.tsx', { cwd: area }).flatMap((file) =>
      [...readFileSync(join(area, file), 'utf8').matchAll(/<ListPage[\s\S]*?route="\/_main([^"]+)"/g)].map(
        // A page below a list that is not rendered inside it.
        (m) => m[1]!.replaceAll('_/', '/'),
      ),
    ),
  ),
].flatMap((path) => (tabs[path] ?? ['']).map((tab) => ({ path, tab })));

type Named = Readonly<Record<string, unknown>> & { id: string };
interface Listed {
  records: Named[];
  total: number;
}
const files = Object.values(contracts).filter(
  (value): value is ListExport & typeof value => typeof value === 'object' && value !== null && 'cells' in value,
) as readonly ListExport[];
let asCustomer: Client;
const ofCustomer = '/system/supportAccess';
const ask = async ({ list }: ListExport, query: object): Promise<Listed> => {
  const call = list === contracts.listSupportAccess ? asCustomer : product.platform.call;
  return (await call(list as never, { query } as never)) as Listed;
};
const shapeOf = ({ list }: ListExport) => (list as RouteDefinition).query!.shape as Record<string, unknown>;
const sortsOf = (file: ListExport): string[] => {
  const { sort } = shapeOf(file) as { sort?: { unwrap(): { options: string[] } } };
  return sort?.unwrap().options.filter((key) => !key.startsWith('-')) ?? [];
};

/** Undoes the preparation after the test. */
const undo: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  asCustomer = await addCopies(product.platform, undo);
});
afterAll(async () => {
  for (const back of undo) await back();
});

/** Returns a record's value in a column as text; undefined for times and labels, which depend on the reader. */
const held = ({ kind, value }: ExportCell, record: Named): string | undefined => {
  const v = value(record);
  if (kind === 'moment' || kind === 'word') return undefined;
  return v === null || v === undefined ? '' : kind === 'names' ? (v as string[]).join(', ') : String(v);
};
const rank = ({ value }: ExportCell, record: Named): string => String(value(record) ?? '').toLowerCase();
const apart = (all: readonly string[]): string[] => all.filter((v, i) => i === 0 || v !== all[i - 1]);

/** Returns the values of a column whose order is the same in every language, and their expected order. */
function ascending({ kind }: ExportCell, values: readonly string[]): [found: string[], wanted: string[]] {
  const found = values.filter((v) => v !== '' && (kind !== 'text' || /^walk .*\d$/.test(v)));
  const place = (v: string): number => (kind === 'moment' ? Date.parse(v) : Number(v));
  if (kind === 'number' || kind === 'moment') return [found, found.toSorted((a, b) => place(a) - place(b))];
  return kind === 'text' ? [found, found.toSorted()] : [[], []];
}

/**
 * Sorts by every column of the call: ascending is correct, equal values are adjacent, and descending is the reverse.
 */
async function sorts(file: ListExport, base: object): Promise<void> {
  for (const key of sortsOf(file)) {
    const cell = file.cells[key];
    expect(cell, `${file.list.path} ${key}`).toBeDefined();
    const [up, down] = await Promise.all(
      [key, `-${key}`].map(async (sort) => ask(file, { ...base, sort, limit: 200 })),
    );
    const [rising, falling] = [up!, down!].map(({ records }) => apart(records.map((r) => rank(cell!, r))));
    const [found, wanted] = ascending(cell!, rising!);
    expect(found, `${file.list.path} ${key}`).toEqual(wanted);
    for (const groups of [rising!, falling!])
      expect(new Set(groups).size, `${file.list.path} ${key}`).toBe(groups.length);
    // Empty values are last in both directions.
    const seen = (groups: string[]) => groups.filter((v) => v !== '');
    if (up!.total <= 200) expect(seen(falling!), `${file.list.path} -${key}`).toEqual(seen(rising!).toReversed());
  }
}

const rowIds = (page: Page) =>
  page.locator('main [data-id]').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
const heads = (page: Page) =>
  page.locator('main th[data-column]').evaluateAll((all) => all.map((th) => th.getAttribute('data-column')!));

/** Returns a filter parameter that matches the record. */
function filterFor(file: ListExport, record: Named): [string, string] | undefined {
  const shape = shapeOf(file);
  for (const [key, cell] of Object.entries(file.cells)) {
    const value = String(cell.value(record) ?? '');
    if (value === '' || value.length > 100) continue;
    if (cell.kind === 'text' && `${key}.contains` in shape) return [`${key}.contains`, value];
    if (cell.kind === 'word' && `${key}.not` in shape) return [key, value];
  }
  return undefined;
}

/** The default columns need no scrolling on a screen 1280 px wide, beside the menu. */
async function fits(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('main [data-id]').first().waitFor();
  const grid = page.locator('[data-scroll-restoration-id^="grid-"]');
  expect(await grid.evaluate((e) => e.scrollWidth - e.clientWidth), page.url()).toBe(0);
  await page.setViewportSize(size);
}

async function walk(page: Page, file: ListExport, path: string, first: string): Promise<void> {
  const shape = shapeOf(file);
  const now = new Date().toISOString();
  // Excludes records that arrive during the test.
  const until = ['at.to', 'createTime.to'].filter((key) => key in shape).slice(0, 1);
  const base: Record<string, string> = {
    ...Object.fromEntries(until.map((key) => [key, now])),
    ...(first === 'tableCheck=message' ? { tab: 'message' } : {}),
  };
  const at = (more: Record<string, string>) =>
    `${path}?${new URLSearchParams([...new URLSearchParams(first), ...until.map((key): [string, string] => [key, now]), ...Object.entries(more)])}`;
  const { total, records } = await ask(file, { ...base, limit: 200 });
  expect(total, `${path} ${first}`).toBeGreaterThan(5);
  await sorts(file, base);

  // Page sizes, the default first; any other one is in the address.
  if (until.length > 0) await page.goto(at({}));
  const size = page.locator('main footer select');
  await size.waitFor();
  expect(await size.locator('option').allTextContents()).toEqual(
    [5, 10, 20, 30, 50, 100, 150, 200].map((n) => `${n} rows`),
  );
  expect(await size.inputValue()).toBe('20');
  await size.selectOption('5');
  await page.waitForURL(/limit=5/);
  // Both are queried again, because a list may change between the call and the page.
  const shows = (more: object, from = 0) =>
    eventually(async () => {
      const wanted = await ask(file, { ...base, ...more, limit: 200 });
      expect(await rowIds(page)).toEqual(wanted.records.slice(from, from + 5).map((r) => r.id));
      return wanted;
    }, 30_000);
  await shows({});

  // Sort by a click.
  const sortable = page.locator('main th[data-column]:has(> button)').first();
  const key = (await sortable.getAttribute('data-column'))!;
  await sortable.locator('> button').click();
  await page.waitForURL((url) => url.searchParams.get('sort') === key);
  await shows({ sort: key });

  // Remove a column, which persists over the reload below.
  const before = await heads(page);
  const away = before.at(-1)!;
  const title = (await page.locator(`main th[data-column="${away}"]`).innerText()).trim();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByLabel(title, { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  const shown = before.slice(0, -1);
  await expect.poll(() => heads(page)).toEqual(shown);

  // Export all pages but one record; the progress survives a reload.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: /^Select all .* that match$/ }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  const sorted = await shows({ sort: key }, 5);
  await page.locator('main [data-id] input[type=checkbox]').first().click();
  const ordered = page.waitForResponse((r) => r.request().method() === 'POST' && r.url().endsWith(file.add.path));
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click();
  expect((await ordered).status()).toBe(202);
  await page.reload();
  await page.locator('main [data-id]').first().waitFor();
  expect(await heads(page)).toEqual(shown);
  const strip = page.getByRole('region', { name: /^Export: / });
  const saved = page.waitForEvent('download');
  await strip.getByRole('button', { name: 'Download file' }).click();
  const download = await saved;
  expect(`Export: ${download.suggestedFilename()}`).toBe(`${await strip.getAttribute('aria-label')}.xlsx`);
  const [head, ...rows] = (await readXlsx(readFileSync(await download.path()))).sheets[0]!.rows;
  const written = shown.filter((column) => column in file.cells);
  expect(head).toHaveLength(written.length);
  const wanted = sorted.records.filter((_, i) => i !== 5);
  expect(rows).toHaveLength(sorted.total - 1);
  for (const [n, column] of written.entries()) {
    const cells = wanted.map((record) => held(file.cells[column]!, record));
    if (cells[0] !== undefined && !['orgs', 'scopes', 'events'].includes(column))
      expect(
        rows.slice(0, cells.length).map((row) => String(row[n] ?? '')),
        `${path} ${column}`,
      ).toEqual(cells);
  }
  expect(JSON.stringify(rows)).not.toContain('hidden-line');
  await strip.getByRole('button', { name: 'Close' }).click();
  await strip.waitFor({ state: 'detached' });

  // Filter through the address.
  const filter = filterFor(file, records.at(-1)!);
  expect(filter, `${path} has a filter`).toBeDefined();
  const found = await ask(file, { ...base, [filter![0]]: filter![1], limit: 20 });
  await page.goto(at({ [filter![0]]: filter![1] }));
  await expect.poll(() => rowIds(page)).toEqual(found.records.map((r) => r.id));
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
}

it(
  'every list sorts, filters, selects, exports and shows the progress of long work [SHELL-17]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { page: administrator } = await product.administrator('/about');
    const { page: ofThem } = await product.loggedIn('/about', customer);
    const paths = new Set(pageRoutes.map((r) => r.path));
    const met = new Set<ListExport>();
    for (const { path, tab } of addresses) {
      expect(paths, path).toContain(path);
      const page = path === ofCustomer ? ofThem : administrator;
      const asked = new Promise<ListExport>((resolve) => {
        const look = (r: { method(): string; url(): string }) => {
          const url = new URL(r.url());
          // Only a page of it: other requests ask for a count or come from the bell.
          if (r.method() !== 'GET' || url.searchParams.get('page') !== '1' || !url.searchParams.has('limit')) return;
          const file = files.find(({ list }) => url.pathname === list.path && url.searchParams.get('limit') === '20');
          if (file === undefined) return;
          page.off('request', look);
          resolve(file);
        };
        page.on('request', look);
      });
      await page.goto(`${path}?${tab}`);
      const file = await asked;
      met.add(file);
      await fits(page);
      await walk(page, file, path, tab);
    }
    // Every list has a page, except the one of a task's drawer, and every page's list has an export.
    const unmet = files.filter((f) => !met.has(f)).map((f) => f.list.path);
    expect(unmet).toEqual([contracts.listTaskDevices.path]);

    // Long work that waits for offline devices.
    const { call } = product.platform;
    const away = new Set((await product.platform.devices()).filter((d) => !d.online).map((d) => d.mac));
    const { records } = await call(contracts.listDevices, { query: { state: ['notConfigured'], limit: 200 } });
    const waiting = records.filter((d) => away.has(d.mac)).length;
    expect([waiting > 0, records.length > waiting]).toEqual([true, true]);
    const { id } = await call(contracts.addTask, {
      body: { name: 'Long work', action: 'reboot', params: {}, target: { ids: records.map((d) => d.id) } },
    });
    const bar = administrator.getByRole('dialog', { name: 'Long work' }).getByRole('progressbar');
    const shown = () =>
      expect
        .poll(async () => [await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')], {
          timeout: 30_000,
        })
        .toEqual([String(records.length - waiting), String(records.length)]);
    await administrator.goto(`/task/list?task=${id}`);
    await shown();
    await administrator.reload();
    await shown();
    await call(contracts.stopTask, { params: { id } });
  },
);
