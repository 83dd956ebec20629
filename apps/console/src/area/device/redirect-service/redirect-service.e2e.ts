// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import { addDevice, deleteDevices } from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { redirectAccount, scriptedRedirect } from '@carillon/testing/scripted-redirect';
import { useProduct } from '../../../../test/browser.ts';

const makers = await scriptedRedirect();
const product = useProduct({
  name: 'redirect',
  devices: 1,
  env: {
    CARILLON_PHONE_URL: 'https://phones.example.com',
    CARILLON_OUTBOUND_ALLOWED: `127.0.0.1:${makers.port}`,
    CARILLON_REDIRECT_RETRY_MS: '3600000',
  },
});
afterAll(() => makers.stop());

it('a user enters an account, sees a device fail, retries it and sees it registered [EDGE-09/console]', async () => {
  const mac = '805ec0e0f001';
  const { page } = await product.administrator('/system/redirectService');
  const main = page.locator('main');
  await main.getByText('No accounts yet').waitFor();
  await main.getByRole('button', { name: 'Add account' }).click();
  const form = page.getByRole('dialog', { name: 'Add account' });
  await form.getByRole('combobox', { name: 'Service' }).click();
  await page.getByRole('option', { name: 'Yealink RPS' }).click();
  expect(await form.locator('[name=address]').inputValue()).toBe('https://rps.yealink.com/xmlrpc');
  await form.locator('[name=address]').fill(makers.addresses.yealinkRps);
  await form.locator('[name=userName]').fill(redirectAccount.userName);
  await form.locator('[name=secret]').fill('Wrong-Secret-1');
  await form.getByRole('button', { name: 'Test connection' }).click();
  await form.getByText('The redirect service does not accept the user and password or key.').waitFor();
  await form.locator('[name=secret]').fill(redirectAccount.secret);
  await form.getByRole('button', { name: 'Test connection' }).click();
  await form.getByText('Yealink RPS accepts the account.').waitFor();
  await form.getByRole('button', { name: 'Add account' }).click();
  await main.getByText('0 registered, 0 waiting').waitFor();

  const { call } = product.platform;
  makers.taken.add(mac);
  const body = { ...(await devicePlace(call)), mac, name: 'Zz redirect', model: 'SIP-T46U', sn: mac };
  const { device } = (await call(addDevice, { body })) as { device: { id: string } };
  await main.getByRole('button', { name: 'Show 1 failed device' }).click();
  const failed = page.getByRole('dialog', { name: 'Failed devices at Yealink RPS' });
  await failed.getByText('Another account at the maker owns this device.').waitFor();
  await failed.getByRole('link', { name: 'Zz redirect' }).click();
  const part = page.getByRole('region', { name: 'Redirect service' });
  await part.getByText('Not registered at Yealink RPS. Another account').waitFor();
  makers.taken.delete(mac);
  await part.getByRole('button', { name: 'Retry now' }).click();
  await part.getByText('Yealink RPS has sent this phone to https://phones.example.com/ since').waitFor();
  expect(makers.phones.yealinkRps.get(mac)).toBe('https://phones.example.com/');

  await call(deleteDevices, { query: { ids: [device.id] } });
  await eventually(() => expect(makers.phones.yealinkRps.has(mac)).toBe(false));
  await page.goto('/system/redirectService');
  await main.getByRole('button', { name: 'Delete Yealink RPS' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Yealink RPS' }).click();
  await main.getByText('No accounts yet').waitFor();
});
