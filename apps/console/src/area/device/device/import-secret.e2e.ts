// @module-tag slow
import { readFileSync } from 'node:fs';
import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { addDeviceImport, commitDeviceImport, deleteDevices, getDeviceImport, listDevices } from '@carillon/contracts';
import { devicePlace, eventually, inPieces, placeServer, rowsOfSheet, sheetFile } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('devices imported without secrets get them as a file from the recent imports, and connect with them', async () => {
  const { call, ready } = product.platform;
  const stamp = Date.now().toString(16).slice(-6);
  const macs = [`00a859${stamp}`, `805ec0${stamp}`];
  await devicePlace(call);
  const file = inPieces(
    sheetFile([
      ['MAC', 'Name', 'Model', 'SN', 'SIP server'],
      ...macs.map((mac, n) => [mac, `Zz imported ${n}`, 'X4U', `I${mac}`, placeServer]),
    ]),
  );
  const { id } = (await call(addDeviceImport, { body: { name: `zz-${stamp}.xlsx`, file } })).import!;
  const arrive = (status: string) =>
    eventually(async () => expect((await call(getDeviceImport, { params: { id } })).status).toBe(status));
  await arrive('checked');
  await call(commitDeviceImport, { params: { id } });
  await arrive('done');

  try {
    const { page } = await product.administrator('/device/list');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import devices' });
    await dialog.getByRole('button', { name: `zz-${stamp}.xlsx 2 rows imported` }).click();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download secrets' }).click();
    const [titles, ...rows] = rowsOfSheet(readFileSync(await (await saved).path()));
    expect(titles).toEqual(['MAC', 'Name', 'Model', 'Secret', 'Server address', 'Port', 'Encryption']);
    expect(rows.map(([mac]) => mac!.replaceAll(':', '').toLowerCase())).toEqual(macs);
    const { hostname, port } = new URL(ready.mqtt);
    for (const row of rows) expect(row.slice(4)).toEqual([hostname, Number(port), 'Off']);
    await page.getByText('Secrets of 2 devices saved.').waitFor();
    const device = await eventually(() =>
      mqtt.connectAsync(ready.mqtt, {
        ...{ clientId: macs[0]!, username: macs[0]!, password: rows[0]![3]!, clean: true, reconnectPeriod: 0 },
      }),
    );
    await device.endAsync();
  } finally {
    const { records } = await call(listDevices, { query: { search: 'Zz imported' } });
    await call(deleteDevices, { query: { ids: records.map((one) => one.id) } });
  }
});
