import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import {
  addDevice,
  deleteDevices,
  getDevice,
  listDevices,
  listOperationLog,
  addSipAccount,
  addSipServer,
  addSite,
  deleteSipAccounts,
  deleteSipServer,
  deleteSite,
  listServerNames,
  listSiteNames,
  listAccountNames,
  type RouteOutput,
} from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a device is added by page and by call, and connects with its secret [DEV-02] [DEV-03/console]', async () => {
  const { platform } = product;
  const place = await devicePlace(platform.call);
  const account = await platform.call(addSipAccount, {
    body: { name: 'Zz add account', number: 'zz-add', serverId: place.serverId },
  });
  await eventually(async () =>
    expect(await platform.call(listAccountNames, { query: { id: account.id } })).toHaveLength(1),
  );
  // A site or SIP server that is the only one would be chosen already.
  const site = await platform.call(addSite, {
    body: { name: 'Zz other site', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await platform.call(addSipServer, {
    body: { name: 'Zz other server', address: 'pbx2.example.com', port: 5060, transport: 'udp', ...none },
  });
  await eventually(async () => {
    expect((await platform.call(listSiteNames)).map((s) => s.id)).toContain(site.id);
    expect((await platform.call(listServerNames)).map((s) => s.id)).toContain(server.id);
  });
  try {
    const { page } = await product.administrator();
    await page.getByRole('link', { name: 'Add device' }).click();
    const add = page.getByRole('button', { name: 'Add device', exact: true });
    const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
    const choice = (label: string | RegExp) => page.getByRole('combobox', { name: label, exact: true });
    const choose = async (label: string, option: string) => {
      await choice(label).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    // Nothing is sent while a value is missing.
    const sent: string[] = [];
    page.on('request', (r) => {
      if (r.method() === 'POST' && r.url().endsWith('/api/f/device/device')) sent.push(r.url());
    });
    await page.locator('[name=mac]').fill('0c-38-3e-55-7e');
    const hasCode = page.getByRole('checkbox', { name: 'I have a claim code' });
    await hasCode.check();
    await add.click();
    for (const words of [
      '10 of 12 digits',
      'Enter the claim code',
      'Enter a name',
      'Choose a model',
      'Enter the serial number.',
      'Choose a site',
      'Choose a SIP server',
    ])
      await page.getByText(words).first().waitFor();
    expect(sent).toEqual([]);
    // Auto is offered for a phone's series, not for a listed one; an unknown model is not offered.
    await choice('Model').click();
    await page.getByRole('option', { name: 'Auto · Yealink T4', exact: true }).waitFor();
    await page.getByRole('option', { name: 'Fanvil i16SV', exact: true }).waitFor();
    expect(await page.getByRole('option', { name: /^Auto · (Fanvil i|Grandstream GDS)$/ }).count()).toBe(0);
    await choice('Model').fill('zzz');
    await page.getByText('No model matches.').waitFor();
    await choice('Model').fill('X7');
    await page.getByRole('option', { name: 'Fanvil X7A', exact: true }).click();
    await page.locator('[name=mac]').fill('0C-38-3E-55-7E-B1');
    await field('Name').fill('Reception desk 99');
    await field('Serial number').fill('NX7A1');
    await choose('Site', 'Place of devices');
    expect(await choice('Line 1').count()).toBe(0);
    await choose('SIP server', 'Server of devices · pbx.example.com');
    expect(await choice(/^Line \d$/).count()).toBe(5);
    await choose('Line 2', 'Zz add account · zz-add');
    // No delivery list has this label.
    await field('Claim code').fill('WRONG-CODE-1');
    await add.click();
    await page.getByText('MAC, serial number and claim code don’t match a label').first().waitFor();
    await hasCode.uncheck();
    const added = page.waitForResponse(
      (r) => r.request().method() === 'POST' && r.url().endsWith('/api/f/device/device'),
    );
    await add.click();
    const { data } = (await (await added).json()) as { data: RouteOutput<typeof addDevice> };
    await page.getByText(data.secret, { exact: true }).waitFor();
    await page.getByText('0C:38:3E:55:7E:B1').first().waitFor();
    // The data for an installer, as text and as a QR code.
    const address = new URL(platform.ready.mqtt);
    for (const text of [address.hostname, address.port]) await page.getByText(text, { exact: true }).waitFor();
    const picture = page.getByRole('img', { name: 'QR code with server address, username and secret' });
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Open device' }).click();
    await page.getByRole('heading', { name: 'Reception desk 99' }).waitFor();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('link', { name: 'Server of devices' })
      .waitFor();
    await page.getByRole('group', { name: 'Lines' }).getByText('Zz add account').waitFor();
    // The form is done, and its tab is closed.
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Open pages' }).getByRole('link').allTextContents())
      .toEqual(['Home', 'Devices', 'Reception desk 99']);

    // The call refuses the same as the form.
    const body = { ...place, mac: '0c383e557eb2', name: 'Zz refused', model: 'X7A', sn: 'ZR1' };
    const lines = (count: number) => Array.from({ length: count }, (_, i) => ({ line: i + 1, accountId: account.id }));
    for (const [more, error] of [
      [{ model: undefined }, 'device.modelMissing'],
      [{ siteId: undefined }, 'device.siteMissing'],
      [{ serverId: undefined }, 'device.serverMissing'],
      [{ sn: undefined }, 'device.snMissing'],
      [{ model: 'zzz' }, 'device.modelUnknown'],
      [{ model: 'Auto', series: 'Fanvil i' }, 'device.autoRefused'],
      [{ lines: lines(6) }, 'device.linesMany'],
      [{ model: 'GRP2612P', lines: lines(3) }, 'device.linesMany'],
    ] as const) {
      const refused = platform.call(addDevice, { body: { ...body, ...more } as never });
      await expect(refused, JSON.stringify(more)).rejects.toMatchObject({ code: 400, fields: [{ error }] });
    }
    expect((await platform.call(listDevices, { query: { search: '0c383e557eb2' } })).total).toBe(0);

    // With the shown data the device can connect, and the page notices. Like a phone, it retries until the MQTT gateway
    // knows it.
    const device = await eventually(() =>
      mqtt.connectAsync(platform.ready.mqtt, {
        clientId: '0c383e557eb1',
        username: '0c383e557eb1',
        password: data.secret,
        clean: true,
        reconnectPeriod: 0,
      }),
    );
    await device.publishAsync(
      'd/0c383e557eb1/hello',
      JSON.stringify({
        model: 'X7A',
        sn: 'NX7A1',
        firmware: '2.12.4.8',
        ip: '10.0.0.9',
        uptime: 1,
        boot: 'power',
        capabilities: ['reboot'],
      }),
      { qos: 1 },
    );
    await page.getByText('2.12.4.8').waitFor();
    await device.endAsync();

    await page.goBack();
    // The cached list has rows as well, but hidden ones.
    await page.locator('form, [data-id]').filter({ visible: true }).first().waitFor();
    expect(await page.getByText(data.secret).count()).toBe(0);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      data.secret,
    );
    expect(JSON.stringify(await platform.call(getDevice, { params: { id: data.device.id } }))).not.toContain(
      data.secret,
    );
    await platform.call(deleteDevices, { query: { ids: [data.device.id] } });
  } finally {
    await platform.call(deleteSipAccounts, { query: { ids: [account.id] } });
    await platform.call(deleteSite, { query: { id: site.id } });
    await eventually(() => platform.call(deleteSipServer, { query: { id: server.id } }));
  }
});

it('a disabled device says so and cannot connect, is enabled again, and ends its old secret on request', async () => {
  const { platform } = product;
  const { device } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac: '0c383e55a0d1', name: 'Zz stolen', model: 'X7A', sn: 'ST1' },
  });
  const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
  const confirm = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page
      .getByRole('dialog', { name: `${item} Zz stolen` })
      .getByRole('button', { name: `${item} Zz stolen` })
      .click();
  };
  await confirm('Disable');
  await page.getByText('Disabled: this device can’t connect.').waitFor();
  await page.getByText('Zz stolen disabled').waitFor();
  expect((await platform.call(getDevice, { params: { id: device.id } })).enabled).toBe(false);
  await confirm('Enable');
  await page.getByText('Zz stolen enabled').waitFor();
  await page.getByText('Disabled: this device can’t connect.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Renew secret' }).click();
  const renew = page.getByRole('dialog', { name: 'Renew the secret of Zz stolen' });
  await renew.getByText('The old secret works until the device connects with the new one.').waitFor();
  await renew.getByLabel('Revoke the old secret at once').check();
  const ended = page.waitForResponse((r) => r.url().endsWith('/secret/old') && r.request().method() === 'DELETE');
  await renew.getByRole('button', { name: 'Renew secret' }).click();
  expect(await (await ended).json()).toMatchObject({ data: { ended: true } });
  await page.getByText('The secret is shown only once.').waitFor();
  await platform.call(deleteDevices, { query: { ids: [device.id] } });
});

