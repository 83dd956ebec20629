import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  addToDeviceGroup,
  deleteDeviceGroup,
  deleteDevices,
  deviceGroupState,
  deviceState,
  editDevice,
  editDeviceGroup,
  getDevice,
  getDeviceGroup,
  listDeviceGroupNames,
  listDeviceGroups,
  listDevices,
  orgOrganization,
  orgTransfer,
  removeFromDeviceGroup,
  restoreDeviceGroups,
  restoreDevices,
  tagDevices,
  type DeviceRule,
  type EventData,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type TestedService, devicePlaces } from '@carillon/testing';
import { deviceService, seedDevices } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const [north, south] = [uuidv7(), uuidv7()];
/** The groups of each device as published to other services. */
const groupsOf = new Map<string, readonly string[] | undefined>();
/** The published groups; null for deleted ones. */
const told = new Map<string, EventData<typeof deviceGroupState, 'group'> | null>();
let serial = 0;
const call = (as = own) => service.as(as);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const names = async (as = own) => (await call(as)(listDeviceGroups, { query: {} })).records.map((g) => g.name);
const add = async (orgId = own.orgId) => {
  const mac = `0c383ea0${(++serial).toString(16).padStart(4, '0')}`;
  const name = `Phone ${String(serial).padStart(3, '0')}`;
  return (await call()(addDevice, { body: { ...(await places(own)), mac, name, model: 'X7A', sn: mac, orgId } })).device
    .id;
};
const group = async (name: string, orgId = own.orgId) =>
  (await call()(addDeviceGroup, { body: { name, description: '', orgId } })).id;
const join = (id: string, ids: string[], as = own) => call(as)(addToDeviceGroup, { params: { id }, body: { ids } });
const leave = (id: string, ids: string[], as = own) =>
  call(as)(removeFromDeviceGroup, { params: { id }, body: { ids } });
const groupNames = async (id: string) => (await call()(getDevice, { params: { id } })).groups.map((g) => g.name);

beforeAll(async () => {
  bus = await testBus('device_group_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceGroupState.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === deviceGroupState.name) told.set(r.key, fromRecord(deviceGroupState, r)!.data);
        else groupsOf.set(r.key, fromRecord(deviceState, r)!.data?.groupIds);
    },
  });
  for (const [id, name] of [
    [own.orgId, 'Head office'],
    [north, 'North'],
    [south, 'South'],
  ] as const)
    await bus.publish([
      toRecord(
        orgOrganization,
        id,
        { id, companyId: own.companyId, name, description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: own.companyId, version: 1 }),
      ),
    ]);
  // Each organization arrives in its own partition.
  for (const orgId of [own.orgId, north, south])
    await eventually(async () => {
      const { id, organization } = await call()(addDeviceGroup, { body: { name: 'Probe', description: '', orgId } });
      await call()(deleteDeviceGroup, { query: { id } });
      expect(organization).not.toBeNull();
    });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('groups are added, edited, listed, sorted, searched and deleted; names are unique per organization [DEV-12]', async () => {
  const made = await call()(addDeviceGroup, { body: { name: 'Reception', description: 'Front desks' } });
  expect(made).toEqual({
    id: made.id,
    name: 'Reception',
    description: 'Front desks',
    organization: { id: own.orgId, name: 'Head office' },
    devices: 0,
    rule: null,
    applying: false,
    updatedAt: expect.any(String),
  });
  expect(await refusal(call()(addDeviceGroup, { body: { name: 'rECEPTION', description: '' } }))).toBe(
    'deviceGroup.nameTaken',
  );
  const elsewhere = await call()(addDeviceGroup, { body: { name: 'Reception', description: '', orgId: north } });
  expect(elsewhere.organization).toEqual({ id: north, name: 'North' });
  expect(await refusal(call()(addDeviceGroup, { body: { name: 'X', description: '', orgId: uuidv7() } }))).toBe(
    'common.notFound',
  );
  expect(
    await call()(editDeviceGroup, { body: { id: elsewhere.id, name: 'Lobby', description: 'All of them' } }),
  ).toMatchObject({ name: 'Lobby', description: 'All of them', organization: { id: north } });
  const other = await call()(addDeviceGroup, { body: { name: 'Lab', description: '' } });
  expect(await refusal(call()(editDeviceGroup, { body: { id: other.id, name: 'reception', description: '' } }))).toBe(
    'deviceGroup.nameTaken',
  );
  expect(await names()).toEqual(['Lab', 'Lobby', 'Reception']);
  const sorted = await call()(listDeviceGroups, { query: { sort: '-name', current: 1, size: 2 } });
  expect([sorted.total, sorted.records.map((g) => g.name)]).toEqual([3, ['Reception', 'Lobby']]);
  expect((await call()(listDeviceGroups, { query: { search: 'of THEM' } })).records.map((g) => g.id)).toEqual([
    elsewhere.id,
  ]);
  await call()(deleteDeviceGroup, { query: { id: other.id } });
  expect(await refusal(call()(getDeviceGroup, { params: { id: other.id } }))).toBe('common.notFound');
  expect(await names()).toEqual(['Lobby', 'Reception']);
});

