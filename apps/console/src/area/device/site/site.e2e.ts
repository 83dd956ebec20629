import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import {
  addDevice,
  addSite,
  deleteDevices,
  deleteSite,
  editSite,
  getDevice,
  getSite,
  listDevices,
  listOperationLog,
  listSiteNames,
  listSites,
  placeDevices,
  previewSite,
} from '@carillon/contracts';
import { eventually, devicePlace, importedDevice } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('sites are a tree with segments and previews, and devices are assigned by address [SITE-01]', async () => {
  const { platform } = product;
  // Removes the sites of other tests.
  for (const { id } of (await platform.call(listSites, { query: {} })).records)
    await platform.call(deleteSite, { query: { id } });
  const { page } = await product.administrator('/site/list');
  const made: string[] = [];
  /** Connects a real device over MQTT; its public address is that of the connection. */
  async function device(n: number, ip: string) {
    const mac = `0c383e77000${n}`;
    const { id, secret } = await importedDevice(platform.call, { mac, name: `Zz site phone ${n}`, sn: `ZS${n}` });
    made.push(id);
    // The gateway learns of the secret a moment later.
    const link = await eventually(() =>
      mqtt.connectAsync(platform.ready.mqtt, {
        clientId: mac,
        username: mac,
        password: secret,
        clean: true,
        reconnectPeriod: 0,
      }),
    );
    await link.publishAsync(
      `d/${mac}/hello`,
      JSON.stringify({
        model: 'X7A',
        sn: `ZS${n}`,
        firmware: '1',
        ip,
        uptime: 1,
        boot: 'power',
        capabilities: ['reboot'],
      }),
      { qos: 1 },
    );
    await eventually(async () => {
      const now = await platform.call(getDevice, { params: { id } });
      expect([now.internalIp, now.publicIp]).toEqual([ip, '127.0.0.1']);
    });
    await link.endAsync();
    return id;
  }
  const siteOf = async (id: string) => {
    const { site, offeredSite } = await platform.call(getDevice, { params: { id } });
    return { in: site?.name ?? null, offered: offeredSite?.name ?? null };
  };
  const dialog = page.getByRole('dialog');
  const row = (name: string) =>
    page.locator('tr[data-id]').filter({ has: page.locator('td:nth-child(2)').getByText(name, { exact: true }) });
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const segments = dialog.getByRole('textbox', { name: 'Networks' });

  // Adds a site; errors are shown at the field and nothing is stored.
  await page.getByRole('heading', { name: 'No sites yet' }).waitFor();
  await page.getByRole('button', { name: 'Add site' }).first().click();
  await dialog.getByRole('button', { name: 'Add site' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('Zz campus');
  await dialog.getByLabel('Description').fill('Both towers');
  await segments.fill('10.77.0.0/16, 10.77.0.0/40');
  await dialog.getByText('“10.77.0.0/40” is not a valid network.').waitFor();
  await dialog.getByRole('button', { name: 'Add site' }).click();
  expect((await platform.call(listSites, { query: {} })).total).toBe(0);
  await segments.fill('10.77.0.0/16');
  await dialog.getByText('These 0 devices would move').waitFor();
  await dialog.getByLabel('Assign new devices automatically').check();
  await dialog.getByRole('button', { name: 'Add site' }).click();
  await row('Zz campus').getByText('Both towers').waitFor();
  const campus = (await platform.call(listSites, { query: { search: 'campus' } })).records[0]!;
  await eventually(async () => expect((await platform.call(listSiteNames)).map((s) => s.name)).toEqual(['Zz campus']));

  // Adds one below it, with an overlap that is shown before it is stored, and then for both.
  await page.getByRole('button', { name: 'Add site' }).first().click();
  await dialog.getByLabel('Name').fill('Zz tower');
  await dialog.getByRole('combobox', { name: 'Parent site' }).or(dialog.locator('[name=parentId]')).first().click();
  await page.getByRole('option', { name: 'Zz campus' }).click();
  await segments.fill('10.77.4.9/24, 2001:db8:77::1/48');
  await dialog.getByText('10.77.4.0/24 overlaps 10.77.0.0/16 of Zz campus').waitFor();
  await dialog.getByRole('button', { name: 'Add site' }).click();
  await row('Zz tower').getByText('10.77.4.0/24, 2001:db8:77::/48').waitFor();
  expect(await page.locator('tr[data-id] td:nth-child(2)').allTextContents()).toEqual(['Zz campus', 'Zz tower']);
  await row('Zz campus').getByText('Zz tower', { exact: true }).waitFor();
  const tower = (await platform.call(listSites, { query: { search: '2001:db8:77::5' } })).records[0]!;
  expect(tower).toMatchObject({ name: 'Zz tower', path: ['Zz campus', 'Zz tower'] });
  await expect(
    platform.call(editSite, {
      body: {
        id: campus.id,
        name: 'Zz campus',
        parentId: tower.id,
        description: '',
        segments: '10.77.0.0/16',
        autoAssign: true,
      },
    }),
  ).rejects.toMatchObject({ error: 'site.cycle' });
  await eventually(async () => expect(await platform.call(listSiteNames)).toHaveLength(2));
  try {
    // First contacts: assigned where the site says so, otherwise offered; the longest prefix wins, also for IPv6.
    const [put, offered, sixth, elsewhere] = [
      await device(1, '10.77.9.9'),
      await device(2, '10.77.4.31'),
      await device(3, '2001:db8:77::5'),
      await device(4, '192.168.77.5'),
    ];
    await eventually(async () =>
      expect(await Promise.all([put, offered, sixth, elsewhere].map(siteOf))).toEqual([
        { in: 'Zz campus', offered: null },
        { in: null, offered: 'Zz tower' },
        { in: null, offered: 'Zz tower' },
        { in: null, offered: null },
      ]),
    );
    await page.goto(`/device/deviceDetail?id=${offered}`);
    await page.getByText('Its address 10.77.4.31 is in 10.77.4.0/24 of Zz tower.').waitFor();
    await page.getByRole('button', { name: 'Assign to Zz tower' }).click();
    await page.getByRole('complementary').getByRole('link', { name: 'Zz tower' }).waitFor();
    await page.getByText('Its address 10.77.4.31').waitFor({ state: 'detached' });
    expect(await siteOf(offered)).toEqual({ in: 'Zz tower', offered: null });

    // Another segment: the preview shows which devices would move, and storing moves them.
    await page.goto('/site/list');
    await act('Zz campus', 'Edit');
    await segments.fill('10.77.0.0/16, 192.168.77.0/24');
    await dialog.getByText('This device would move').waitFor();
    await dialog.getByText('Zz site phone 4').waitFor();
    expect(await siteOf(elsewhere)).toEqual({ in: null, offered: null });
    await dialog.getByLabel('Move it when I save').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => expect(await siteOf(elsewhere)).toEqual({ in: 'Zz campus', offered: null }));

    // The public address matches everyone who connects from there; without moving, they get an offer.
    await page.getByRole('button', { name: 'Add site' }).first().click();
    await dialog.getByLabel('Name').fill('Zz this machine');
    await segments.fill('127.0.0.1/32');
    const wide = await platform.call(previewSite, { query: { segments: '127.0.0.1/32' } });
    expect(wide.total).toBeGreaterThan(200);
    await dialog.getByText(`These ${wide.total} devices would move`).waitFor();
    await dialog.getByRole('button', { name: 'Add site' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => expect(await siteOf(sixth)).toEqual({ in: null, offered: 'Zz tower' }));
    await eventually(async () => expect(await siteOf(put)).toEqual({ in: 'Zz campus', offered: 'Zz this machine' }));

    // Counts link to the list filtered by the site, which has a column for it and changes it for a selection.
    await expect.poll(() => row('Zz campus').getByRole('link', { name: '2', exact: true }).count()).toBe(1);
    await row('Zz campus').getByRole('link', { name: '2', exact: true }).click();
    await page.waitForURL(`**/device/list?site=${campus.id}`);
    await expect
      .poll(() => page.locator('tr[data-id] [data-name]').filter({ visible: true }).allTextContents())
      .toEqual(['Zz site phone 1', 'Zz site phone 4']);
    await page.getByRole('search').getByText('Zz campus').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.locator('main [role=region]').getByRole('button', { name: 'Assign to site' }).click();
    await dialog.getByRole('combobox', { name: 'Site' }).or(dialog.locator('[name=site]')).first().click();
    await page.getByRole('option', { name: 'Zz campus / Zz tower' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No device matches').waitFor();
    expect((await platform.call(listDevices, { query: { site: [tower.id] } })).records.map((d) => d.name)).toEqual([
      'Zz site phone 1',
      'Zz site phone 2',
      'Zz site phone 4',
    ]);

    // A site with children is not deleted; after its own deletion its devices have no site.
    await page.goto('/site/list');
    await act('Zz campus', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('This site has 1 site below it. Move or delete it first.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await act('Zz tower', 'Delete');
    await dialog.getByText('Its 3 devices will have no site.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('Zz tower').waitFor({ state: 'detached' });
    await eventually(async () => expect((await siteOf(offered)).in).toBeNull());
  } finally {
    await platform.call(deleteDevices, { query: { ids: made } });
    for (const site of (await platform.call(listSites, { query: {} })).records.toReversed())
      await platform.call(deleteSite, { query: { id: site.id } });
  }
});

it('Ctrl+Z restores a deleted site with its place, segments and device', { tags: 'slow' }, async () => {
  const { platform } = product;
  const none = { parentId: null as string | null, description: '', segments: '', autoAssign: false };
  const yard = await platform.call(addSite, { body: { ...none, name: 'Zz yard' } });
  const hall = await platform.call(addSite, {
    body: { ...none, name: 'Zz hall', parentId: yard.id, segments: '10.78.0.0/16' },
  });
  const { device } = await platform.call(addDevice, {
    body: {
      ...(await devicePlace(platform.call)),
      mac: '0c383e780001',
      name: 'Zz hall phone',
      model: 'X7A',
      sn: 'ZH1',
    },
  });
  try {
    await eventually(() => platform.call(placeDevices, { body: { siteId: hall.id, ids: [device.id] } }));
    const { page } = await product.administrator('/site/list');
    const row = page
      .locator('tr[data-id]')
      .filter({ has: page.locator('td:nth-child(2)').getByText('Zz hall', { exact: true }) });
    await row.getByRole('link', { name: '1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Zz hall', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByText('You can undo this briefly.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Site Zz hall deleted').waitFor();
    await row.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect((await platform.call(getDevice, { params: { id: device.id } })).site).toBeNull(),
    );
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Control+Z');
    await page.getByText('Site Zz hall restored').waitFor();
    await row.getByText('10.78.0.0/16').waitFor();
    // After its devices have followed.
    await row.getByRole('link', { name: '1', exact: true }).waitFor();
    expect((await platform.call(getSite, { params: { id: hall.id } })).path).toEqual(['Zz yard', 'Zz hall']);
    expect((await platform.call(getDevice, { params: { id: device.id } })).site?.id).toBe(hall.id);
    await eventually(async () =>
      expect(
        (await platform.call(listOperationLog, { query: { objectId: hall.id } })).records.map((e) => e.action),
      ).toEqual(['site.restore', 'site.delete', 'site.add']),
    );
  } finally {
    await platform.call(deleteDevices, { query: { ids: [device.id] } });
    await platform.call(deleteSite, { query: { id: hall.id } });
    await platform.call(deleteSite, { query: { id: yard.id } });
  }
});

it(
  'a bandwidth is typed, refused with a message when invalid, kept by other changes, and removed',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const site = await platform.call(addSite, {
      body: { name: 'Zz branch', parentId: null, description: '', segments: '', autoAssign: false },
    });
    try {
      const { page } = await product.administrator('/site/list');
      const dialog = page.getByRole('dialog');
      const field = dialog.getByLabel('Bandwidth for downloads (Mbit/s)');
      const edit = async () => {
        await page.getByRole('button', { name: 'Actions for Zz branch', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
        await field.waitFor();
      };
      const save = async () => {
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        return (await platform.call(getSite, { params: { id: site.id } })).downloadMbit;
      };
      await edit();
      expect(await field.getAttribute('placeholder')).toBe('No limit');
      for (const wrong of ['0', '100001']) {
        await field.fill(wrong);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText('Enter a whole number from 1 to 100,000, or leave it empty.').waitFor();
      }
      expect((await platform.call(getSite, { params: { id: site.id } })).downloadMbit).toBeNull();
      await field.fill('20');
      expect(await save()).toBe(20);
      await edit();
      expect(await field.inputValue()).toBe('20');
      await dialog.getByLabel('Description').fill('By the river');
      expect(await save()).toBe(20);
      await edit();
      await field.fill('');
      expect(await save()).toBeNull();
    } finally {
      await platform.call(deleteSite, { query: { id: site.id } });
    }
  },
);
