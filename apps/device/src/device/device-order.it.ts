import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, addDeviceGroup, listDeviceGroups, listDevices } from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { devicePlaces, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
let serial = 0;
const own = newActor();
const sorted = ['Águas Claras', 'árvore', 'Bloco B', 'Östra hamnen', 'zona leste', 'Zona Sul'];
const call = () => service.as(own);
const add = async (name: string) => {
  const mac = `0c383ed000${(++serial).toString(16).padStart(2, '0')}`;
  await call()(addDevice, { body: { ...(await places(own)), mac, name, model: 'X7A', sn: mac } });
};

beforeAll(async () => {
  bus = await testBus('device_order_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  for (const name of sorted.toReversed()) {
    await add(name);
    await call()(addDeviceGroup, { body: { name, description: '' } });
  }
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('lists sort names by their letters, whatever their accents and capitals', async () => {
  const names = async (sort: 'name' | '-name') =>
    (await call()(listDevices, { query: { sort } })).records.map((d) => d.name);
  expect([await names('name'), await names('-name')]).toEqual([sorted, sorted.toReversed()]);
  const groups = (await call()(listDeviceGroups, { query: { sort: 'name' } })).records.map((g) => g.name);
  expect(groups).toEqual(sorted);
});

test.each([
  ['composed and decomposed letters', '회의실'.normalize('NFC'), '회의실'.normalize('NFD')],
  ['composed and decomposed accents', 'Café'.normalize('NFC'), 'Café'.normalize('NFD')],
  ['plain and full-width digits', 'Hall 123', '１２３'],
  ['full-width and plain digits', 'Hall ４５６', '456'],
])('a search for %s finds each form by the other', async (_, name, search) => {
  await add(name);
  const found = async (query: object) => (await call()(listDevices, { query })).records.map((d) => d.name);
  expect(await found({ search })).toContain(name.normalize('NFC'));
  expect(await found({ 'name.contains': [search] })).toContain(name.normalize('NFC'));
});
