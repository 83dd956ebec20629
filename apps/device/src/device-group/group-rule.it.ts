import { expect, test } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  addToDeviceGroup,
  editDevice,
  editDeviceGroup,
  getDeviceGroup,
  listDeviceGroups,
  removeFromDeviceGroup,
  tagDevices,
  type DeviceRule,
} from '@carillon/contracts';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { seedDevices } from '../device.module.ts';
import { north, refusal, startDeviceGroups } from './device-group-test.ts';

const { service, places, groupsOf, own, call, add, group, join, leave, groupNames } = await startDeviceGroups();

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
