import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  countDevices,
  deleteDevices,
  getDevice,
  listDevices,
  listTags,
  restoreDevices,
  tagDevices,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { newActor, testBus, testService, type TestedService, devicePlaces } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
let serial = 0;
const call = (as = own) => service.as(as);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const add = async () => {
  const mac = `0c383ea1${(++serial).toString(16).padStart(4, '0')}`;
  return (
    await call()(addDevice, { body: { ...(await places(own)), mac, name: `Phone ${serial}`, model: 'X7A', sn: mac } })
  ).device.id;
};
type Tags = Record<string, string>;
const put = (
  target: { ids: string[] } | { filter: object; exclude?: string[] },
  set: Tags,
  remove: string[] = [],
  as = own,
) =>
  call(as)(tagDevices, {
    body: { target, set: Object.entries(set).map(([key, value]) => ({ key, value })), remove },
  });
const tagsOf = async (id: string) => (await call()(getDevice, { params: { id } })).tags;
const found = async (tag: string[], as = own) =>
  (await call(as)(listDevices, { query: { tag, sort: 'createdAt' } })).records.map((d) => d.id);

beforeAll(async () => {
  bus = await testBus('tag_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('devices are tagged by ids or by filter with exclusions, and each key has one value [DEV-14/set]', async () => {
  const [a, b, c] = [await add(), await add(), await add()];
  expect(await put({ ids: [a, b] }, { floor: '4', owner: 'Anna Berg' })).toEqual({ changed: 2 });
  expect(await put({ filter: { model: ['X7A'] }, exclude: [a] }, { floor: '5' })).toEqual({ changed: 2 });
  expect([await tagsOf(a), await tagsOf(b), await tagsOf(c)]).toEqual([
    { floor: '4', owner: 'Anna Berg' },
    { floor: '5', owner: 'Anna Berg' },
    { floor: '5' },
  ]);
  expect(await call()(listTags)).toEqual([
    { key: 'floor', value: '5', devices: 2 },
    { key: 'owner', value: 'Anna Berg', devices: 2 },
    { key: 'floor', value: '4', devices: 1 },
  ]);
  // A key matches any value, a pair only its own; several are alternatives.
  expect(await found(['floor'])).toEqual([a, b, c]);
  expect(await found(['floor=5'])).toEqual([b, c]);
  expect(await found(['floor=4', 'owner'])).toEqual([a, b]);
  expect((await call()(countDevices, { query: { 'tag.not': ['owner'] } })).total).toBe(1);
  expect((await call()(countDevices, { query: { 'tag.empty': 'true' } })).total).toBe(0);
  expect(await put({ ids: [b] }, {}, ['floor', 'owner'])).toEqual({ changed: 1 });
  expect((await call()(countDevices, { query: { 'tag.empty': 'true' } })).total).toBe(1);
  expect(await put({ ids: [b] }, {}, ['floor'])).toEqual({ changed: 0 });
  // A restored device has its tags again.
  await call()(deleteDevices, { query: { ids: [a] } });
  await call()(restoreDevices, { body: { ids: [a] } });
  expect(await tagsOf(a)).toEqual({ floor: '4', owner: 'Anna Berg' });
});

test('invalid keys or values and too many tags are refused, and nothing changes [DEV-14/refused]', async () => {
  const id = await add();
  for (const set of [
    { 'a=b': 'c' },
    { '': 'c' },
    { ' ': 'c' },
    { ['k'.repeat(33)]: 'c' },
    { key: '' },
    { key: 'a\u0000' },
  ])
    expect(await refusal(put({ ids: [id] }, set as Tags))).toMatch(/^(common\.invalid|device\.tag)/);
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key ${n}`, `${n}`]));
  await put({ ids: [id] }, many);
  const other = await add();
  const error = await put({ ids: [id, other] }, { more: '1' }).catch((e: Error) => e);
  expect(error).toMatchObject({ error: 'device.tooManyTags', message: expect.stringContaining('20 tags, and 1 of') });
  expect([await tagsOf(id), await tagsOf(other)]).toEqual([many, {}]);
  expect(await put({ ids: [id] }, { more: '1' }, ['key 0'])).toEqual({ changed: 1 });
});

test('another company or organization can neither see nor set tags [DEV-14/isolation]', async () => {
  const id = await add();
  await put({ ids: [id] }, { secret: 'yes' });
  for (const stranger of [newActor(), { ...own, orgIds: [uuidv7()] }]) {
    expect((await call(stranger)(listTags)).map((t) => t.key)).not.toContain('secret');
    expect(await found(['secret'], stranger)).toEqual([]);
    expect(await refusal(put({ ids: [id] }, { secret: 'no' }, [], stranger))).toBe('common.notFound');
    expect(await put({ filter: {} }, { secret: 'no' }, [], stranger)).toEqual({ changed: 0 });
  }
  expect(await tagsOf(id)).toEqual({ secret: 'yes' });
});