test('the user who deleted a group restores it with its id while they see its organization [DEV-12/restore]', async () => {
  const made = await call()(addDeviceGroup, { body: { name: 'Doors', description: 'Gates', orgId: north } });
  const restore = (as = own) => call(as)(restoreDeviceGroups, { body: { ids: [made.id] } });
  await call()(deleteDeviceGroup, { query: { id: made.id } });
  expect([
    await refusal(restore({ ...own, userId: uuidv7() })),
    await refusal(restore(newActor())),
    await refusal(restore({ ...own, orgIds: [south] })),
  ]).toEqual(['common.restoreOver', 'common.restoreOver', 'common.restoreOver']);
  const other = await call()(addDeviceGroup, { body: { name: 'dOORS', description: '', orgId: north } });
  expect(await refusal(restore())).toBe('deviceGroup.nameTaken');
  await call()(editDeviceGroup, { body: { id: other.id, name: 'Windows', description: '' } });
  expect(await restore()).toEqual({ restored: 1 });
  const { updatedAt: _, ...same } = made;
  expect(await call()(getDeviceGroup, { params: { id: made.id } })).toMatchObject(same);
  expect(await restore()).toEqual({ restored: 0 });
});

test('groups of another organization or company are neither shown nor changed [DEV-12/isolation]', async () => {
  const made = await call()(addDeviceGroup, { body: { name: 'Secret', description: '', orgId: south } });
  for (const stranger of [newActor(), { ...own, orgId: north, orgIds: [north] }]) {
    const theirs = call(stranger);
    expect(await names(stranger)).not.toContain('Secret');
    expect([
      await refusal(theirs(getDeviceGroup, { params: { id: made.id } })),
      await refusal(theirs(editDeviceGroup, { body: { id: made.id, name: 'Mine', description: '' } })),
      await refusal(theirs(deleteDeviceGroup, { query: { id: made.id } })),
      await refusal(theirs(addDeviceGroup, { body: { name: 'Mine', description: '', orgId: south } })),
    ]).toEqual(Array(4).fill('common.notFound'));
  }
  expect(await names({ ...own, orgId: south, orgIds: [south] })).toContain('Secret');
});

test('devices join and leave a group by ids or by filter with exclusions, and are published [DEV-12]', async () => {
  const [desks, doors] = [await group('Desks'), await group('Gates')];
  const [a, b, c] = [await add(), await add(), await add()];
  expect(await join(desks, [a, b])).toEqual({ added: 2 });
  expect(await join(desks, [a, b, c])).toEqual({ added: 1 });
  expect(await join(doors, [a])).toEqual({ added: 1 });
  expect(await groupNames(a)).toEqual(['Desks', 'Gates']);
  expect((await call()(getDeviceGroup, { params: { id: desks } })).devices).toBe(3);
  expect(
    (await call()(listDeviceGroups, { query: { sort: '-devices' } })).records.slice(0, 2).map((g) => g.devices),
  ).toEqual([3, 1]);
  await eventually(() => expect(groupsOf.get(a)).toEqual([desks, doors]));
  const shown = async (filter: string[]) =>
    (await call()(listDevices, { query: { group: filter, limit: 200 } })).records.map((d) => d.id);
  expect(await shown([desks])).toEqual([a, b, c]);
  expect(await shown([doors])).toEqual([a]);
  const d = await add();
  expect(await shown(['none'])).toContain(d);
  expect(await shown(['none'])).not.toContain(a);
  expect(await shown(['none', doors])).toEqual(expect.arrayContaining([a, d]));
  const filter = { group: [desks] };
  expect(await call()(removeFromDeviceGroup, { params: { id: desks }, body: { filter, exclude: [b] } })).toEqual({
    removed: 2,
  });
  expect(await shown([desks])).toEqual([b]);
  expect(await leave(desks, [a])).toEqual({ removed: 0 });
  await eventually(() => expect(groupsOf.get(a)).toEqual([doors]));
  expect(await refusal(join(uuidv7(), [a]))).toBe('common.notFound');
});

