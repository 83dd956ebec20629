import { expect, test } from 'vitest';
import {
  addDeviceGroup,
  deleteDeviceGroup,
  deleteDevices,
  editDeviceGroup,
  getDeviceGroup,
  listDeviceGroupNames,
  listDeviceGroups,
  listDevices,
  orgTransfer,
  removeFromDeviceGroup,
  restoreDeviceGroups,
  restoreDevices,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { north, south, refusal, startDeviceGroups } from './device-group-test.ts';

const { bus, published, groupsOf, own, call, add, group, join, leave, groupNames } = await startDeviceGroups();
const names = async (as = own) => (await call(as)(listDeviceGroups, { query: {} })).records.map((g) => g.name);

test('groups are added, edited, listed, searched and deleted; names are unique [DEV-12]', async () => {
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

test('the user who deleted a group restores it while they see its organization [DEV-12/restore]', async () => {
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

test('a group with devices cannot be deleted, and a restored device drops deleted groups [DEV-12]', async () => {
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

test('a group takes only devices of its organization and is hidden from others [DEV-12/members-isolation]', async () => {
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
    expect(published.get(same)).toBeNull();
    expect(published.get(moved)).toMatchObject({ orgId: south, name: 'Old halls' });
  });
});

test('the name of a group is published when it is added, renamed, deleted and restored', async () => {
  const id = await group('Told', north);
  const named = (name: string) => ({ id, companyId: own.companyId, orgId: north, name });
  await eventually(() => expect(published.get(id)).toEqual(named('Told')));
  await call()(editDeviceGroup, { body: { id, name: 'Told again', description: '' } });
  await eventually(() => expect(published.get(id)).toEqual(named('Told again')));
  await call()(deleteDeviceGroup, { query: { id } });
  await eventually(() => expect(published.get(id)).toBeNull());
  await call()(restoreDeviceGroups, { body: { ids: [id] } });
  await eventually(() => expect(published.get(id)).toEqual(named('Told again')));
  await call()(deleteDeviceGroup, { query: { id } });
});
