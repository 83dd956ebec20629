import { afterAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addDevice,
  addSipAccount,
  assignAccount,
  addSipAccountImport,
  commitSipAccountImport,
  editChannel,
  editSysConfig,
  getChannel,
  getSipAccountImport,
  listDeviceLines,
  listSipAccounts,
  type Client,
} from '@carillon/contracts';
import { addActiveChannel, devicePlace, eventually, inPieces, sheetFile } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';
import type { Person } from '../../../../test/page.ts';

const product = useProduct();
const stamp = Date.now().toString(36);

afterAll(() =>
  product.platform.call(editSysConfig, {
    body: { configKey: 'fcs', value: { enabled: false, localConfigSync: false, servers: [] } },
  }),
);

/** Adds an activated channel account directly below the installation's own company. */
async function channel(name: string, fcs: { fcsEnabled: boolean; fcsLimit: number; fcsDomain?: string }) {
  const username = `${name.toLowerCase()}.${stamp}`;
  const { platform } = product;
  const title = `Zz ${name} ${stamp}`;
  const made = await addActiveChannel(platform.call, title, username, { nickname: name, ...fcs });
  const grant = async (more: { fcsEnabled?: boolean; fcsLimit?: number }) => {
    const { id, ...now } = await platform.call(getChannel, { params: { id: made.id } });
    const { type, remarks, addressId, createSubLimit, licenseGranting, localSync, fcsUrl, fcsDomain } = now;
    const { fcsEnabled, fcsLimit } = { ...now, ...more };
    const flags = { licenseGranting, localSync, fcsEnabled };
    const body = {
      id,
      name: now.name,
      type,
      remarks,
      addressId,
      createSubLimit,
      fcsLimit,
      fcsUrl,
      fcsDomain,
      ...flags,
    };
    await platform.call(editChannel, { body });
  };
  return { who: { username, password: made.password }, grant };
}
/** Logs a user in and returns their calls. */
async function clientOf(admin: Person): Promise<Client> {
  const token = await logIn({ ...product.platform.ready, admin });
  return product.platform.client({ 'carillon-auth': `bearer ${token}` });
}
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const row = (page: Page, name: string) => page.locator('main [data-id]').filter({ hasText: name });
const toAdd = (page: Page) => page.goto('/account/sip/addFcsAccount');
const save = (page: Page, name: string | RegExp) => page.locator('main').getByRole('button', { name }).click();

