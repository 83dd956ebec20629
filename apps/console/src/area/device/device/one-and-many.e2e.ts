import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import {
  addDeviceImport,
  addOrganization,
  addSite,
  commitDeviceImport,
  deleteDevices,
  deleteOrganization,
  deleteSite,
  getDeviceImport,
  listChannelOrders,
  listDevices,
  listOrderChannels,
  listOrganizationNames,
  listSiteNames,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { addActiveChannel, devicePlace, eventually, inPieces, placeServer, sheetFile } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
/** More than one call takes by id, and more than any page shows. */
const many = 1_203;
const number = many.toLocaleString('en-US');

it(
  'one device, and then 1,203 matches, are edited, moved, assigned, exported and deleted [DEV-05]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { call } = product.platform;
    const stamp = Date.now().toString(36);
    await devicePlace(call);
    await call(addOrganization, { body: { name: `Way branch ${stamp}`, description: '' } });
    const site = await call(addSite, {
      body: { name: `Way site ${stamp}`, parentId: null, description: '', segments: '', autoAssign: false },
    });
    const channel = await addActiveChannel(call, `Way channel ${stamp}`, `way.${stamp}`);
    const branch = await eventually(async () => {
      expect((await call(listSiteNames)).map((s) => s.id)).toContain(site.id);
      expect((await call(listOrderChannels, {})).map((c) => c.id)).toContain(channel.id);
      return (await call(listOrganizationNames)).find((o) => o.name === `Way branch ${stamp}`)!;
    });
    // 'One …' are used alone, 'All …' as a selection, because each action ends them in another way.
    const macOf = (n: number) =>
      `0c38${(Date.now() % 0xffff).toString(16).padStart(4, '0')}${n.toString(16).padStart(4, '0')}`;
    const named = ['One kept', 'One given', 'One deleted', ...Array.from({ length: many }, (_, n) => `All ${n}`)];
    const file = inPieces(
      sheetFile([
        ['MAC', 'Name', 'Model', 'SN', 'SIP server'],
        ...named.map((name, n) => [macOf(n), `${name} ${stamp}`, 'X4U', `W${n}`, placeServer]),
      ]),
    );
    const { id } = (await call(addDeviceImport, { body: { name: 'way.xlsx', file } })).import!;
    const arrive = (status: string) =>
      eventually(async () => expect((await call(getDeviceImport, { params: { id } })).status).toBe(status), 120_000);
    await arrive('checked');
    await call(commitDeviceImport, { params: { id } });
    await arrive('done');

    const { page } = await product.administrator('/device/list');
    const dialog = page.getByRole('dialog');
    const strip = page.getByRole('region', { name: 'Changes of devices' }).first();
    const show = async (text: string) => {
      await page.goto(`/device/list?search=${encodeURIComponent(text)}`);
      await page.locator('[data-id]').first().waitFor();
    };
    const found = async (search: string, more: object = {}) =>
      (await call(listDevices, { query: { search, limit: 200, ...more } })).total;
    const choose = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option }).click();
    };
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    const written = async (): Promise<number> => {
      const exported = page.getByRole('region', { name: 'Export: Devices' });
      const saved = page.waitForEvent('download');
      await exported.getByRole('button', { name: 'Download file' }).click();
      const { rows } = (await readXlsx(readFileSync(await (await saved).path()))).sheets[0]!;
      await exported.getByRole('button', { name: 'Close' }).click();
      await exported.waitFor({ state: 'detached' });
      return rows.length - 1;
    };

    // One device.
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const [kept, given, deleted] = ['One kept', 'One given', 'One deleted'].map((name) => `${name} ${stamp}`) as [
      string,
      string,
      string,
    ];
    await show(kept);
    await act(kept, 'Edit');
    await page.getByRole('heading', { name: `Edit ${kept}` }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`One renamed ${stamp}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: `One renamed ${stamp}` }).waitFor();
    await show(`One renamed ${stamp}`);
    await act(`One renamed ${stamp}`, 'Assign to organization');
    await choose('Organization', branch.name);
    await save();
    await eventually(async () => expect(await found(`One renamed ${stamp}`, { orgId: branch.id })).toBe(1));
    await act(`One renamed ${stamp}`, 'Assign to site');
    await choose('Site', `Way site ${stamp}`);
    await save();
    await eventually(async () => expect(await found(`One renamed ${stamp}`, { site: site.id })).toBe(1));
    await page.getByRole('checkbox', { name: `Select One renamed ${stamp}`, exact: true }).click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click();
    expect(await written()).toBe(1);
    await show(given);
    await act(given, 'Assign to channel');
    await choose('Channel', `Way channel ${stamp}`);
    await dialog.getByRole('button', { name: 'Assign to channel' }).click();
    await page.getByText(`1 device assigned to Way channel ${stamp}`).waitFor();
    expect(await found(given)).toBe(0);
    await show(deleted);
    await act(deleted, 'Delete');
    await dialog.getByRole('button', { name: `Delete device ${deleted}` }).click();
    await eventually(async () => expect(await found(deleted)).toBe(0));

    // All matches.
    const all = `All`;
    const select = async (search: string, count: string) => {
      await page.goto(`/device/list?search=${encodeURIComponent(search)}&name.contains=${stamp}`);
      await page.locator('[data-id]').nth(19).waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
      await page.getByRole('button', { name: `Select all ${count} that match` }).click();
    };
    const actAll = (action: string) =>
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: action, exact: true }).click();
    const changed = async () => {
      await strip.getByRole('link', { name: `${number} changed` }).waitFor({ timeout: 60_000 });
      await strip.getByRole('button', { name: 'Close' }).click();
      await strip.waitFor({ state: 'detached' });
    };
    const match = (more: object) => found(all, { 'name.contains': stamp, ...more });
    await select(all, number);
    await actAll('Edit');
    await choose('Model', 'Fanvil X6U');
    await save();
    await changed();
    expect(await match({ model: 'X6U' })).toBe(many);
    await select(all, number);
    await actAll('Assign to organization');
    await choose('Organization', branch.name);
    await save();
    await changed();
    expect(await match({ orgId: branch.id })).toBe(many);
    await select(all, number);
    await actAll('Assign to site');
    await choose('Site', `Way site ${stamp}`);
    await save();
    await changed();
    expect(await match({ site: site.id })).toBe(many);
    await select(all, number);
    await actAll('Export');
    expect(await written()).toBe(many);

    // Devices whose name continues with 1 after 'All' go to the channel; the others are deleted.
    const toChannel = named.filter((name) => name.startsWith('All 1')).length;
    await select('All 1', toChannel.toLocaleString('en-US'));
    await actAll('Assign to channel');
    await choose('Channel', `Way channel ${stamp}`);
    await dialog.getByRole('button', { name: 'Assign to channel' }).click();
    await page.getByText(`${toChannel} devices assigned to Way channel ${stamp}`).waitFor({ timeout: 60_000 });
    expect(await match({})).toBe(many - toChannel);
    const left = (many - toChannel).toLocaleString('en-US');
    await select(all, left);
    await actAll('Delete');
    await dialog.getByLabel(`Type ${left} to confirm`).fill(left);
    await dialog.getByRole('button', { name: `Delete ${left} devices` }).click();
    await strip.getByText(`${left} deleted`).waitFor({ timeout: 60_000 });
    expect(await match({})).toBe(0);
    // The strip must not remain for later tests of this list.
    await strip.getByRole('button', { name: 'Close' }).click();
    await strip.waitFor({ state: 'detached' });

    // The channel has each of its devices exactly once.
    const orders = await call(listChannelOrders, {
      query: { company: [channel.id], status: ['assigned'], limit: 200 },
    });
    expect(orders.total).toBe(toChannel + 1);
    await call(takeBackChannelOrders, { body: { target: { filter: { company: [channel.id] } }, confirmed: true } });
    // The remaining device and its site are deleted, because other tests count all devices.
    const stayed = (await call(listDevices, { query: { search: `One renamed ${stamp}` } })).records.map((d) => d.id);
    await call(deleteDevices, { query: { ids: stayed } });
    await eventually(() => call(deleteSite, { query: { id: site.id } }));
    await eventually(() => call(deleteOrganization, { body: { id: branch.id } }));
    await eventually(async () => expect(await found(stamp)).toBe(0));
  },
);
