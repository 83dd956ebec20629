// @module-tag slow
import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { addActiveChannel, eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('the first device of a company is added from Home with its site and SIP server, and seen connecting', async () => {
  const { platform } = product;
  const stamp = Date.now().toString(16);
  const mac = `0c383e${stamp.slice(-6)}`;
  const own = await addActiveChannel(platform.call, `Zz first device ${stamp}`, `zz.first.${stamp}`);
  const { page } = await product.loggedIn('/wel/home', own);
  await page.getByRole('heading', { name: 'No devices yet' }).waitFor();
  expect(await page.getByRole('list', { name: 'Devices by state' }).count()).toBe(0);
  await page.locator('main').getByRole('link', { name: 'Add device', exact: true }).click();
  await page.locator('[name=siteName]').waitFor();
  const add = page.getByRole('button', { name: 'Add device', exact: true });
  await page.locator('[name=mac]').fill(mac);
  await add.click();
  for (const words of ['Enter a name.', 'Enter an address.']) await page.getByText(words).first().waitFor();
  await page.locator('[name=name]').fill('Front desk');
  await page.getByRole('combobox', { name: 'Model' }).fill('X7A');
  await page.getByRole('option', { name: 'Fanvil X7A', exact: true }).click();
  await page.locator('[name=sn]').fill('FD1');
  await page.locator('[name=siteName]').fill('Head office');
  // A wrong address is told at its field. The site, which was added before it, is not added again.
  await page.locator('[name=address]').fill('not an address');
  await add.click();
  await page.locator('[name=address][aria-invalid=true]').waitFor();
  await page.locator('[name=address]').fill('pbx.first.example');
  const added = page.waitForResponse(
    (r) => r.request().method() === 'POST' && r.url().endsWith('/api/f/device/device') && r.status() === 201,
  );
  await add.click();
  const { data } = (await (await added).json()) as { data: { secret: string; device: { site: { name: string } } } };
  expect(data.device.site.name).toBe('Head office');
  const contact = page.getByRole('status').filter({ hasText: 'Front desk' });
  await contact.getByText('Waiting for Front desk to connect').waitFor();
  const address = new URL(platform.ready.mqtt);
  for (const text of [address.hostname, address.port, mac]) await page.getByText(text, { exact: true }).waitFor();

  const device = await eventually(() =>
    mqtt.connectAsync(platform.ready.mqtt, {
      ...{ clientId: mac, username: mac, password: data.secret, clean: true, reconnectPeriod: 0 },
    }),
  );
  const hello = { model: 'X7A', sn: 'FD1', firmware: '2.12.4.8', ip: '10.0.0.9', uptime: 1, boot: 'power' };
  await device.publishAsync(`d/${mac}/hello`, JSON.stringify({ ...hello, capabilities: ['reboot'] }), { qos: 1 });
  await contact.getByText('Front desk is connected').waitFor();
  await contact.getByText('X7A · 2.12.4.8 · 10.0.0.9').waitFor();
  await device.endAsync();

  // The next device gets the only site and SIP server without a choice.
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.getByRole('combobox', { name: 'Site' }).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Site' }).inputValue()).toBe('Head office');
  expect(await page.getByRole('combobox', { name: 'SIP server' }).inputValue()).toContain('pbx.first.example');
});
