import { describe, expect, it } from 'vitest';
import {
  allocateDevices,
  countChannelOrders,
  deleteChannelOrders,
  deleteDevices,
  deviceCredential,
  deviceState,
  handedOver,
  getDevice,
  linkCommand,
  listDevices,
  live,
  makeDevicesOfOrders,
  restoreDevices,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { companyRecord, eventually, newActor, placeServer, type Actor } from '@carillon/testing';
import { newSecret, seedDevices } from '../device.module.ts';
import { hashOf } from '../device/device.service.ts';
import { deviceAddress, refusal, startChannelOrders } from './channel-order-test.ts';

const {
  bus,
  service,
  placeOf,
  records,
  top,
  parent,
  child,
  sibling,
  grandchild,
  names,
  nextMac,
  add,
  allocate,
  make,
  orders,
  lineOf,
  deviceOf,
  steps,
  addOwn,
  connected,
  inside,
  ownerOf,
  noted,
} = await startChannelOrders();
const takeBack = (by: Actor, macs: string[]) =>
  service.as(by)(takeBackChannelOrders, { body: { target: { macs }, confirmed: true } });
const said = (topic: { name: string }, key: string) => records.filter((r) => r.topic === topic.name && r.key === key);

describe('allocation', () => {
  it('gives lines to a direct child as free stock; the giver keeps a record, nobody else sees them', async () => {
    const line = await add(parent, { order: 'Secret-Order' });
    await allocate(parent, child, { ids: [line.id] });
    expect(await lineOf(parent, line.mac)).toMatchObject({
      model: 'X7A',
      status: 'assigned',
      company: { id: child.companyId, name: 'Child' },
      assignedAt: expect.any(String),
      order: 'Secret-Order',
    });
    expect(await lineOf(child, line.mac)).toMatchObject({
      model: 'X7A',
      status: 'unassigned',
      source: 'company',
      from: 'Parent',
      company: null,
      order: '',
    });
    for (const company of [top, sibling, grandchild]) {
      expect(await lineOf(company, line.mac)).toBeUndefined();
      expect(await steps(company, line.mac)).toEqual([]);
      // To them its id is like any unknown one.
      for (const id of [line.id, uuidv7()])
        expect(await refusal(service.as(company)(deleteChannelOrders, { query: { ids: [id] } }))).toBe(
          'common.notFound',
        );
    }
    expect(await steps(parent, line.mac)).toEqual([
      ['given', 'Child'],
      ['in', null],
    ]);
    expect(await steps(child, line.mac)).toEqual([['received', 'Parent']]);
    expect(await ownerOf(line.mac)).toMatchObject({ company_id: child.companyId, epoch: 2, proof: 'order' });
    await eventually(() => {
      expect(noted(parent, 'channelOrder.allocate').at(-1)).toMatchObject({
        objectName: 'Child',
        userId: parent.userId,
        detail: { count: 1, devices: [{ mac: line.mac, model: 'X7A' }] },
      });
      const theirs = noted(child, 'channelOrder.received').at(-1)!;
      expect(theirs).toMatchObject({ objectName: 'Parent', detail: { count: 1, devices: [{ mac: line.mac }] } });
      expect(JSON.stringify(theirs)).not.toContain(parent.userId);
      expect(theirs.username).toBe('system');
    });
  });

  it('an allocation is all or nothing, and only to a direct child', async () => {
    const [one, two, three] = [await add(parent), await add(parent), await add(parent)];
    await allocate(parent, sibling, { ids: [two.id] });
    expect(await refusal(allocate(parent, child, { ids: [one.id, two.id, three.id] }))).toBe('channelOrder.assigned');
    expect(await refusal(allocate(parent, child, { macs: [one.mac, nextMac()] }))).toBe('channelOrder.unknownMac');
    const foreign = await add(newActor());
    expect(await refusal(allocate(parent, child, { ids: [one.id, foreign.id] }))).toBe('common.notFound');
    for (const to of [grandchild, top, parent, newActor()])
      expect(await refusal(allocate(parent, to, { ids: [one.id] }))).toBe('common.notFound');
    for (const line of [one, three]) expect(await lineOf(parent, line.mac)).toMatchObject({ status: 'unassigned' });
    // No company can give what belongs to another one.
    for (const by of [top, child, sibling, grandchild])
      expect(await refusal(allocate(by, by === top ? parent : grandchild, { ids: [one.id] }))).toBe('common.notFound');
  });

  it('takes the requested number of free lines; of two parallel calls each gets its own, the last fails', async () => {
    const order = 'First come';
    for (let i = 0; i < 5; i++) await add(parent, { order });
    const both = await Promise.all(
      [child, sibling, child].map((to) => refusal(allocate(parent, to, { first: 2, order, model: 'X7A' }))),
    );
    expect(both.toSorted()).toEqual(['channelOrder.notEnough', 'none', 'none']);
    expect(await orders(parent, { order: [order], status: ['unassigned'] })).toHaveLength(1);
    // The same line is given only once by parallel calls.
    const line = await add(parent);
    const twice = await Promise.all([child, sibling].map((to) => refusal(allocate(parent, to, { ids: [line.id] }))));
    expect(twice.toSorted()).toEqual(['channelOrder.assigned', 'none']);
  });

  it('counts lines that are free, in use and with each channel', async () => {
    const owner = newActor();
    const below = newActor();
    await bus.publish([companyRecord(owner, 'Owner', [top]), companyRecord(below, 'Below', [top, owner])]);
    await eventually(async () => expect(await names(owner)).toEqual(['Below']));
    const macs: string[] = [];
    for (let i = 0; i < 4; i++) macs.push((await add(owner, { order: 'A' })).mac);
    await make(owner, [macs[0]!]);
    await allocate(owner, below, { macs: [macs[1]!] });
    expect(await service.as(owner)(countChannelOrders, {})).toEqual({
      total: 4,
      free: 2,
      inUse: 1,
      assigned: 1,
      channels: [{ id: below.companyId, name: 'Below', count: 1 }],
      stock: [{ model: 'X7A', order: 'A', count: 2 }],
    });
    // The lines show the new name of a renamed channel, but no later names once it has moved to another parent.
    await bus.publish([companyRecord(below, 'Below & Sons', [top, owner])]);
    await eventually(async () => expect((await lineOf(owner, macs[1]!))!.company!.name).toBe('Below & Sons'));
    await bus.publish([companyRecord(below, 'Below again', [top])]);
    await eventually(async () => expect(await names(top)).toContain('Below again'));
    expect((await lineOf(owner, macs[1]!))!.company!.name).toBe('Below & Sons');
    expect(await refusal(takeBack(owner, [macs[1]!]))).toBe('channelOrder.passedOn');
  });
});

describe('a device of the giver', () => {
  it('ends when it is handed over; the receiver makes a new one with a higher epoch and a new secret', async () => {
    const mac = nextMac();
    const { device, secret } = await addOwn(parent, mac, 'In use');
    await add(parent, { mac });
    expect((await lineOf(parent, mac))!.deviceId).toBe(device.id);
    await connected(parent, mac);
    expect(await refusal(allocate(parent, child, { macs: [mac] }))).toBe('channelOrder.inUse');
    expect(await deviceOf(parent, mac)).toBeDefined();
    await allocate(parent, child, { macs: [mac] }, true);
    expect(await refusal(service.as(parent)(getDevice, { params: { id: device.id } }))).toBe('common.notFound');
    expect(await deviceOf(child, mac)).toBeUndefined();
    await eventually(() => {
      const views = said(deviceState, device.id);
      expect(views.at(-1)!.value).toBeNull();
      expect(views.at(-1)!.headers).toMatchObject({ reason: handedOver });
      expect(said(deviceCredential, device.id).at(-1)!.value).toBeNull();
      expect(said(linkCommand, device.id).map((r) => JSON.parse(r.value!))).toEqual([{ deviceId: device.id, mac }]);
      expect(said(live, parent.companyId).some((r) => r.value!.includes(device.id))).toBe(true);
    });
    expect(await refusal(service.as(parent)(restoreDevices, { body: { ids: [device.id] } }))).toBe(
      'device.restoreOver',
    );
    const { devices, address } = await make(child, [mac]);
    expect(address).toBe(deviceAddress);
    expect(devices).toEqual([
      {
        id: expect.any(String),
        mac,
        name: `X7A ${mac.slice(-4).toUpperCase()}`,
        model: 'X7A',
        secret: expect.any(String),
      },
    ]);
    expect(devices[0]!.secret).not.toBe(secret);
    const { rows } = await inside(child, 'select owner_epoch, secret_hash from device where mac = $1', [mac]);
    expect(rows).toEqual([{ owner_epoch: 2, secret_hash: hashOf(devices[0]!.secret) }]);
    expect((await lineOf(child, mac))!.deviceId).toBe(devices[0]!.id);
    expect(await refusal(service.as(parent)(getDevice, { params: { id: devices[0]!.id } }))).toBe('common.notFound');
    expect(await refusal(make(child, [mac]))).toBe('channelOrder.hasDevice');
    expect(await refusal(make(parent, [mac]))).toBe('channelOrder.assigned');
  });

  it('is made into a device with a SIP server of its own company only [CHN-03/server]', async () => {
    const { mac } = await add(parent);
    const [own, theirs] = [await placeOf(parent), await placeOf(sibling)];
    for (const serverId of [theirs.serverId, 'none'])
      expect(await refusal(make(parent, [mac], serverId))).toBe('serverId: device.serverMissing');
    expect(await deviceOf(parent, mac)).toBeUndefined();
    await make(parent, [mac], own.serverId);
    expect((await deviceOf(parent, mac))!.server).toEqual({ id: own.serverId, name: placeServer });
  });

  it('is handed over without an order, gets a line, and cannot be restored by the giver', async () => {
    const macs = [nextMac(), nextMac()];
    const ids = [];
    for (const mac of macs) ids.push((await addOwn(parent, mac)).device.id);
    const give = (by: Actor, macs: string[]) =>
      service.as(by)(allocateDevices, {
        body: { target: { ids: macs }, channelId: child.companyId, confirmed: false },
      });
    expect(await refusal(give(sibling, ids))).toBe('common.notFound');
    expect(await give(parent, ids)).toEqual({ allocated: 2, left: 0 });
    for (const mac of macs) {
      expect(await lineOf(parent, mac)).toMatchObject({ source: 'device', status: 'assigned' });
      expect(await lineOf(child, mac)).toMatchObject({ source: 'company', status: 'unassigned' });
      expect(await deviceOf(parent, mac)).toBeUndefined();
    }
    const mac = nextMac();
    await add(parent, { mac });
    const { devices } = await make(parent, [mac]);
    await service.as(parent)(deleteDevices, { query: { ids: [devices[0]!.id] } });
    expect((await lineOf(parent, mac))!.deviceId).toBeNull();
    await allocate(parent, child, { macs: [mac] });
    expect(await refusal(service.as(parent)(restoreDevices, { body: { ids: [devices[0]!.id] } }))).toBe(
      'device.restoreOver',
    );
  });

  it('a device of an organization that the caller does not see keeps its line', async () => {
    const mac = nextMac();
    await add(parent, { mac });
    await make(parent, [mac]);
    const narrow = { ...parent, orgId: newActor().orgId, orgIds: [newActor().orgId] };
    expect(await refusal(allocate(narrow, child, { macs: [mac] }, true))).toBe('channelOrder.deviceUnseen');
    expect(await deviceOf(parent, mac)).toBeDefined();
  });
});

describe('taking back', () => {
  it('goes one step at a time and ends what the child made of the MAC, except its history', async () => {
    const { mac } = await add(top);
    await allocate(top, parent, { macs: [mac] });
    await allocate(parent, child, { macs: [mac] });
    // The giver's parent and siblings cannot take anything back.
    expect(await refusal(takeBack(top, [mac]))).toBe('channelOrder.passedOn');
    expect(await refusal(takeBack(sibling, [mac]))).toBe('channelOrder.unknownMac');
    expect(await refusal(takeBack(child, [mac]))).toBe('channelOrder.free');
    const { devices } = await make(child, [mac]);
    await connected(child, mac);
    expect(await takeBack(parent, [mac])).toEqual({ takenBack: 1 });
    expect(await deviceOf(child, mac)).toBeUndefined();
    expect(await lineOf(child, mac)).toBeUndefined();
    expect(await steps(child, mac)).toEqual([
      ['returned', 'Parent'],
      ['received', 'Parent'],
    ]);
    expect(await lineOf(parent, mac)).toMatchObject({ status: 'unassigned', company: null, assignedAt: null });
    expect((await steps(parent, mac)).map(([step]) => step)).toEqual(['takenBack', 'given', 'received']);
    expect(await lineOf(top, mac)).toMatchObject({ status: 'assigned', company: { name: 'Parent' } });
    expect(await ownerOf(mac)).toMatchObject({ company_id: parent.companyId, epoch: 4 });
    await eventually(() => {
      expect(said(deviceState, devices[0]!.id).at(-1)!.value).toBeNull();
      const theirs = noted(child, 'channelOrder.returned').at(-1)!;
      expect(theirs).toMatchObject({ objectName: 'Parent', username: 'system' });
    });
    expect(await takeBack(top, [mac])).toEqual({ takenBack: 1 });
    expect(await lineOf(parent, mac)).toBeUndefined();
    expect(await ownerOf(mac)).toMatchObject({ company_id: top.companyId, epoch: 5 });
  });

  it('is all or nothing', async () => {
    const [one, two] = [(await add(parent)).mac, (await add(parent)).mac];
    await allocate(parent, child, { macs: [one, two] });
    await allocate(child, grandchild, { macs: [two] });
    expect(await refusal(takeBack(parent, [one, two]))).toBe('channelOrder.passedOn');
    expect(await lineOf(child, one)).toBeDefined();
    expect(await takeBack(parent, [one])).toEqual({ takenBack: 1 });
  });
});

it(
  'more devices than one step takes are given in steps that report the rest, and are refused at once',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    const owner = newActor();
    const below = newActor();
    await bus.publish([companyRecord(owner, 'Many', [top]), companyRecord(below, 'Many below', [top, owner])]);
    await eventually(async () => expect(await names(owner)).toEqual(['Many below']));
    const count = 10_002;
    await seedDevices(
      service.database,
      owner,
      Array.from({ length: count }, (_, n) => {
        const mac = (0x0c3a00000000 + n).toString(16).padStart(12, '0');
        return { mac, name: `Many ${n}`, model: 'X7A', sn: mac, secret: newSecret() };
      }),
    );
    const give = (inSteps: boolean) =>
      service.as(owner)(allocateDevices, {
        body: { target: { filter: {} }, channelId: below.companyId, confirmed: true, inSteps },
      });
    expect(await refusal(give(false))).toBe('channelOrder.tooMany');
    expect(await give(true)).toEqual({ allocated: 10_000, left: 2 });
    expect((await service.as(owner)(listDevices, { query: {} })).total).toBe(2);
    expect(await give(true)).toEqual({ allocated: 2, left: 0 });
    expect(await service.as(below)(countChannelOrders, {})).toMatchObject({ total: count, free: count });
  },
);

