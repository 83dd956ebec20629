// @module-tag slow
import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { addDevice, deleteDevices, listDevices, type replaceDevice, type RouteOutput } from '@carillon/contracts';
import { deliver, devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a broken device is replaced from its page, and the new secret connects [DEV-13/console]', async () => {
  const { platform } = product;
  const [mac, other] = ['0c383ed10001', '0c383ed10002'];
  const place = await devicePlace(platform.call);
  const claimCode = `LOBBY-${Date.now()}`;
  await deliver(platform.call, [{ mac: other, sn: 'ZB-2', claimCode }]);
  const { device, secret } = await platform.call(addDevice, {
    body: { ...place, mac, name: 'Zz broken', model: 'X7A', sn: 'ZB-1' },
  });
  // Like a phone, it retries until the MQTT gateway knows it.
  const connect = (username: string, password: string) =>
    eventually(() =>
      mqtt.connectAsync(platform.ready.mqtt, {
        clientId: username,
        username,
        password,
        clean: true,
        reconnectPeriod: 0,
      }),
    );
  const old = await connect(mac, secret);
  try {
    const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
    await page.locator('header').getByText('Not configured').first().waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace device' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace Zz broken' });
    await dialog.getByText('0C:38:3E:D1:00:01 ends at once').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Replace Zz broken' });
    await dialog.getByRole('textbox', { name: 'MAC of the new device' }).fill(mac);
    await confirm.click();
    await dialog.getByText('Enter the serial number.').waitFor();
    await dialog.getByRole('textbox', { name: 'Serial number of the new device' }).fill('ZB-2');
    await confirm.click();
    await dialog.getByText('A device with this MAC can’t be added.').waitFor();
    await dialog.getByRole('textbox', { name: 'MAC of the new device' }).fill('0C-38-3E-D1-00-02');
    await dialog.getByRole('checkbox', { name: 'I have a claim code' }).check();
    await confirm.click();
    await dialog.getByText('Enter the claim code').waitFor();
    await dialog.getByRole('textbox', { name: 'Claim code' }).fill('WRONG-CODE-1');
    await confirm.click();
    await dialog.getByText('MAC, serial number and claim code don’t match a label').waitFor();
    await dialog.getByRole('textbox', { name: 'Claim code' }).fill(claimCode.toLowerCase());
    const answered = page.waitForResponse((r) => r.url().endsWith('/replace') && r.status() === 201);
    const ended = new Promise<void>((done) => {
      old.once('close', () => done());
    });
    await confirm.click();
    const { data } = (await (await answered).json()) as { data: RouteOutput<typeof replaceDevice> };
    const done = page.getByRole('dialog', { name: 'Zz broken replaced' });
    await done.getByText(data.secret, { exact: true }).waitFor();
    await done.getByRole('img', { name: /^QR code/ }).waitFor();
    await ended;
    await done.getByRole('button', { name: 'Open new device' }).click();
    await page.getByText('0C:38:3E:D1:00:02').first().waitFor();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('link', { name: 'Place of devices' })
      .waitFor();
    const link = await connect(other, data.secret);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'History' }).click();
    const logs = page.getByRole('group', { name: 'History' }).filter({ has: page.getByRole('table') });
    await logs
      .nth(0)
      .getByRole('row', { name: /Came online/ })
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Before the replacement: 0C:38:3E:D1:00:01' }).waitFor();
    await logs
      .last()
      .getByRole('row', { name: /Came online/ })
      .first()
      .waitFor();
    await link.endAsync();
    // The links between the two devices work in both directions.
    await page
      .getByRole('row', { name: /Took the place of/ })
      .getByRole('link', { name: '0C:38:3E:D1:00:01' })
      .click();
    await page.waitForURL('**/device/deviceLog**');
    await page
      .getByRole('row', { name: /Replaced/ })
      .getByRole('link', { name: '0C:38:3E:D1:00:02' })
      .click();
    await page.getByRole('heading', { name: 'Zz broken' }).waitFor();
    const left = (await platform.call(listDevices, { query: { search: 'zz broken' } })).records;
    expect(left.map((d) => d.mac)).toEqual([other]);
  } finally {
    await old.endAsync().catch(() => {});
    const left = (await platform.call(listDevices, { query: { search: 'zz broken' } })).records;
    await platform.call(deleteDevices, { query: { ids: left.map((d) => d.id) } });
  }
}, 900_000);
