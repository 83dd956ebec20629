// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import { addChannel, addChannelAddress, listChannels } from '@carillon/contracts';
import { eventually, type MailServer, noGrants, startMailServer } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { mailEnvironment } from '../../../../test/mail.ts';

let mail: MailServer;
const product = useProduct(async () => {
  mail = await startMailServer();
  return { name: 'channel-mail', devices: 2, env: mailEnvironment(mail) };
});
afterAll(() => mail?.close());

it('a parent sees whether the activation mail of its channel was sent, and sends it again', async () => {
  const { platform } = product;
  mail.refuse(550);
  await platform.call(addChannel, {
    body: {
      name: 'Harbour',
      type: 'reseller',
      organizationName: 'Harbour',
      remarks: '',
      username: 'harbour.chief',
      nickname: 'Hanna',
      email: 'hanna@example.com',
      activation: 'email',
      oldEnough: true,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
      ...noGrants,
    },
  });
  const channel = await eventually(async () => {
    const [found] = (await platform.call(listChannels, { query: { search: 'Harbour' } })).records;
    expect(found?.email).toBe('hanna@example.com');
    return found!;
  });
  const { page } = await product.administrator('/channel/boundChannelList');
  await page.locator(`[data-id="${channel.id}"]`).getByText('Harbour', { exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Harbour' });
  await drawer.locator('[data-mail=failed]').getByText('The email server refused it.').waitFor();
  mail.refuse(undefined);
  await drawer.getByRole('button', { name: 'Resend activation' }).click();
  await drawer.locator('[data-mail=sent]').waitFor();
  expect((await mail.next('hanna@example.com')).link).toContain('/system/activeUser');
});

it('a sub-channel takes five actions: its names follow the email, and the only address is chosen', async () => {
  const { platform } = product;
  const { id } = await platform.call(addChannelAddress, { body: { name: 'Pier', parentId: null, description: '' } });
  const { page } = await product.administrator('/channel/boundChannelList');
  await page.getByRole('link', { name: 'Add sub-channel' }).first().click();
  await page.locator('[name=name]').fill('Lighthouse');
  await page.locator('[name=email]').fill('lena.beck@example.com');
  await page.locator('[name=oldEnough]').check();
  await page.getByRole('button', { name: 'Add sub-channel', exact: true }).click();
  await page.waitForURL('**/channel/boundChannelList');
  const [made] = (await platform.call(listChannels, { query: { search: 'Lighthouse' } })).records;
  expect(made).toMatchObject({ username: 'lena.beck', nickname: 'Lena Beck', addressId: id });
  expect((await mail.next('lena.beck@example.com')).link).toContain('/system/activeUser');
});