it('a device is renamed in place, and a selection is deleted by typing its number [DEV-03/rename-delete]', async () => {
  const { platform } = product;
  const place = await devicePlace(platform.call);
  const made = await Promise.all(
    ['0c383e55a001', '0c383e55a002', '0c383e55a003'].map((mac, n) =>
      platform.call(addDevice, { body: { ...place, mac, name: `Zz spare ${n + 1}`, model: 'X7A', sn: `SP${n}` } }),
    ),
  );
  const { page } = await product.administrator(`/device/deviceDetail?id=${made[0]!.device.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(' ');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByRole('dialog').getByLabel('Name').fill('Zz spare renamed');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Zz spare renamed', exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Open pages' }).getByText('Zz spare renamed').waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete device Zz spare renamed' })
    .getByRole('button', { name: 'Delete device Zz spare renamed' })
    .click();
  await page.waitForURL('**/device/list');

  await page.goto('/device/list?search=zz+spare');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.locator('main [role=region]').getByRole('button', { name: 'Delete' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete 2 devices' });
  expect(await remove.isDisabled()).toBe(true);
  await page.getByLabel('Type 2 to confirm').fill('2');
  await remove.click();
  await page.getByText('No device matches').waitFor();
  expect((await platform.call(listDevices, { query: { search: 'zz spare' } })).total).toBe(0);
  // Undone while the message is shown.
  await page.getByText('2 devices deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 devices restored').waitFor();
  await page.locator('[data-id]').filter({ hasText: 'Zz spare 2' }).waitFor();
  expect(
    (await platform.call(listDevices, { query: { search: 'zz spare' } })).records.map((d) => d.name).sort(),
  ).toEqual(['Zz spare 2', 'Zz spare 3']);
  await platform.call(deleteDevices, { query: { ids: made.slice(1).map((m) => m.device.id) } });
});

it('a deletion is undone by keyboard, and the device reconnects with its old secret', async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records;
  const before = await platform.call(getDevice, { params: { id: device!.id } });
  const { page } = await product.administrator(`/device/list?search=${device!.mac}`);
  const { connected } = await platform.stats();
  await page
    .locator('[data-id]')
    .getByRole('button', { name: /^Actions for / })
    .press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('No device matches').waitFor();
  await eventually(async () => expect((await platform.stats()).connected).toBe(connected - 1));
  // The focused row is gone, so keyboard users find the focus on Undo.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await page.keyboard.press('Enter');
  await page.getByText(`Device ${device!.name} restored`).waitFor();
  // It reconnects by itself, after growing delays.
  await eventually(
    async () => expect((await platform.call(getDevice, { params: { id: device!.id } })).state).toBe('online'),
    60_000,
  );
  const {
    lastOnlineAt: _,
    onlineSince: _since,
    publicIp: __,
    ...same
  } = await platform.call(getDevice, { params: { id: device!.id } });
  expect(before).toMatchObject(same);
  await eventually(async () =>
    expect(
      (await platform.call(listOperationLog, { query: { search: device!.name } })).records.map((e) => e.action),
    ).toEqual(expect.arrayContaining(['device.restore', 'device.delete'])),
  );
});