test('a group with devices cannot be deleted, and a restored device drops groups that are gone since [DEV-12]', async () => {
  const [used, other] = [await group('Used'), await group('Other')];
  const device = await add();
  await join(used, [device]);
  await join(other, [device]);
  const error = await call()(deleteDeviceGroup, { query: { id: used } }).catch((e: Error) => e);
  expect(error).toMatchObject({
    error: 'deviceGroup.notEmpty',
    message: expect.stringContaining('its 1 device first'),
  });
  // A restored device is in its former groups, except those that were deleted in the meantime.
  await call()(deleteDevices, { query: { ids: [device] } });
  await call()(deleteDeviceGroup, { query: { id: used } });
  await call()(restoreDevices, { body: { ids: [device] } });
  expect(await groupNames(device)).toEqual(['Other']);
  await eventually(() => expect(groupsOf.get(device)).toEqual([other]));
});

test('a group takes only devices of its organization, and strangers neither see nor use it [DEV-12/members-isolation]', async () => {
  const id = await group('Southern', south);
  const [mine, theirs] = [await add(south), await add(north)];
  const error = await join(id, [mine, theirs]).catch((e: Error) => e);
  expect(error).toMatchObject({
    error: 'deviceGroup.otherOrganization',
    message: expect.stringMatching(/^1 .*South/),
  });
  expect(await groupNames(mine)).toEqual([]);
  await join(id, [mine]);
  for (const stranger of [newActor(), { ...own, orgId: north, orgIds: [north] }]) {
    expect(await refusal(join(id, [theirs], stranger))).toBe('common.notFound');
    expect(await refusal(leave(id, [mine], stranger))).toBe('common.notFound');
    expect((await call(stranger)(listDeviceGroupNames)).map((g) => g.id)).not.toContain(id);
    expect((await call(stranger)(listDevices, { query: { group: [id] } })).total).toBe(0);
  }
  // The caller sees the group but not the device.
  const southern = { ...own, orgId: south, orgIds: [south] };
  expect(await refusal(join(id, [theirs], southern))).toBe('common.notFound');
  expect(await groupNames(theirs)).toEqual([]);
  expect(await groupNames(mine)).toEqual(['Southern']);
});

test('groups follow the transfer of their organization; groups of one name are merged [DEV-12/transfer]', async () => {
  const [moved, same, kept] = [
    await group('Old halls', north),
    await group('hALLS', north),
    await group('Halls', south),
  ];
  const [x, y] = [await add(north), await add(south)];
  await join(moved, [x]);
  await join(same, [x]);
  await join(kept, [y]);
  await bus.publish([
    toRecord(
      orgTransfer,
      own.companyId,
      { fromId: north, toId: south },
      envelope('transfer', { companyId: own.companyId }),
    ),
  ]);
  await eventually(async () => expect(await groupNames(x)).toEqual(['Halls', 'Old halls']));
  const southern = await call({ ...own, orgId: south, orgIds: [south] })(listDeviceGroups, {
    query: { search: 'halls' },
  });
  expect(southern.records.map((g) => [g.id, g.devices])).toEqual([
    [kept, 2],
    [moved, 1],
  ]);
  await eventually(() => expect(groupsOf.get(x)?.toSorted()).toEqual([moved, kept].toSorted()));
  expect(await refusal(call()(getDeviceGroup, { params: { id: same } }))).toBe('common.notFound');
  await eventually(() => {
    expect(told.get(same)).toBeNull();
    expect(told.get(moved)).toMatchObject({ orgId: south, name: 'Old halls' });
  });
});

