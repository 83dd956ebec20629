import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as contracts from '@carillon/contracts';
import type { ExportCell, ListExport, RouteDefinition } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { testLdap, type TestLdap } from '@carillon/testing/ldap';
import { useProduct } from '../../../test/browser.ts';
import { pageRoutes } from '../../../test/routes.ts';
import { tellMessage } from '../../../test/tell.ts';

const product = useProduct();
const area = join(import.meta.dirname, '../../area');
/** The addresses of all lists, as their declarations say them; one that has tabs has a list behind each. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  '/alarm': ['', 'tableCheck=message'],
  '/system/operationLog': ['', 'log=errors'],
  '/system/time': ['', 'table=zones'],
};
const addresses = [
  ...new Set(
    globSync('**/*.tsx', { cwd: area }).flatMap((file) =>
      [...readFileSync(join(area, file), 'utf8').matchAll(/<ListPage[\s\S]*?route="\/_main([^"]+)"/g)].map(
        (m) => m[1]!,
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
const ask = async ({ list }: ListExport, query: object): Promise<Listed> =>
  (await product.platform.call(list as never, { query } as never)) as Listed;
const shapeOf = ({ list }: ListExport) => (list as RouteDefinition).query!.shape as Record<string, unknown>;
const sortsOf = (file: ListExport): string[] => {
  const { sort } = shapeOf(file) as { sort?: { unwrap(): { options: string[] } } };
  return sort?.unwrap().options.filter((key) => !key.startsWith('-')) ?? [];
};

/** What is made for the walk, and taken away after it. */
const undo: (() => Promise<unknown>)[] = [];
let ldap: TestLdap | undefined;
const six = [1, 2, 3, 4, 5, 6];

