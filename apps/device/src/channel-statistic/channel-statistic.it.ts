import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDevice, listChannelStatistics } from '@carillon/contracts';
import { type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import {
  companyRecord,
  devicePlaces,
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { ChannelStatisticService } from './channel-statistic.service.ts';

let bus: PostgresBus;
let service: TestedService;
let placeOf: ReturnType<typeof devicePlaces>;
const [top, parent, child, sibling, grandchild] = Array.from({ length: 5 }, newActor) as [
  Actor,
  Actor,
  Actor,
  Actor,
  Actor,
];
let count = 0;
const list = async (by: Actor, query: object = {}) => (await service.as(by)(listChannelStatistics, { query })).records;
const recount = () => service.app.get(ChannelStatisticService).forget();

/** Adds a device; it reports a registered or a failed line, or nothing at all. */
async function device(by: Actor, line?: 'registered' | 'failed'): Promise<LinkedDevice> {
  const mac = `0c383e77${(++count).toString(16).padStart(4, '0')}`;
  const body = { ...(await placeOf(by)), mac, name: mac, model: 'X7A', sn: '1', orgId: by.orgId };
  const link = new LinkedDevice(bus, (await service.as(by)(addDevice, { body })).device, by.companyId);
  if (line) {
    await link.online();
    await link.hello();
    await link.state({ lines: [{ line: 1, account: '100', status: line }] });
  }
  return link;
}

beforeAll(async () => {
  bus = await testBus('channel_statistic_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  placeOf = devicePlaces(bus, service);
  await bus.publish([
    companyRecord(top, 'Operator', []),
    companyRecord(parent, 'Parent', [top]),
    companyRecord(child, 'Child', [top, parent]),
    companyRecord(sibling, 'Sibling', [top, parent]),
    companyRecord(grandchild, 'Grandchild', [top, parent, child]),
  ]);
  await eventually(async () => expect(await list(parent)).toHaveLength(2));
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

it('a company sees its direct channels by name with sums by state, and deeper ones only summed', async () => {
  await device(child, 'registered');
  const left = await device(child, 'registered');
  await device(child, 'failed');
  await device(child);
  await device(grandchild, 'failed');
  await device(sibling);
  await device(parent);
  await left.offline();
  const zero = { online: 0, offline: 0, abnormal: 0, notConfigured: 0, below: 0, belowAbnormal: 0, belowOffline: 0 };
  const status = 'normal';
  await eventually(async () => {
    await recount();
    expect((await list(parent)).map(({ id: _, ...sums }) => sums)).toEqual([
      {
        ...{ name: 'Child', status, devices: 4, online: 1, offline: 1, abnormal: 1, notConfigured: 1 },
        ...{ below: 1, belowAbnormal: 1, belowOffline: 0 },
      },
      { ...zero, name: 'Sibling', status, devices: 1, notConfigured: 1 },
    ]);
  });
  expect(await list(top)).toMatchObject([{ name: 'Parent', devices: 1, below: 6, belowAbnormal: 2, belowOffline: 1 }]);
  expect(await list(child)).toMatchObject([{ name: 'Grandchild', devices: 1, below: 0 }]);
  expect(await list(grandchild)).toEqual([]);
});

it('channels are filtered and sorted by their sums', async () => {
  const named = async (query: object) => (await list(parent, query)).map((c) => c.name);
  expect(await named({ 'abnormal.from': 1 })).toEqual(['Child']);
  expect(await named({ 'devices.to': 1 })).toEqual(['Sibling']);
  expect(await named({ sort: ['devices'] })).toEqual(['Sibling', 'Child']);
  expect(await named({ search: 'sib' })).toEqual(['Sibling']);
});

it('a channel that moves to another parent takes its sums along', async () => {
  await bus.publish([companyRecord(sibling, 'Sibling', [top])]);
  await eventually(async () => expect((await list(parent)).map((c) => c.name)).toEqual(['Child']));
  await recount();
  const ofTop = await list(top, { sort: ['name'] });
  expect(ofTop).toMatchObject([
    { name: 'Parent', below: 5 },
    { name: 'Sibling', devices: 1 },
  ]);
});