test('the name of a group is published when it is added, renamed, deleted and restored', async () => {
  const id = await group('Told', north);
  const named = (name: string) => ({ id, companyId: own.companyId, orgId: north, name });
  await eventually(() => expect(told.get(id)).toEqual(named('Told')));
  await call()(editDeviceGroup, { body: { id, name: 'Told again', description: '' } });
  await eventually(() => expect(told.get(id)).toEqual(named('Told again')));
  await call()(deleteDeviceGroup, { query: { id } });
  await eventually(() => expect(told.get(id)).toBeNull());
  await call()(restoreDeviceGroups, { body: { ids: [id] } });
  await eventually(() => expect(told.get(id)).toEqual(named('Told again')));
  await call()(deleteDeviceGroup, { query: { id } });
});

const applied = (id: string) =>
  eventually(async () => {
    const found = await call()(getDeviceGroup, { params: { id } });
    expect(found.applying).toBe(false);
    return found;
  });
const ruled = async (name: string, rule: DeviceRule, orgId = own.orgId) =>
  (await call()(addDeviceGroup, { body: { name, description: '', orgId, rule } })).id;

test('a group with a rule holds exactly the matching devices, also after changes of either [DEV-12]', async () => {
  const there = await add();
  const away = await add(north);
  const id = await ruled('X7A of the tower', { 'model.contains': ['x7'], tag: ['tower'] });
  expect((await applied(id)).devices).toBe(0);
  const tag = (ids: string[], set: Record<string, string>, remove: string[] = []) =>
    call()(tagDevices, {
      body: { target: { ids }, set: Object.entries(set).map(([key, value]) => ({ key, value })), remove },
    });
  expect(await tag([there, away], { tower: 'east', floor: '4' })).toEqual({ changed: 2 });
  expect(await groupNames(there)).toEqual(['X7A of the tower']);
  expect(await groupNames(away)).toEqual([]);
  await eventually(() => expect(groupsOf.get(there)).toEqual([id]));
  // Added by hand to another group, and removed from this one because it no longer matches.
  const hand = await group('By hand');
  await join(hand, [there]);
  await tag([there], {}, ['tower']);
  expect(await groupNames(there)).toEqual(['By hand']);
  await eventually(() => expect(groupsOf.get(there)).toEqual([hand]));
  expect([await refusal(join(id, [there])), await refusal(leave(id, [there]))]).toEqual([
    'deviceGroup.byRule',
    'deviceGroup.byRule',
  ]);
  // One device is added, and one is renamed.
  const named = await ruled('Lobbies', { 'name.contains': ['Lobby'] });
  await applied(named);
  const lobby = await call()(addDevice, {
    body: { ...(await places(own)), mac: '0c383ea0ffee', name: 'Lobby 1', model: 'X7A', sn: 'L1', orgId: own.orgId },
  });
  expect(lobby.device.groups.map((g) => g.name)).toEqual(['Lobbies']);
  await call()(editDevice, { body: { id: lobby.device.id, name: 'Bureau 1' } });
  expect(await groupNames(lobby.device.id)).toEqual([]);
  // Another rule, then none: its devices stay, and can be added and removed by hand.
  const rule = { 'name.contains': ['Bureau'] };
  expect(await call()(editDeviceGroup, { body: { id: named, name: 'Lobbies', description: '', rule } })).toMatchObject({
    rule,
    applying: true,
  });
  expect(await applied(named)).toMatchObject({ devices: 1, rule });
  expect((await call()(listDeviceGroups, { query: { byRule: ['true'] } })).records.map((g) => g.name)).toEqual([
    'Lobbies',
    'X7A of the tower',
  ]);
  await call()(editDeviceGroup, { body: { id: named, name: 'Lobbies', description: '', rule: null } });
  await call()(editDevice, { body: { id: lobby.device.id, name: 'Hall 1' } });
  expect(await groupNames(lobby.device.id)).toEqual(['Lobbies']);
  expect(await leave(named, [lobby.device.id])).toEqual({ removed: 1 });
  expect(await refusal(ruled('Everything', {}))).toBe('deviceGroup.ruleEmpty');
});