beforeAll(async () => {
  const { call } = product.platform;
  const c = contracts;
  const roles = await Promise.all(
    six.map((n) =>
      call(c.addRole, { body: { name: `Walk role ${n}`, description: `=${n}`, permissions: ['device'] } }),
    ),
  );
  const ids: Record<
    'user' | 'group' | 'site' | 'org' | 'server' | 'account' | 'token' | 'address' | 'notice',
    string[]
  > = {
    user: [],
    group: [],
    site: [],
    org: [],
    server: [],
    account: [],
    token: [],
    address: [],
    notice: [],
  };
  await call(c.openApiAccess);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const make = async (n: number): Promise<void> => {
    const username = `walk.${n}`;
    const user = { username, nickname: `Walker ${n}`, email: null, roleIds: [roles[n - 1]!.id] };
    const first = { activation: 'password', oldEnough: true, password: 'First-Secret-1' } as const;
    ids.user.push((await call(c.addUser, { body: { ...user, ...first, allOrgs: true, orgIds: [] } })).id);
    ids.group.push((await call(c.addDeviceGroup, { body: { name: `Walk group ${n}`, description: '' } })).id);
    const site = { parentId: null, description: `Floor ${n}`, segments: '', autoAssign: n > 3 };
    ids.site.push((await call(c.addSite, { body: { name: `Walk site ${n}`, ...site } })).id);
    const place = { name: `Walk address ${n}`, parentId: null, description: `Floor ${n}` };
    ids.address.push((await call(c.addChannelAddress, { body: place })).id);
    ids.org.push((await call(c.addOrganization, { body: { name: `Walk part ${n}`, description: '' } })).id);
    const server = { address: `pbx${n}.example.com`, port: 5060 + n, transport: 'udp' } as const;
    const made = await call(c.addSipServer, {
      body: {
        name: `Walk server ${n}`,
        ...server,
        domain: '',
        proxyAddress: null,
        proxyPort: null,
        backupAddress: null,
        backupPort: null,
      } as never,
    });
    ids.server.push(made.id);
    const account = { name: `Walk account ${n}`, number: `70${n}`, serverId: made.id, authPassword: 'hidden-line' };
    ids.account.push((await call(c.addSipAccount, { body: account })).id);
    ids.token.push((await call(c.addApiToken, { body: { name: `Walk ${n}`, scopes: ['device'], expiresAt } })).id);
    const notice = { title: `Walk notice ${n}`, emails: [`walk${n}@example.com`], roleIds: [], userIds: [] };
    const daily = {
      sendType: 'timed',
      time: `0${n}:00`,
      zone: 'UTC',
      level: 'high',
      enabled: false,
    } as const;
    ids.notice.push((await call(c.addEmailNotice, { body: { ...notice, ...daily, kinds: [] } })).id);
    await call(c.addCompany, {
      body: {
        name: `Walk company ${n} ${Date.now().toString(36)}`,
        type: 'enterprise',
        organizationName: 'Part',
        remarks: `Remark ${n}`,
        username: `walk${n}.${Date.now().toString(36)}`,
        nickname: 'Boss',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: 'First-Secret-1',
        language: 'en_US',
        timezoneId: 1,
        countryId: 1,
      },
    });
  };
  await Promise.all(six.map(make));
  const people = Object.fromEntries(
    six.map((n) => [`walk${n}`, { cn: `Walk person ${n}`, telephoneNumber: `60${n}` }]),
  );
  ldap = await testLdap(people);
  type Directory = Extract<(typeof c.nouns)[number], { name: 'ldapServer' }>;
  const directory = c.nouns.find((noun): noun is Directory => noun.name === 'ldapServer')!.example;
  for (const n of six) {
    const { id } = await call(c.addLdapServer, {
      body: {
        ...directory,
        name: `Walk directory ${n}`,
        host: `ldap${n}.example.com`,
        password: 'hidden-line',
        ...(n === 1 ? { host: ldap.host, port: ldap.tlsPort, ca: ldap.ca, userName: ldap.user } : {}),
        ...(n === 1 ? { password: ldap.password, base: ldap.base } : {}),
      } as never,
    });
    if (n === 1) await call(c.syncLdapServer, { body: { id } });
    undo.push(() => call(c.deleteLdapServer, { query: { id } }));
  }
  await eventually(async () => expect((await call(c.listLdapAccounts, { query: {} })).total).toBe(6), 60_000);
  for (const [type, objectName] of six.flatMap((n) => [
    [6, `Walk phone ${n}`] as const,
    [-2, `Walk model ${n}`] as const,
  ]))
    await tellMessage(product.platform, { type, objectName });
  const here = (await call(c.listDevices, { query: { state: ['online'], limit: 1 } })).records[0]!;
  for (const n of six)
    await call(c.addTask, { body: { name: `Walk task ${n}`, action: 'reboot', target: { ids: [here.id] } } });
  const entry = (n: number) => ({
    url: `/walk/${n}`,
    time: new Date().toISOString(),
    type: 'error',
    message: `Walk error ${n}`,
    stack: '',
    info: '',
  });
  await call(c.reportErrors, { body: { logs: six.map(entry) } });
  undo.push(
    async () => {
      const { records } = await call(c.listMessages, { query: { search: 'Walk', limit: 50 } });
      await call(c.deleteMessages, { body: records.map((m) => m.id) });
    },
    () => call(c.deleteSipAccounts, { query: { ids: ids.account } }),
    ...ids.server.map((id) => () => call(c.deleteSipServer, { query: { id } })),
    ...ids.notice.map((id) => () => call(c.deleteEmailNotice, { query: { id } })),
    ...ids.token.map((id) => () => call(c.revokeApiToken, { params: { id } })),
    () => call(c.closeApiAccess),
    () => call(c.deleteUsers, { query: { ids: ids.user } }),
    () => call(c.deleteRoles, { query: { ids: roles.map((r) => r.id) } }),
    ...ids.group.map((id) => () => call(c.deleteDeviceGroup, { query: { id } })),
    ...ids.site.map((id) => () => call(c.deleteSite, { query: { id } })),
    ...ids.address.map((id) => () => call(c.deleteChannelAddress, { query: { id } })),
    ...ids.org.map((id) => () => call(c.deleteOrganization, { body: { id } })),
  );
  await eventually(async () => {
    expect((await call(c.listTasks, { query: { search: 'Walk task', status: ['finished', 'success'] } })).total).toBe(
      6,
    );
  }, 60_000);
});
afterAll(async () => {
  for (const back of undo) await back();
  await ldap?.stop();
});

/** What a record has in a column, as text; moments and words of ours are the reader's affair. */
const held = ({ kind, value }: ExportCell, record: Named): string | undefined => {
  const v = value(record);
  if (kind === 'moment' || kind === 'word') return undefined;
  return v === null || v === undefined ? '' : kind === 'names' ? (v as string[]).join(', ') : String(v);
};
const rank = ({ value }: ExportCell, record: Named): string => String(value(record) ?? '').toLowerCase();
const apart = (all: readonly string[]): string[] => all.filter((v, i) => i === 0 || v !== all[i - 1]);