it(
  'giving, making devices of and taking back 10,000 lines takes one call each, before its timeout',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    const owner = newActor();
    const below = newActor();
    await bus.publish([companyRecord(owner, 'Great', [top]), companyRecord(below, 'Great below', [top, owner])]);
    await eventually(async () => expect(await names(owner)).toEqual(['Great below']));
    const count = 10_000;
    await platform(service.database, 'a test fills a stock', async () => {
      await currentSql().query(
        `
        with n as (select lpad(to_hex(x'0c3900000000'::bigint + i), 12, '0') as mac from generate_series(1, $2) i),
        owned as (insert into mac_owner select mac, $1, 'order', 1, now() from n)
        insert into channel_order (id, company_id, mac, model, order_name, source, status, in_at)
        select gen_random_uuid(), $1, mac, 'X7A', '', 'import', 'unassigned', now() from n
      `,
        [owner.companyId, count],
      );
    });
    const timed = async (what: () => Promise<unknown>) => {
      const began = performance.now();
      await what();
      return performance.now() - began;
    };
    const all = { filter: {}, exclude: [] };
    const one = await add(owner);
    expect(await refusal(allocate(owner, below, all))).toBe('channelOrder.tooMany');
    await service.as(owner)(deleteChannelOrders, { query: { ids: [one.id] } });
    const given = await timed(() => allocate(owner, below, all));
    expect(await service.as(below)(countChannelOrders, {})).toMatchObject({ total: count, free: count });
    const made = await timed(() =>
      service.as(below)(makeDevicesOfOrders, { body: { target: all, name: 'Phone {n}' } }),
    );
    expect(await service.as(below)(countChannelOrders, {})).toMatchObject({ inUse: count, free: 0 });
    const back = await timed(() =>
      service.as(owner)(takeBackChannelOrders, { body: { target: { filter: {} }, confirmed: true } }),
    );
    expect(await service.as(owner)(countChannelOrders, {})).toMatchObject({ free: count, assigned: 0 });
    expect((await service.as(below)(listDevices, { query: {} })).total).toBe(0);
    // The API gateway waits 65 s for an answer (`upstream.ts`). Benches measure the speed.
    for (const [what, ms] of Object.entries({ given, made, back })) expect(Math.round(ms), what).toBeLessThan(65_000);
  },
);
