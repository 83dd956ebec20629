import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import {
  addOrganization,
  createClient,
  deleteOrganization,
  disableUsers,
  editOrganization,
  getOrganization,
  listOperationLog,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { eventually } from '@carillon/testing';
import { carillon, logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';
import { someone } from '../../../../test/person.ts';

const product = useProduct();

it('the log has every operation with before and after, and detects tampering [SYS-04]', async () => {
  const { platform } = product;
  const began = Date.now();
  // By the request id of each answer.
  const requests = { add: '', edit: '', refused: '', bulk: '' };
  const token = await logIn(platform.ready);
  const as = (request: keyof typeof requests) =>
    createClient({
      baseUrl: platform.ready.url,
      headers: () => ({ 'carillon-auth': `bearer ${token}` }),
      fetch: async (...asked) => {
        const answer = await fetch(...asked);
        requests[request] = answer.headers.get('carillon-request-id')!;
        return answer;
      },
    });
  const people = await Promise.all(['logged-anna', 'logged-ben'].map((name) => someone(platform, name, ['home'])));
  const org = await as('add')(addOrganization, { body: { name: 'Logged hall', description: 'first' } });
  // Users who see all organizations see a new one within moments.
  await eventually(() => platform.call(getOrganization, { params: { id: org.id } }));
  await as('edit')(editOrganization, { body: { id: org.id, name: 'Logged tower', description: 'second' } });
  await as('refused')(addOrganization, { body: { name: 'Logged tower', description: '' } }).then(
    () => {
      throw new Error('not refused');
    },
    (e: { error: string }) => {
      expect(e.error).toBe('org.nameTaken');
    },
  );
  await as('bulk')(disableUsers, { body: { ids: people.map((p) => p.id) } });
  await platform.call(deleteOrganization, { body: { id: org.id } });

  // The entries, as the call returns them.
  const log = (query: Record<string, unknown>) => platform.call(listOperationLog, { query });
  const entries = await eventually(async () => {
    const { records } = await log({ objectId: org.id });
    expect(records.map((e) => e.action)).toEqual(['organization.delete', 'organization.edit', 'organization.add']);
    return records;
  }, 20_000);
  const edit = entries[1]!;
  // Each filter separately, on these three entries.
  for (const [filter, count] of [
    [{ action: ['organization.edit'] }, 1],
    [{ username: ['admin'] }, 3],
    [{ username: ['logged-anna'] }, 0],
    [{ result: ['success'] }, 3],
    [{ result: ['org.nameTaken'] }, 0],
    [{ address: ['127.0.0.1'] }, 3],
    [{ address: ['10.9.8.7'] }, 0],
    [{ objectName: ['Logged hall'] }, 1],
    [{ from: edit.at }, 2],
    [{ to: edit.at }, 2],
    [{ requestId: requests.edit }, 1],
    [{ search: 'Logged tower' }, 2],
  ] as const)
    expect([filter, (await log({ objectId: org.id, ...filter })).total]).toEqual([filter, count]);
  expect(edit).toMatchObject({
    username: 'admin',
    userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    objectId: org.id,
    objectName: 'Logged tower',
    address: '127.0.0.1',
    result: 'success',
    requestId: requests.edit,
    related: 1,
    detail: {
      before: { name: 'Logged hall', description: 'first' },
      after: { name: 'Logged tower', description: 'second' },
    },
  });
  expect(Math.abs(Date.parse(edit.at) - began)).toBeLessThan(60_000);
  expect(
    (
      await eventually(async () => {
        const { records } = await log({ requestId: requests.refused });
        expect(records).toHaveLength(1);
        return records;
      })
    )[0],
  ).toMatchObject({ action: 'organization.add', result: 'org.nameTaken', username: 'admin' });
  const [bulk] = (
    await eventually(async () => {
      const found = await log({ requestId: requests.bulk });
      expect(found.total).toBe(1);
      return found;
    })
  ).records;
  expect(bulk).toMatchObject({
    action: 'user.disable',
    objectName: expect.stringMatching(/logged-anna.*logged-ben|logged-ben.*logged-anna/),
    detail: {
      before: { 'logged-anna': 'normal', 'logged-ben': 'normal' },
      after: { 'logged-anna': 'disabled', 'logged-ben': 'disabled' },
    },
  });

  // The screen: filters by text, user, action, result, time and object.
  const { page } = await product.administrator('/system/operationLog?search=Logged+tower');
  const rows = page.locator('main [data-id]');
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(2);
  await page.goto(
    `/system/operationLog?action=organization.edit&username=admin&result=success&within=hour&search=${requests.edit}`,
  );
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: /Time\s*in the\s*last hour/ }).waitFor();
  await rows.getByText('Logged tower').waitFor();
  for (const other of ['action=organization.add', 'username=logged-anna', 'result=org.nameTaken']) {
    await page.goto(`/system/operationLog?search=${requests.edit}&${other}`);
    await page.getByText('No entry matches these filters').waitFor();
  }
  await page.goto(`/system/operationLog?search=${requests.edit}`);
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('link').first().click();
  const drawer = page.getByRole('dialog');
  for (const text of ['admin', 'Logged tower', org.id, requests.edit, '127.0.0.1', 'Success'])
    await drawer.getByText(text, { exact: true }).first().waitFor();
  expect(await drawer.getByRole('row').allInnerTexts()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Name\s+Logged hall\s+Logged tower$/),
      expect.stringMatching(/^Description\s+first\s+second$/),
    ]),
  );
  await drawer.getByRole('button', { name: 'All entries of this object' }).click();
  await expect.poll(() => rows.count()).toBe(3);

  // The export contains all filtered entries in the selected columns.
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  for (const column of ['Request', 'Change'])
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel(column, { exact: true }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const strip = page.getByRole('region', { name: 'Export: Activity log' });
  await strip.getByText('The file with 3 rows is ready').waitFor();
  const download = page.waitForEvent('download');
  await strip.getByRole('button', { name: 'Download file' }).click();
  const sheet = (await readXlsx(readFileSync(await (await download).path()))).sheets[0]!;
  expect(sheet.rows).toHaveLength(4);
  const file = JSON.stringify(sheet.rows);
  for (const text of ['admin', 'Logged hall', 'Logged tower', '127.0.0.1', requests.add, requests.edit, 'second'])
    expect(file).toContain(text);

  // Nobody can change it: there is no such call, and the product's role in the database may only insert.
  expect(allRoutes.filter(({ route }) => /operationLog/.test(route.path)).map(({ name }) => name)).toEqual([
    'listOperationLog',
    'addOperationLogExport',
  ]);
  const connect = async (user: string, password: string) => {
    const client = new pg.Client({
      host: platform.socket,
      port: 5432,
      database: 'carillon_notification',
      user,
      password,
    });
    await client.connect();
    return client;
  };
  const app = await connect('carillon_notification_app', platform.databasePassword('notification'));
  await app.query(`select set_config('app.company_id', $1, false), set_config('app.org_ids', '*', false)`, [
    platform.companyId,
  ]);
  for (const sql of [
    `update operation_log set username = 'nobody'`,
    'delete from operation_log',
    'truncate operation_log',
  ])
    await expect(app.query(sql)).rejects.toThrow(/permission denied/);
  await app.end();
  // A superuser of the database can; then the audit names the altered entry.
  const audit = () => carillon(['audit', '--data', platform.folder]);
  expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing was altered or removed/) });
  const secrets = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as {
    databases: Record<string, { owner: string }>;
  };
  const owner = await connect('carillon_notification_owner', secrets.databases['notification']!.owner);
  const set = async (name: string) => {
    await owner.query('begin');
    await owner.query('alter table operation_log no force row level security');
    await owner.query('update operation_log set username = $2 where id = $1', [edit.id, name]);
    await owner.query('alter table operation_log force row level security');
    await owner.query('commit');
  };
  try {
    await set('someone else');
    expect(await audit()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`company ${platform.companyId}: entry ${edit.seq} is not as it was written`),
    });
  } finally {
    await set('admin');
    await owner.end();
  }
  expect((await audit()).code).toBe(0);
  for (const person of people) await person.leave();
});