/** By every column that the call sorts by: equal values stand together, and downwards is the other way round. */
async function sorts(file: ListExport, base: object): Promise<void> {
  for (const key of sortsOf(file)) {
    const cell = file.cells[key];
    expect(cell, `${file.list.path} ${key}`).toBeDefined();
    const [up, down] = await Promise.all(
      [key, `-${key}`].map(async (sort) => ask(file, { ...base, sort, limit: 200 })),
    );
    const [rising, falling] = [up!, down!].map(({ records }) => apart(records.map((r) => rank(cell!, r))));
    for (const groups of [rising!, falling!])
      expect(new Set(groups).size, `${file.list.path} ${key}`).toBe(groups.length);
    // Nothing is last in both ways.
    const told = (groups: string[]) => groups.filter((v) => v !== '');
    if (up!.total <= 200) expect(told(falling!), `${file.list.path} -${key}`).toEqual(told(rising!).toReversed());
  }
}

const rowIds = (page: Page) =>
  page.locator('main [data-id]').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
const heads = (page: Page) =>
  page.locator('main th[data-column]').evaluateAll((all) => all.map((th) => th.getAttribute('data-column')!));

/** A filter that finds the record, as the address has it. */
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

async function walk(page: Page, file: ListExport, path: string, first: string): Promise<void> {
  const shape = shapeOf(file);
  const now = new Date().toISOString();
  // What comes while it is looked at is not looked at.
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

  // Page sizes, the usual one first; another one is in the address.
  if (until.length > 0) await page.goto(at({}));
  const size = page.locator('main footer select');
  await size.waitFor();
  expect(await size.locator('option').allTextContents()).toEqual(
    [5, 10, 20, 30, 50, 100, 150, 200].map((n) => `${n} rows`),
  );
  expect(await size.inputValue()).toBe('20');
  await size.selectOption('5');
  await page.waitForURL(/limit=5/);
  await expect.poll(() => rowIds(page)).toEqual(records.slice(0, 5).map((r) => r.id));

  // Sorted by a click.
  const sortable = page.locator('main th[data-column]:has(> button)').first();
  const key = (await sortable.getAttribute('data-column'))!;
  await sortable.locator('> button').click();
  await page.waitForURL((url) => url.searchParams.get('sort') === key);
  const sorted = await ask(file, { ...base, sort: key, limit: 200 });
  await expect.poll(() => rowIds(page)).toEqual(sorted.records.slice(0, 5).map((r) => r.id));

  // A column less, also after the reload that comes.
  const before = await heads(page);
  const away = before.at(-1)!;
  const title = (await page.locator(`main th[data-column="${away}"]`).innerText()).trim();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByLabel(title, { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  const shown = before.slice(0, -1);
  await expect.poll(() => heads(page)).toEqual(shown);

  // All pages but one record, as a file whose progress is there again after a reload.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: /^Select all .* that match$/ }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => rowIds(page)).toEqual(sorted.records.slice(5, 10).map((r) => r.id));
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
  expect(rows).toHaveLength(total - 1);
  for (const [n, column] of written.entries()) {
    const cells = wanted.map((record) => held(file.cells[column]!, record));
    if (cells[0] !== undefined && column !== 'orgs' && column !== 'scopes')
      expect(
        rows.slice(0, cells.length).map((row) => String(row[n] ?? '')),
        `${path} ${column}`,
      ).toEqual(cells);
  }
  expect(JSON.stringify(rows)).not.toContain('hidden-line');
  await strip.getByRole('button', { name: 'Close' }).click();
  await strip.waitFor({ state: 'detached' });

  // Filtered by the address.
  const filter = filterFor(file, records.at(-1)!);
  expect(filter, `${path} has a filter`).toBeDefined();
  const found = await ask(file, { ...base, [filter![0]]: filter![1], limit: 20 });
  await page.goto(at({ [filter![0]]: filter![1] }));
  await expect.poll(() => rowIds(page)).toEqual(found.records.map((r) => r.id));
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
}

it('every list has the page sizes of the spec, sorts by its columns and filters by its address, has a column chooser and a selection over all its pages, and is written into a file whose progress is there again after a reload [SHELL-17/lists]', async () => {
  const { page } = await product.administrator('/about');
  const paths = new Set(pageRoutes.map((r) => r.path));
  const met = new Set<ListExport>();
  for (const { path, tab } of addresses) {
    expect(paths, path).toContain(path);
    const asked = new Promise<ListExport>((resolve) => {
      const look = (r: { method(): string; url(): string }) => {
        const url = new URL(r.url());
        // A page of it: others are asked for how many there are, and by the bell.
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
    await walk(page, file, path, tab);
  }
  // No list without a page, and no page whose list has no file.
  expect(files.filter((f) => !met.has(f)).map((f) => f.list.path)).toEqual([]);
}, 300_000);
