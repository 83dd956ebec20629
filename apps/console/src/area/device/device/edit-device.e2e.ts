import { expect, it } from 'vitest';
import {
  addDevice,
  addSipAccount,
  deleteDevices,
  deleteSipAccounts,
  getDevice,
  listAccountNames,
  listDeviceLines,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('name, model and lines are edited on one page that warns of unsaved changes [DEV-05/edit-page]', async () => {
  const { platform } = product;
  const { call } = platform;
  const place = await devicePlace(call);
  const account = await call(addSipAccount, {
    body: { name: 'Zz edit account', number: 'zz-edit', serverId: place.serverId },
  });
  await eventually(async () => expect(await call(listAccountNames, { query: { id: account.id } })).toHaveLength(1));
  const add = async (mac: string, name: string, more: object = {}) =>
    (await call(addDevice, { body: { ...place, mac, name, model: 'X4U', sn: mac, ...more } })).device;
  const device = await add('0c383ed20001', 'Zz edited');
  const other = await add('0c383ed20002', 'Zz other', { lines: [{ line: 1, accountId: account.id }] });
  try {
    const { page } = await product.administrator('/device/list?search=zz+edited');
    const heading = page.getByRole('heading', { name: 'Edit Zz edited', exact: true });
    await page.getByRole('button', { name: 'Actions for Zz edited', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await heading.waitFor();
    await page.goto(`${platform.ready.url}/device/list?search=zz+edited&id=${device.id}`);
    await page.getByRole('dialog', { name: 'Zz edited' }).getByRole('link', { name: 'Edit' }).click();
    await heading.waitFor();
    await page.goto(`${platform.ready.url}/device/deviceDetail?id=${device.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit device' }).click();
    await heading.waitFor();

    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    expect(await save.isDisabled()).toBe(true);
    await name.fill('Zz edited again');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const leave = page.getByRole('dialog');
    await leave.getByRole('button').first().click();
    await leave.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Zz edited again');
    await choose('Model', 'Grandstream GRP2612P');
    expect(await page.getByRole('combobox', { name: /^Line \d$/ }).count()).toBe(2);
    await choose('Line 2', 'Zz edit account · zz-edit');
    await page.getByText('Already on another line. A call can ring at both.').waitFor();
    await save.click();
    await page.getByText('Accounts of this device are also on Zz other.').waitFor();
    await page.getByRole('heading', { name: 'Zz edited again' }).waitFor();
    expect(await call(getDevice, { params: { id: device.id } })).toMatchObject({
      name: 'Zz edited again',
      model: 'GRP2612P',
      site: { id: place.siteId },
      server: { id: place.serverId },
    });
    const lines = await call(listDeviceLines, { query: { deviceId: device.id } });
    expect(lines.map((l) => l.account?.number ?? null)).toEqual([null, 'zz-edit']);
  } finally {
    await call(deleteDevices, { query: { ids: [device.id, other.id] } });
    await call(deleteSipAccounts, { query: { ids: [account.id] } });
  }
});