it(
  'a channel adds FCS accounts up to its limit; without FCS the old ones stay [ACC-03] [CHN-06/fcs]',
  { tags: 'slow' },
  async () => {
    const { page: root } = await product.administrator('/system/config?tab=fcs');
    await root.getByLabel('Enable FCS').check();
    await root.getByText('FCS saved', { exact: true }).first().waitFor();
    await root.locator('main').getByRole('link', { name: 'Add FCS SIP server' }).click();
    await root.waitForURL('**/system/config/addFcsSipServer');
    await root.locator('[name=name]').fill('Bell Cloud');
    await root.locator('[name=address]').fill('fcs.example.com');
    await save(root, 'Save');
    await root.getByText('tls:fcs.example.com:5061').waitFor();
    // A name belongs to one server.
    await root.locator('main').getByRole('link', { name: 'Add FCS SIP server' }).click();
    await root.locator('[name=name]').fill('bell cloud');
    await root.locator('[name=address]').fill('other.example.com');
    await save(root, 'Save');
    await root.getByText('An FCS server with this name already exists.').waitFor();

    const without = await channel('Without', { fcsEnabled: false, fcsLimit: 0 });
    const having = await channel('Having', { fcsEnabled: true, fcsLimit: 2, fcsDomain: 'zz.fcs.example.com' });
    const { page: stranger } = await product.loggedIn('/account/sip/addFcsAccount', without.who);
    await stranger.getByText('Your company has no FCS. Ask the manager of your channel account').waitFor();
    expect(await stranger.locator('main input').count()).toBe(0);
    await stranger.goto('/account/sip/sipAccount');
    await stranger.getByText('No SIP accounts yet').waitFor();
    expect(await stranger.getByRole('button', { name: 'FCS accounts' }).count()).toBe(0);

    const { page } = await product.loggedIn('/account/sip/sipAccount', having.who);
    const call = await clientOf(having.who);
    const answers: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('/api/'))
        answer.text().then(
          (text) => answers.push(text),
          () => undefined,
        );
    });
    await page.getByRole('button', { name: 'FCS accounts' }).click();
    await page.getByText('0 of 2 FCS accounts used').waitFor();
    await page.getByText('Domain zz.fcs.example.com').waitFor();
    await page.locator('main').getByRole('link', { name: 'Add FCS account' }).first().click();
    await page.waitForURL('**/account/sip/addFcsAccount');
    await page.locator('[name=name]').fill('Reception');
    await page.locator('[name=number]').fill('7000');
    await page.locator('[name=authPassword]').fill('Sealed-Secret-1');
    await save(page, 'Add FCS account');
    await page.getByText('Reception added').first().waitFor();
    await row(page, 'Reception').getByText('Bell Cloud').waitFor();
    await page.getByText('1 of 2 FCS accounts used').waitFor();

    // A range of two exceeds the limit and adds nothing; a single account takes the last place.
    await toAdd(page);
    await page.locator('[name=range]').check();
    await page.locator('[name=name]').fill('Desk');
    await page.locator('[name=from]').fill('8000');
    await page.locator('[name=to]').fill('8001');
    await save(page, 'Add 2 accounts');
    await page.getByText('Your company may have 2 FCS accounts and uses 1.').waitFor();
    await page.locator('[name=to]').fill('8000');
    await save(page, 'Add 1 account');
    await row(page, 'Desk 8000').waitFor();
    await page.getByText('2 of 2 FCS accounts used').waitFor();
    await toAdd(page);
    await page.getByText('All of them are used.').waitFor();
    expect(await page.locator('main input').count()).toBe(0);
    const { records } = await call(listSipAccounts, { query: { fcs: ['true'], sort: 'number' } });
    expect(records.map((a) => [a.number, a.server.name, a.authPasswordSet])).toEqual([
      ['7000', 'Bell Cloud', true],
      ['8000', 'Bell Cloud', false],
    ]);
    const [reception] = records;
    const serverId = reception!.server.id;
    const add = (number: string) => refusal(call(addSipAccount, { body: { name: number, number, serverId } }));
    expect(await add('7001')).toBe('fcs.limit');
    // Another company cannot use the server by its id.
    const other = await clientOf(without.who);
    expect(await refusal(other(addSipAccount, { body: { name: 'Mine', number: '1', serverId } }))).toBe(
      'common.notFound',
    );

    // Only the operator defines FCS servers, whatever the flag of a company.
    const body = { configKey: 'fcs' as const, value: { enabled: true, localConfigSync: false, servers: [] } };
    for (const [channel, its] of [
      [stranger, other],
      [page, call],
    ] as const) {
      await channel.goto('/system/config/addFcsSipServer');
      await channel.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await refusal(its(editSysConfig, { body }))).toBe('common.forbidden');
    }
    await toAdd(page);

    // After the limit is raised, a spreadsheet is imported up to it.
    await having.grant({ fcsLimit: 3 });
    await page.getByText('2 of 3 FCS accounts used').waitFor();
    const file = sheetFile([
      ['User number', 'SIP server', 'Account name'],
      ['9000', 'Bell Cloud', 'Imported'],
      ['9001', 'Bell Cloud', 'Beyond'],
    ]);
    const { import: read } = await call(addSipAccountImport, { body: { name: 'fcs.xlsx', file: inPieces(file) } });
    const params = { id: read!.id };
    const reached = (status: string) =>
      eventually(async () => {
        const now = await call(getSipAccountImport, { params });
        expect(now.status).toBe(status);
        return now.counts;
      });
    await reached('checked');
    await call(commitSipAccountImport, { params });
    expect(await reached('done')).toMatchObject({ done: 1, wrong: 1 });

    // A line of that company's phone gets an account.
    const mac = `0c383e${stamp.slice(-6).replaceAll(/[^0-9a-f]/g, '0')}`;
    const place = await devicePlace(call);
    const { device } = await call(addDevice, {
      body: { mac, name: 'Zz phone', model: 'X7A', sn: `ZZ-${stamp}`, ...place },
    });
    const assign = (line: number) =>
      refusal(call(assignAccount, { body: { deviceId: device.id, accountId: reception!.id, line } }));
    await eventually(async () => expect(await assign(1)).toBe('none'));

    // The flag is revoked: existing accounts stay, and none is added.
    const [stays, tried] = [row(page, 'Reception'), row(page, 'Imported')];
    await page.goto('/account/sip/sipAccount?kind=fcs');
    await tried.getByRole('button', { name: 'Actions for Imported' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete SIP account Imported' }).click();
    await tried.waitFor({ state: 'detached' });
    const gone = (await call(listSipAccounts, { query: { search: 'Imported' } })).total;
    expect(gone).toBe(0);
    const off = async () => {
      await page.goto('/account/sip/sipAccount?kind=fcs');
      await page.getByText('FCS is off for your company. Accounts stay').waitFor();
      await stays.getByText('Bell Cloud (no longer offered)').waitFor();
      await page.getByRole('button', { name: 'Actions for Reception' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Assign to a line' }).count()).toBe(0);
      await toAdd(page);
      await page.getByText('FCS is off for your company. Accounts stay').waitFor();
      expect(await page.locator('main input').count()).toBe(0);
      expect(await add('7002')).toBe('fcs.off');
      await eventually(async () => expect(await assign(2)).toBe('fcs.off'));
      const [line] = await call(listDeviceLines, { query: { deviceId: device.id } });
      expect(line).toMatchObject({ line: 1, account: { number: '7000' } });
    };
    await having.grant({ fcsEnabled: false });
    await off();
    await having.grant({ fcsEnabled: true, fcsLimit: 3 });
    await eventually(async () => expect(await add('7003')).toBe('none'));
    await eventually(async () => expect(await assign(3)).toBe('none'));

    // The same applies after the operator disables FCS.
    await root.goto('/system/config?tab=fcs');
    await root.getByLabel('Enable FCS').uncheck();
    await eventually(async () => expect(await add('7004')).toBe('fcs.off'));
    await off();
    await root.getByLabel('Enable FCS').check();
    await eventually(async () => expect(await add('7004')).toBe('fcs.limit'));
    expect(answers.filter((text) => text.includes('Sealed-Secret'))).toEqual([]);
  },
);
