// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addApiToken,
  addSite,
  addTask,
  approveTask,
  closeApiAccess,
  deleteSite,
  editApprovalRule,
  getApprovalRule,
  getTask,
  listDevices,
  listTasks,
  openApiAccess,
  pauseTask,
  permissionKeys,
  placeDevices,
  previewTask,
  resumeTask,
  superKeys,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { someone, type Someone } from '../../../../test/person.ts';

const product = useProduct();
const field = (name: string) => `[name=${name}]`;
const patience = 240_000;
let approver: Someone;

beforeAll(async () => {
  const rights = permissionKeys.filter((key) => !superKeys.includes(key));
  approver = await someone(product.platform, 'second.person', rights);
});
afterAll(async () => {
  await product.platform.call(editApprovalRule, { body: { devices: null, actions: [] } });
  await approver?.leave();
});

it(
  'a reboot waits for a second user, and its creator cannot approve it [TASK-08/approval]',
  async () => {
    const { platform } = product;
    const { call } = platform;
    const online = (await platform.devices()).find((d) => d.online && d.behaviour === 'normal')!;
    const [device] = (await call(listDevices, { query: { search: online.mac } })).records;
    const restarts = async () =>
      ((await platform.effects()).get(online.mac) ?? []).filter((e) => e.action === 'reboot').length;
    const before = await restarts();

    // The rule.
    const { page } = await product.administrator('/system/approval');
    await page.getByRole('checkbox', { name: 'Require approval by a second person' }).check({ force: true });
    await page.locator(field('devices')).fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose at least one action.').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Open or close a door' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Reboot', exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Task approval saved').waitFor();
    expect(await call(getApprovalRule)).toEqual({ devices: 1, actions: ['reboot'] });

    // A push cannot wait, so a waiting task is offered instead.
    await page.goto(`/device/list?search=${online.mac}`);
    await page.locator(`[data-id="${device!.id}"] input[type=checkbox]`).click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Reboot' }).click();
    const push = page.getByRole('dialog');
    await push.getByRole('button', { name: 'Reboot', exact: true }).click();
    await push.getByText('This needs approval by a second person, so it can’t start now.').waitFor();
    await push.getByRole('button', { name: 'More options' }).click();
    await page.waitForURL('**/task/addTask?draft=*');
    await page.locator(field('name')).fill('Zz approved');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText(/^This task needs approval by a second person/).waitFor();
    await page.getByRole('button', { name: 'Ask for approval' }).click();
    const own = page.getByRole('dialog', { name: 'Zz approved' });
    await own.getByText('You created this task. It starts after someone else approves it.').waitFor();
    expect(await own.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const { records } = await call(listTasks, { query: { search: 'Zz approved' } });
    const { id } = records[0]!;

    // The creator cannot approve it, by whatever kind of call.
    await expect(call(approveTask, { params: { id }, body: { devices: 1 } })).rejects.toMatchObject({
      error: 'approval.ownTask',
    });
    await call(openApiAccess);
    const { token } = await call(addApiToken, {
      body: {
        name: 'Of the creator',
        scopes: ['task', 'approveTask', 'rebootDevice'],
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        password: platform.ready.admin.password,
      },
    });
    const byToken = async () => {
      const answer = await fetch(`${platform.ready.url}/api/f/task/task/${id}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ devices: 1 }),
      });
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    // The API gateway knows a token a moment after it was made.
    await eventually(async () => expect(await byToken()).toEqual([403, 'approval.ownTask']));
    await call(closeApiAccess);
    expect(await call(getTask, { params: { id } })).toMatchObject({
      runs: 0,
      approval: { state: 'asked', devices: 1 },
    });
    expect(await restarts()).toBe(before);

    // The second person.
    const other = (await product.loggedIn('/task/list', approver)).page;
    await other.getByRole('link', { name: /^\d+ tasks? waits? for approval$/ }).click();
    await other.waitForURL(/approval=/);
    await other.getByRole('button', { name: /^Approval is Waits for approval/ }).waitFor();
    await other.locator('[data-id]').getByText('Zz approved', { exact: true }).first().click();
    const drawer = other.getByRole('dialog', { name: 'Zz approved' });
    await drawer.getByText(`${platform.ready.admin.username} created this task. It is for 1 device.`).waitFor();
    // They see there which phone it is.
    await drawer.getByRole('row').getByRole('link', { name: device!.name, exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Approve', exact: true }).click();
    await drawer.getByText('1 of 1 device finished').waitFor({ timeout: 60_000 });
    await drawer.getByText(/^Approved by second\.person on \d{4}-/).waitFor();
    expect(await restarts()).toBe(before + 1);
    expect(await platform.ended(id)).toMatchObject({ status: 'success', runs: 1 });
    // The creator sees the result on the page that they left open.
    await own.getByText(/^Approved by second\.person on \d{4}-/).waitFor();
  },
  patience,
);

it(
  'a refusal ends a task, its creator reads it live, and no phone gets a command [TASK-08/approval]',
  async () => {
    const { platform } = product;
    const { call } = platform;
    await call(editApprovalRule, { body: { devices: 1, actions: ['reboot'] } });
    const online = (await platform.devices()).find((d) => d.online && d.behaviour === 'normal')!;
    const restarts = async () =>
      ((await platform.effects()).get(online.mac) ?? []).filter((e) => e.action === 'reboot').length;
    const before = await restarts();
    const { page } = await product.administrator(`/device/list?search=${online.mac}`);
    await page.locator('[data-id] input[type=checkbox]').first().click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Reboot' }).click();
    const push = page.getByRole('dialog');
    await push.getByRole('button', { name: 'Reboot', exact: true }).click();
    await push.getByRole('button', { name: 'Ask for approval' }).click();
    await page.waitForURL(/task=/);
    const id = new URL(page.url()).searchParams.get('task')!.replaceAll('"', '');
    const { name } = await call(getTask, { params: { id } });
    const own = page.getByRole('dialog', { name });
    await own.getByText('Waits for approval', { exact: true }).first().waitFor();

    const other = (await product.loggedIn(`/task/list?task=${id}`, approver)).page;
    const drawer = other.getByRole('dialog', { name, exact: true });
    await drawer.getByRole('button', { name: 'Refuse', exact: true }).click();
    const question = other.getByRole('dialog', { name: `Refuse ${name}` });
    await question.getByRole('button', { name: 'Refuse', exact: true }).click();
    await question.getByText('Enter a reason.').waitFor();
    await question.getByLabel('Reason').fill('The branch has visitors today.');
    await question.getByRole('button', { name: 'Refuse', exact: true }).click();
    await drawer.getByText(/^Refused by second\.person on \d{4}-/).waitFor();

    await own.getByText('The branch has visitors today.').waitFor();
    expect(await own.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    expect(await call(getTask, { params: { id } })).toMatchObject({ status: 'cancel', runs: 0 });
    expect(await restarts()).toBe(before);
  },
  patience,
);

it(
  'a staged task waits for a second approval when it grows, and continues [TASK-08/approval]',
  { tags: 'slow', timeout: patience },
  async () => {
    const { platform } = product;
    const { call } = platform;
    await call(editApprovalRule, { body: { devices: 2, actions: ['reboot'] } });
    const site = await call(addSite, {
      body: { name: 'Zz staged hall', parentId: null, description: '', segments: '', autoAssign: false },
    });
    try {
      const macs = (await platform.devices()).filter((d) => d.online && d.behaviour === 'normal').map((d) => d.mac);
      const { records } = await call(listDevices, { query: { state: ['online'], limit: 200 } });
      const staged = records.filter((d) => macs.includes(d.mac)).slice(0, 12);
      const ids = staged.map((d) => d.id);
      const inCall = (calls: number) =>
        Promise.all(staged.slice(0, 2).map(({ mac }) => platform.simulator('/state', { mac, calls })));
      const order = { action: 'reboot', target: { filter: { site: [site.id] } } };
      const place = async (count: number) => {
        await eventually(() => call(placeDevices, { body: { siteId: site.id, ids: ids.slice(0, count) } }));
        await eventually(async () =>
          expect(await call(previewTask, { query: {}, body: order })).toMatchObject({ total: count }),
        );
      };
      await place(2);
      const rollout = { stages: [50, 100], pauseAt: 100 };
      const { id } = await call(addTask, { body: { ...order, name: 'Zz staged', rollout } });
      const { page } = await product.loggedIn(`/task/list?task=${id}`, approver);
      const drawer = page.getByRole('dialog', { name: 'Zz staged', exact: true });
      await drawer.getByText(/It is for 2 devices\./).waitFor();
      // A call keeps the first stage open until the other devices are in the hall and the task is paused.
      await inCall(1);
      await drawer.getByRole('button', { name: 'Approve', exact: true }).click();
      await place(ids.length);
      await eventually(() => call(pauseTask, { params: { id } }));
      await inCall(0);
      await call(resumeTask, { params: { id } });
      await drawer.getByText('The next stage waits for approval').first().waitFor({ timeout: 60_000 });
      const { approval, status } = await call(getTask, { params: { id } });
      expect([status, approval!.state]).toEqual(['process', 'asked']);
      const joined = `With the devices that joined meanwhile it is for ${approval!.devices} devices.`;
      await drawer.getByText(joined).waitFor();
      await drawer.getByRole('button', { name: 'Approve', exact: true }).click();
      await drawer.getByText(/^Stage 2 of 2/).waitFor();
      expect(await platform.ended(id)).toMatchObject({ status: 'success', counts: { total: approval!.devices } });
    } finally {
      await call(editApprovalRule, { body: { devices: null, actions: [] } });
      await call(deleteSite, { query: { id: site.id } });
    }
  },
);
