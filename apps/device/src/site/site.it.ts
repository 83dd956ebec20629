import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countDevices,
  deleteDevices,
  deviceState,
  getDevice,
  linkReport,
  linkSession,
  listDevices,
  listSiteNames,
  orgSite,
  placeDevices,
  previewSite,
  restoreDevices,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { deviceService, newSecret, seedDevices } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const call = () => service.as(own);
const views = new Map<string, DeviceView>();
let version = 1;
let serial = 0;

const publish = (site: {
  id: string;
  name: string;
  segments: string[];
  autoAssign: boolean;
  parentId: string | null;
}) =>
  bus.publish([
    toRecord(
      orgSite,
      site.id,
      { ...site, companyId: own.companyId },
      envelope('site', { companyId: own.companyId, version: ++version }),
    ),
  ]);
async function site(name: string, segments: string[], autoAssign = false, parentId: string | null = null) {
  const id = uuidv7();
  await publish({ id, name, segments, autoAssign, parentId });
  await eventually(async () => expect((await call()(listSiteNames)).some((s) => s.id === id)).toBe(true));
  return id;
}
/** Adds a device without a site, like the first ones of an installation. */
async function add() {
  const mac = (0xa0_00_00 + ++serial).toString(16).padStart(12, '0');
  const name = `Phone ${String(serial).padStart(2, '0')}`;
  await seedDevices(service.database, own, [{ mac, name, model: 'X7A', sn: `S${serial}`, secret: newSecret() }]);
  return call()(getDevice, { params: { id: mac } });
}
const one = (id: string) => call()(getDevice, { params: { id } });
/** Connects a device: its session has the public address, its hello the internal one. */
async function contact(device: { id: string; mac: string; orgId: string }, address: string, ip: string, epoch = 1) {
  const who = { deviceId: device.id, mac: device.mac, ownerEpoch: 1, epoch };
  const company = { companyId: own.companyId, orgId: device.orgId };
  await bus.publish([
    toRecord(linkSession, device.id, { ...who, gateway: 'g#1', address, at: Date.now() }, envelope('online', company)),
    toRecord(
      linkReport,
      device.id,
      {
        ...who,
        receivedAt: Date.now(),
        address,
        payload: { model: 'X7A', sn: 'S', firmware: '1', ip, uptime: 1, boot: 'power', capabilities: [] },
      },
      envelope('hello', company),
    ),
  ]);
  return eventually(async () => {
    const now = await one(device.id);
    expect([now.publicIp, now.internalIp]).toEqual([address, ip]);
    return now;
  });
}

