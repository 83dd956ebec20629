import { expect, it } from 'vitest';
import {
  addDevice,
  addOrganization,
  addSipServer,
  addSite,
  deleteDevices,
  deleteOrganization,
  deleteSipServer,
  deleteSite,
  getDevice,
  listDevices,
  listOrganizationNames,
  listServerNames,
  listSiteNames,
  addSipAccount,
  assignAccount,
  deleteSipAccounts,
  unassignAccount,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it(
  'a large selection is edited, assigned and deleted with progress and undo [DEV-05/console]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { call } = platform;
    const place = await devicePlace(call);
    await call(addOrganization, { body: { name: 'Zz change branch', description: '' } });
    const branch = (await call(listOrganizationNames)).find((o) => o.name === 'Zz change branch')!;
    const server = await call(addSipServer, {
      body: {
        name: 'Zz change server',
        address: 'zz.example.com',
        port: 5060,
        transport: 'udp',
        domain: '',
        proxyAddress: null,
        proxyPort: null,
        backupAddress: null,
        backupPort: null,
      },
    });
    const site = await call(addSite, {
      body: { name: 'Zz change site', parentId: null, description: '', segments: '', autoAssign: false },
    });
    await eventually(async () => {
      expect((await call(listServerNames)).map((s) => s.id)).toContain(server.id);
      expect((await call(listSiteNames)).map((s) => s.id)).toContain(site.id);
    });
    const made: string[] = [];
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const body = { ...place, mac: `0c383ec1000${n}`, name: `Zz change ${n}`, model: 'X4U', sn: `ZC${n}` };
      made.push((await call(addDevice, { body })).device.id);
    }
    const account = await call(addSipAccount, {
      body: { name: 'Zz change account', number: 'zz-change', serverId: place.serverId },
    });
    await eventually(() => call(assignAccount, { body: { deviceId: made[0]!, accountId: account.id } }));
    const states = (state: (d: Awaited<ReturnType<typeof one>>) => unknown) =>
      Promise.all(made.map(async (id) => state(await one(id))));
    const one = (id: string) => call(getDevice, { params: { id } });
    try {
      const { page } = await product.administrator('/device/list?search=zz+change&limit=5');
      const bar = page.locator('main [role=region]');
      /** Selects all matches on both pages, except the fourth. */
      const select = async () => {
        await page.locator('[data-id]').nth(4).waitFor();
        await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
        await page.getByRole('button', { name: 'Select all 6 that match' }).click();
        await page.getByRole('checkbox', { name: 'Select Zz change 4', exact: true }).click();
      };
      const act = (item: string) => bar.getByRole('button', { name: item, exact: true }).click();
      const dialog = page.getByRole('dialog');
      const save = () => dialog.getByRole('button', { name: 'Save' }).click();
      const choose = async (label: string, option: string) => {
        await dialog.getByRole('combobox', { name: label, exact: true }).click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      const strip = page.getByRole('region', { name: 'Changes of devices' }).first();
      const putAway = async () => {
        await strip.getByRole('button', { name: 'Close' }).click();
        await strip.waitFor({ state: 'detached' });
      };
      await select();
      await act('Edit');
      await page.getByRole('dialog', { name: 'Edit 5 devices' }).waitFor();
      await save();
      await dialog.getByText('Choose what to change.').waitFor();
      await choose('Model', 'Fanvil X6U');
      await choose('SIP server', 'Zz change server');
      await save();
      await strip.getByText('Model: X6U · SIP server: Zz change server').waitFor();
      await strip.getByRole('link', { name: '4 changed' }).waitFor();
      expect(await states((d) => `${d.model} ${d.server?.name}`)).toEqual([
        'X4U Server of devices',
        'X6U Zz change server',
        'X6U Zz change server',
        'X4U Server of devices',
        'X6U Zz change server',
        'X6U Zz change server',
      ]);
      // One has an account of its server, which is reported as the reason. It is still there after a reload, and counts
      // are links.
      await page.reload();
      await strip.getByRole('button', { name: 'Show reasons' }).click();
      await dialog
        .getByRole('row', { name: /Zz change 1.*The account belongs to another SIP server than the device\./ })
        .waitFor();
      await page.keyboard.press('Escape');
      const listed = () =>
        page
          .locator('main [data-id]')
          .getByText(/^Zz change \d$/)
          .allTextContents();
      await strip.getByRole('link', { name: '1 failed' }).click();
      await expect.poll(listed).toEqual(['Zz change 1']);
      await strip.getByRole('link', { name: '4 changed' }).click();
      await expect.poll(listed).toEqual(['Zz change 2', 'Zz change 3', 'Zz change 5', 'Zz change 6']);
      // Without the account the retry works, and earlier results stay counted.
      await call(unassignAccount, { query: { deviceId: made[0]!, line: 1 } });
      await strip.getByRole('button', { name: 'Retry failed' }).click();
      await strip.getByRole('link', { name: '5 changed' }).waitFor();
      expect((await one(made[0]!)).server?.name).toBe('Zz change server');
      await putAway();

      const list = `${platform.ready.url}/device/list?search=zz+change&limit=5`;
      await page.goto(list);
      await select();
      await act('Assign to organization');
      await choose('Organization', 'Zz change branch');
      await save();
      await strip.getByRole('link', { name: '5 changed' }).waitFor();
      expect(await states((d) => d.orgId === branch.id)).toEqual([true, true, true, false, true, true]);
      await putAway();
      await page.goto(list);
      await select();
      await act('Assign to site');
      await choose('Site', 'Zz change site');
      await save();
      await strip.getByRole('link', { name: '5 changed' }).waitFor();
      expect(await states((d) => d.site?.id === site.id)).toEqual([true, true, true, false, true, true]);
      await putAway();

      await page.goto(list);
      await select();
      await act('Delete');
      await dialog.getByLabel('Type 5 to confirm').fill('5');
      await dialog.getByRole('button', { name: 'Delete 5 devices' }).click();
      await strip.getByText('5 deleted').waitFor();
      await expect.poll(listed).toEqual(['Zz change 4']);
      await strip.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await listed()).length).toBe(5);
      expect(await states((d) => d.model)).toEqual(['X6U', 'X6U', 'X6U', 'X4U', 'X6U', 'X6U']);
    } finally {
      await call(deleteDevices, { query: { ids: made } });
      await eventually(() => call(deleteOrganization, { body: { id: branch.id } }));
      await call(deleteSipAccounts, { query: { ids: [account.id] } });
      await call(deleteSite, { query: { id: site.id } });
      await eventually(() => call(deleteSipServer, { query: { id: server.id } }));
    }
    expect((await call(listDevices, { query: { search: 'zz change' } })).total).toBe(0);
  },
);