test('the rules of a company search for at most 500 texts', async () => {
  const company = newActor();
  await call(company)(listDeviceGroups, { query: {} });
  const texts = (n: number) => Array.from({ length: n }, (_, i) => `text ${i}`);
  const add = (name: string, n: number) =>
    call(company)(addDeviceGroup, {
      body: {
        name,
        description: '',
        orgId: company.orgId,
        rule: { 'name.contains': texts(n), 'sn.contains': texts(n) },
      },
    });
  const { id } = await add('First', 20);
  for (let n = 1; n < 12; n++) await add(`Further ${n}`, 20);
  expect(await refusal(add('One too many', 11))).toBe('deviceGroup.tooManyPatterns');
  await add('Last', 10);
  const edit = (n: number) =>
    call(company)(editDeviceGroup, {
      body: { id, name: 'First', description: '', rule: { 'name.contains': texts(n), 'mac.contains': ['0c'] } },
    });
  await edit(19);
  expect((await call(company)(listDeviceGroups, { query: {} })).total).toBe(13);
});

test('rules from before the limits are shown, and can be reduced but not extended', async () => {
  const company = newActor();
  const add = (name: string) =>
    call(company)(addDeviceGroup, { body: { name, description: '', rule: { 'name.contains': [name] } } });
  const [{ id }] = [await add('Long'), await add('Short')];
  const texts = (n: number) => Array.from({ length: n }, (_, i) => `text ${i}`);
  await transaction(service.database, companySession(company.companyId), () =>
    currentSql().query('update device_group set rule = $1 where id = $2', [
      JSON.stringify({
        ...Object.fromEntries(['name', 'model', 'sn'].map((field) => [`${field}.contains`, texts(180)])),
      }),
      id,
    ]),
  );
  const { records } = await call(company)(listDeviceGroups, { query: { sort: 'name' } });
  expect(records.map((g) => g.rule?.['name.contains']?.length)).toEqual([180, 1]);
  expect(await refusal(add('Further'))).toBe('deviceGroup.tooManyPatterns');
  const edit = (n: number) =>
    call(company)(editDeviceGroup, {
      body: { id, name: 'Long', description: '', rule: { 'name.contains': texts(n) } },
    });
  expect(await refusal(edit(21))).toBe('common.invalid');
  expect((await edit(20)).rule).toEqual({ 'name.contains': texts(20) });
});

test(
  'a changed rule is applied to 20,000 devices in parts [DEV-12/rule-many]',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    const company = newActor();
    await seedDevices(
      service.database,
      company,
      Array.from({ length: 20_000 }, (_, n) => ({
        mac: `0c3840${n.toString(16).padStart(6, '0')}`,
        name: `Phone ${n}`,
        model: n % 2 === 0 ? 'X7A' : 'X5U',
        sn: `SN${n}`,
        secret: 'x',
      })),
    );
    const { id } = await call(company)(addDeviceGroup, {
      body: { name: 'Halves', description: '', rule: { model: ['X7A'] } },
    });
    const state = () => call(company)(getDeviceGroup, { params: { id } });
    await eventually(async () => expect(await state()).toMatchObject({ applying: false, devices: 10_000 }), 60_000);
  },
);

test(
  '20,000 devices are added to a group and removed from it [DEV-12/many]',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    const company = newActor();
    const id = (await call(company)(addDeviceGroup, { body: { name: 'All', description: '' } })).id;
    await seedDevices(
      service.database,
      company,
      Array.from({ length: 20_000 }, (_, n) => ({
        mac: `0c383f${n.toString(16).padStart(6, '0')}`,
        name: `Phone ${n}`,
        model: 'X7A',
        sn: `SN${n}`,
        secret: 'x',
      })),
    );
    const all = { params: { id }, body: { filter: {} } };
    expect(await call(company)(addToDeviceGroup, all)).toEqual({ added: 20_000 });
    expect(await call(company)(removeFromDeviceGroup, all)).toEqual({ removed: 20_000 });
  },
);