beforeAll(async () => {
  bus = await testBus('device_site_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [deviceState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        const { data } = fromRecord(deviceState, r)!;
        if (data) views.set(r.key, data);
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('at first contact a device goes to the site of the longest matching prefix [SITE-01]', async () => {
  const campus = await site('Campus', ['10.0.0.0/8', '2001:db8::/32'], true);
  const tower = await site('Tower', ['10.20.0.0/16'], true);
  const quiet = await site('Quiet', ['10.20.4.0/24', '203.0.113.0/28'], false);
  const cases: [string, string, { in: string | null; offered: string | null }][] = [
    ['192.0.2.1', '10.9.9.9', { in: campus, offered: null }],
    ['192.0.2.1', '10.20.9.9', { in: tower, offered: null }],
    ['192.0.2.1', '10.20.4.9', { in: null, offered: quiet }],
    ['203.0.113.5', '10.9.9.9', { in: null, offered: quiet }],
    ['::ffff:10.20.9.9', '192.168.1.1', { in: tower, offered: null }],
    ['192.0.2.1', '2001:db8::9%eth0', { in: campus, offered: null }],
    ['192.0.2.1', 'no address', { in: null, offered: null }],
    ['192.0.2.1', '10.20.9.9/8', { in: tower, offered: null }],
  ];
  for (const [address, ip, expected] of cases) {
    const device = await add();
    await contact(device, address, ip);
    await eventually(async () => {
      const now = await one(device.id);
      expect({ address, ip, in: now.site?.id ?? null, offered: now.offeredSite?.id ?? null }).toEqual({
        address,
        ip,
        ...expected,
      });
    });
    // Copies have the same site.
    await eventually(() => expect(views.get(device.id)?.siteId ?? null).toBe(expected.in));
  }
  // Only the first contact counts: later ones make an offer.
  const roaming = await add();
  expect((await contact(roaming, '192.0.2.1', '172.20.0.1')).site ?? null).toBeNull();
  const now = await contact(roaming, '192.0.2.1', '10.20.9.9', 2);
  expect([now.site, now.offeredSite]).toEqual([
    null,
    { id: tower, name: 'Tower', segment: '10.20.0.0/16', ip: '10.20.9.9' },
  ]);
  // A site does not take a device that a person has placed before its first contact.
  const put = await add();
  await call()(placeDevices, { body: { siteId: quiet, ids: [put.id] } });
  expect((await contact(put, '192.0.2.1', '10.20.9.9')).site).toEqual({ id: quiet, name: 'Quiet' });
});

test('a preview shows whom segments would move, and a deleted site frees its devices [SITE-01/preview]', async () => {
  const [a, b, c] = [await add(), await add(), await add()];
  await contact(a, '198.51.100.1', '172.30.1.1');
  await contact(b, '198.51.100.1', '172.30.2.1');
  await contact(c, '198.51.100.1', '172.30.2.2');
  const inner = await site('Inner', ['172.30.2.0/24']);
  const ask = (segments: string, siteId?: string, actor = own) =>
    service.as(actor)(previewSite, { query: { segments, ...(siteId ? { siteId } : {}) } });
  // c is in Inner, and b is offered it: a new site around both gets only a, until its prefix is the longer one.
  await call()(placeDevices, { body: { siteId: inner, ids: [c.id] } });
  expect(await ask('172.30.9.9/16')).toEqual({
    total: 1,
    devices: [{ id: a.id, name: a.name, mac: a.mac, ip: '172.30.1.1', segment: '172.30.0.0/16', from: null }],
    overlaps: [{ segment: '172.30.0.0/16', siteId: inner, site: 'Inner', other: '172.30.2.0/24' }],
  });
  expect((await ask('172.30.2.0/25')).devices.map((d) => [d.id, d.from])).toEqual([
    [b.id, null],
    [c.id, 'Inner'],
  ]);
  expect((await ask('172.30.2.0/24', inner)).devices.map((d) => d.id)).toEqual([b.id]);
  expect(await ask('', inner)).toEqual({ total: 0, devices: [], overlaps: [] });
  await expect(ask('172.30.2.0/24, x')).rejects.toMatchObject({
    error: 'site.segmentFormat',
    fields: [{ path: 'segments' }],
  });
  // Devices of another organization or company are neither shown nor moved.
  expect((await ask('172.30.2.0/24', inner, { ...own, orgIds: [uuidv7()] })).total).toBe(0);
  expect(await ask('172.30.2.0/24', undefined, newActor())).toEqual({ total: 0, devices: [], overlaps: [] });
  const foreign = service.as(newActor());
  await expect(foreign(placeDevices, { body: { siteId: inner, segments: '172.30.0.0/16' } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
  await expect(call()(placeDevices, { body: { siteId: inner, ids: [uuidv7()] } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
  await expect(call()(placeDevices, { body: { siteId: uuidv7(), ids: [a.id] } })).rejects.toMatchObject({
    error: 'common.notFound',
  });

  const outer = await site('Outer', ['172.30.0.0/16']);
  expect(await call()(placeDevices, { body: { siteId: outer, segments: '172.30.0.0/16' } })).toEqual({
    placed: 1,
    from: [{ siteId: null, ids: [a.id] }],
  });
  expect(await call()(placeDevices, { body: { siteId: inner, segments: '172.30.2.0/24' } })).toEqual({
    placed: 1,
    from: [{ siteId: null, ids: [b.id] }],
  });
  expect(await call()(placeDevices, { body: { siteId: inner, segments: '172.30.2.0/24' } })).toEqual({
    placed: 0,
    from: [],
  });
  const filtered = async (filter: string[]) =>
    (await call()(listDevices, { query: { site: filter, search: 'Phone' } })).records.map((d) => d.id);
  expect(await filtered([inner])).toEqual([b.id, c.id]);
  expect(await filtered([inner, outer])).toEqual([a.id, b.id, c.id]);
  expect(await filtered(['none', outer])).toContain(a.id);
  expect(await filtered(['none'])).not.toContain(a.id);
  const { sites } = await call()(countDevices, { query: { site: [inner, outer] } });
  expect(sites).toEqual([
    { id: inner, name: 'Inner', count: 2 },
    { id: outer, name: 'Outer', count: 1 },
  ]);
  await eventually(() => expect(views.get(b.id)?.siteId).toBe(inner));
  // A renamed site is shown by its new name; a deleted one has no devices and is no choice.
  await publish({ id: inner, name: 'Inner court', segments: [], autoAssign: false, parentId: outer });
  await eventually(async () =>
    expect((await call()(listDevices, { query: { site: [inner], search: b.mac } })).records[0]?.site).toEqual({
      id: inner,
      name: 'Inner court',
    }),
  );
  expect((await call()(listSiteNames)).find((s) => s.id === inner)?.path).toEqual(['Outer', 'Inner court']);
  await bus.publish([
    { ...toRecord(orgSite, inner, null, envelope('site', { companyId: own.companyId, version: ++version })) },
  ]);
  await eventually(async () => expect((await one(b.id)).site).toBeNull());
  await eventually(() => expect(views.get(c.id)?.siteId).toBeNull());
  expect((await call()(listSiteNames)).map((s) => s.name)).not.toContain('Inner court');
  expect(await call()(placeDevices, { body: { siteId: null, ids: [a.id] } })).toEqual({
    placed: 1,
    from: [{ siteId: outer, ids: [a.id] }],
  });
  expect((await one(a.id)).offeredSite).toMatchObject({ id: outer });
});

test('a restored site gets back the devices that were not placed elsewhere [SITE-01/restore-devices]', async () => {
  const [yard, other] = [
    { id: uuidv7(), name: 'Yard', segments: [], autoAssign: false, parentId: null },
    await site('Elsewhere', []),
  ];
  await publish(yard);
  await eventually(async () => expect((await call()(listSiteNames)).some((s) => s.id === yard.id)).toBe(true));
  const [stays, moved, none, late, sooner] = [await add(), await add(), await add(), await add(), await add()];
  await call()(placeDevices, { body: { siteId: yard.id, ids: [stays, moved, none, late, sooner].map((d) => d.id) } });
  // A device that is deleted before the site and restored before it.
  await call()(deleteDevices, { query: { ids: [sooner.id] } });
  await bus.publish([
    toRecord(orgSite, yard.id, null, envelope('site', { companyId: own.companyId, version: ++version })),
  ]);
  for (const d of [stays, moved, none, late]) await eventually(async () => expect((await one(d.id)).site).toBeNull());
  await call()(restoreDevices, { body: { ids: [sooner.id] } });
  expect((await one(sooner.id)).site).toBeNull();
  await call()(placeDevices, { body: { siteId: other, ids: [moved.id] } });
  // Devices from several places are grouped by their former site.
  const { placed, from } = await call()(placeDevices, { body: { siteId: null, ids: [none.id, moved.id] } });
  expect([placed, from]).toEqual([1, [{ siteId: other, ids: [moved.id] }]]);
  await call()(placeDevices, { body: { siteId: other, ids: [moved.id] } });
  await call()(deleteDevices, { query: { ids: [late.id] } });
  await publish(yard);
  await eventually(async () =>
    expect([(await one(stays.id)).site?.id, (await one(sooner.id)).site?.id]).toEqual([yard.id, yard.id]),
  );
  await eventually(() => expect(views.get(stays.id)?.siteId).toBe(yard.id));
  await call()(restoreDevices, { body: { ids: [late.id] } });
  expect([(await one(moved.id)).site?.id, (await one(none.id)).site, (await one(late.id)).site?.id]).toEqual([
    other,
    null,
    yard.id,
  ]);
  // A later update of the site does not bring back devices that have left it since.
  await call()(placeDevices, { body: { siteId: null, ids: [stays.id] } });
  await publish({ ...yard, name: 'Yard 2' });
  await eventually(async () => expect((await one(late.id)).site?.name).toBe('Yard 2'));
  expect((await one(stays.id)).site).toBeNull();
});
