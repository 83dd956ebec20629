import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as contracts from '@carillon/contracts';
import {
  createClient,
  type Client,
  type ExportCell,
  type ListExport,
  type NounDefinition,
  type RouteDefinition,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { deliver, eventually } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { testLdap, type TestLdap } from '@carillon/testing/ldap';
import { useProduct } from '../../../test/browser.ts';
import { exampleOf, uploadOf } from '../../../test/example.ts';
import { pageRoutes } from '../../../test/routes.ts';
import { tellMessage } from '../../../test/tell.ts';

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
/** A customer of the installation's own company, for settings that only a company with a parent has. */
const customer = { username: 'walk.customer', password: 'Own-Secret-1' };
let asCustomer: Client;
const ofCustomer = '/system/supportAccess';
const ask = async ({ list }: ListExport, query: object): Promise<Listed> => {
  const call = list === contracts.listSupportAccess ? asCustomer : product.platform.call;
  return (await call(list as never, { query } as never)) as Listed;
};
/** Creates the customer once; companies are not deleted, so it exists when the test runs again. */
async function makeCustomer(): Promise<void> {
  const { call, ready } = product.platform;
  const first = 'First-Secret-1';
  const made = await call(contracts.addCompany, {
    body: {
      name: 'Company of the lists',
      type: 'enterprise',
      organizationName: 'Lists',
      remarks: '',
      username: customer.username,
      nickname: 'Lists',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
    },
  }).catch((e: { error: string }) => expect(e.error).toBe('org.companyNameTaken'));
  const chosen = { newPassword: customer.password, confirmation: customer.password };
  if (made)
    await eventually(() =>
      product.platform.plainClient()(contracts.activateByPassword, {
        body: { username: customer.username, password: first, ...chosen },
      }),
    );
  const token = await logIn({ ...ready, admin: customer });
  asCustomer = createClient({ baseUrl: ready.url, headers: () => ({ 'carillon-auth': `bearer ${token}` }) });
  for (const hours of six) {
    const { id } = await eventually(() =>
      asCustomer(contracts.addSupportAccess, { body: { level: 'view', hours, reason: `Walk ${hours}` } }),
    );
    await asCustomer(contracts.endSupportAccess, { params: { id } });
  }
}
const shapeOf = ({ list }: ListExport) => (list as RouteDefinition).query!.shape as Record<string, unknown>;
const sortsOf = (file: ListExport): string[] => {
  const { sort } = shapeOf(file) as { sort?: { unwrap(): { options: string[] } } };
  return sort?.unwrap().options.filter((key) => !key.startsWith('-')) ?? [];
};

/** Undoes the preparation after the test. */
const undo: (() => Promise<unknown>)[] = [];
let ldap: TestLdap | undefined;
const six = [1, 2, 3, 4, 5, 6];

beforeAll(async () => {
  await makeCustomer();
  const { call, ready } = product.platform;
  const c = contracts;
  const roles = await Promise.all(
    six.map((n) =>
      call(c.addRole, { body: { name: `Walk role ${n}`, description: `=${n}`, permissions: ['device'] } }),
    ),
  );
  const ids: Record<
    | 'user'
    | 'group'
    | 'site'
    | 'org'
    | 'server'
    | 'account'
    | 'token'
    | 'address'
    | 'notice'
    | 'hook'
    | 'order'
    | 'firmware'
    | 'file'
    | 'config'
    | 'template'
    | 'freeze'
    | 'baseline',
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
    hook: [],
    order: [],
    freeze: [],
    baseline: [],
    firmware: [],
    file: [],
    config: [],
    template: [],
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
    const line = { mac: `0c383ef0000${n}`, model: c.suppliedModels[n]!.name, order: `Walk ${n}` };
    ids.order.push((await call(c.addChannelOrder, { body: line })).id);
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
    const program = { name: `Walk ${n}`, scopes: ['device' as const], expiresAt, password: ready.admin.password };
    ids.token.push((await call(c.addApiToken, { body: program })).id);
    const notice = { title: `Walk notice ${n}`, emails: [`walk${n}@example.com`], roleIds: [], userIds: [] };
    const daily = {
      sendType: 'timed',
      time: `0${n}:00`,
      zone: 'UTC',
      level: 'high',
      enabled: false,
    } as const;
    ids.notice.push((await call(c.addEmailNotice, { body: { ...notice, ...daily, kinds: [] } })).id);
    // Nothing listens there, and only its test is sent.
    const hook = { name: `Walk hook ${n}`, url: `http://localhost:9/walk/${n}`, level: 'low', enabled: false } as const;
    const { id: hookId } = await call(c.addWebhook, { body: { ...hook, events: ['alarm.raised'], kinds: [] } });
    ids.hook.push(hookId);
    const days = { begin: `20${20 + n}-12-20T18:00`, end: `20${20 + n}-12-27T06:00`, timeZone: 'Etc/UTC' };
    ids.freeze.push((await call(c.addFreezePeriod, { body: { name: `Walk freeze ${n}`, siteIds: [], ...days } })).id);
    const upload = (noun: string, file: string) =>
      uploadOf({ name: noun }, { name: file, text: `\u0001 Walk ${n}` }, product.platform);
    const firmware = {
      models: ['X7A' as string],
      description: `Notes ${n}`,
      notice: { whom: 'nobody' as const, at: null },
    };
    const image = await upload('firmware', `walk${n}.bin`);
    const version = { name: 'Walk firmware', version: `1.${n}.0`, ...firmware, upload: image };
    const { id: firmwareId } = await call(c.addFirmware, { body: version });
    ids.firmware.push(firmwareId);
    const scope = { model: 'X7A', siteId: null, groupId: null, from: null, to: null, timeZone: null };
    const baseline = { name: `Walk baseline ${n}`, firmwareId, active: n % 2 === 0, ...scope };
    // Its service receives the firmware a moment later.
    ids.baseline.push((await eventually(() => call(c.addBaseline, { body: baseline }))).id);
    const uploads = [await upload('resourceFile', `walk${n}.bin`)];
    const file = { name: `Walk file ${n}`, type: 'image', description: `Hall ${n}`, uploads } as const;
    ids.file.push((await call(c.addResourceFile, { body: { ...file, uploads } })).id);
    const config = { name: `Walk configuration ${n}`, description: `Hall ${n}`, models: n % 2 ? ['X7A'] : [] };
    const text = await upload('configFile', `walk${n}.bin`);
    ids.config.push((await call(c.addConfigFile, { body: { ...config, upload: text } })).id);
    // Each is for a model of its own, which has no other one.
    const template = { name: `Walk template ${n}`, description: `Hall ${n}`, values: { 'phone.ringtone': n } };
    const target = { level: 'model' as const, target: `Walk model ${n}` };
    ids.template.push((await call(c.addConfigTemplate, { body: { ...template, ...target } })).id);
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
  const labels = six.map((n) => ({ mac: `0c383ef0001${n}`, sn: `Walk ${n}`, claimCode: `WALK-CODE-000${n}` }));
  await deliver(call, labels);
  const delivered = (await call(c.listDeliveries, { query: { mac: labels.map(({ mac }) => mac) } })).records;
  undo.push(() => call(c.deleteDeliveries, { query: { ids: delivered.map(({ id }) => id) } }));
  for (const id of ids.hook) await call(c.testWebhook, { params: { id } });
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
  // Nouns without prepared rows get those of their examples.
  for (const noun of c.nouns as readonly NounDefinition[]) {
    const { route } = allRoutes.find((r) => r.route.permission === noun.name && r.route.path.endsWith('/list'))!;
    const { total } = (await call(route as never, { query: {} } as never)) as Listed;
    for (const n of six.slice(total)) {
      const example = { ...noun.example, name: `Walk ${noun.name} ${n}` };
      undo.push((await exampleOf({ ...noun, example }, product.platform)).remove);
    }
  }
  undo.push(
    async () => {
      const { records } = await call(c.listMessages, { query: { search: 'Walk', limit: 50 } });
      await call(c.deleteMessages, { body: records.map((m) => m.id) });
    },
    () => call(c.deleteSipAccounts, { query: { ids: ids.account } }),
    ...ids.server.map((id) => () => call(c.deleteSipServer, { query: { id } })),
    ...ids.freeze.map((id) => () => call(c.deleteFreezePeriod, { query: { id } })),
    ...ids.notice.map((id) => () => call(c.deleteEmailNotice, { query: { id } })),
    ...ids.hook.map((id) => () => call(c.deleteWebhook, { query: { id } })),
    ...ids.token.map((id) => () => call(c.revokeApiToken, { params: { id } })),
    ...ids.baseline.map((id) => () => call(c.deleteBaseline, { query: { id } })),
    ...ids.firmware.map((id) => () => eventually(() => call(c.deleteFirmware, { query: { id } }))),
    ...ids.file.map((id) => () => call(c.deleteResourceFile, { query: { id } })),
    ...ids.config.map((id) => () => call(c.deleteConfigFile, { query: { id } })),
    ...ids.template.map((id) => () => call(c.deleteConfigTemplate, { query: { id } })),
    () => call(c.closeApiAccess),
    () => call(c.deleteUsers, { query: { ids: ids.user } }),
    () => call(c.deleteRoles, { query: { ids: roles.map((r) => r.id) } }),
    ...ids.group.map((id) => () => call(c.deleteDeviceGroup, { query: { id } })),
    ...ids.site.map((id) => () => call(c.deleteSite, { query: { id } })),
    () => call(c.deleteChannelOrders, { query: { ids: ids.order } }),
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
    const told = (groups: string[]) => groups.filter((v) => v !== '');
    if (up!.total <= 200) expect(told(falling!), `${file.list.path} -${key}`).toEqual(told(rising!).toReversed());
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
