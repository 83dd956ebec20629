import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, deviceHistory, orgOrganization } from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { DeviceSampler } from './device-sampler.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const actor = newActor();
beforeAll(async () => {
  bus = await testBus('device_sample_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const history = (query: { range: '24h' | '7d' | '30d'; site?: string[] }, as = actor) =>
  service.as(as)(deviceHistory, { query: query as never });
/** Moves the samples into the past. */
const age = (minutes: number) =>
  platform(service.database, 'the past of a test', () =>
    currentSql().query('update device_sample set at = at - make_interval(mins => $1)', [minutes]),
  );
const sample = () => service.app.get(DeviceSampler).forget();

test('counts devices and lines each quarter of an hour by organization and site, and deletes old samples', async () => {
  const branch = crypto.randomUUID();
  const other = newActor({ companyId: actor.companyId, orgIds: [branch] });
  await bus.publish([
    toRecord(
      orgOrganization,
      branch,
      { id: branch, companyId: actor.companyId, name: 'Branch', description: '', updatedAt: new Date().toISOString() },
      envelope('organization', { companyId: actor.companyId, version: 1 }),
    ),
  ]);
  for (const [n, orgId] of [actor.orgId, branch].entries()) {
    const { device } = await service.as(actor)(addDevice, {
      body: {
        ...(await places(actor)),
        mac: `0c383e77000${n}`,
        name: `Sample ${n}`,
        model: 'X7A',
        sn: '1',
        orgId: n === 0 ? actor.orgId : orgId,
      },
    });
    if (n > 0) continue;
    const link = new LinkedDevice(bus, device, actor.companyId);
    await link.online();
    await link.hello({ firmware: '2.12', configVersion: '1', boot: 'power', uptime: 3 });
    await link.state({
      lines: [
        { line: 1, account: '6142', status: 'registered' },
        { line: 2, account: '6143', status: 'failed' },
      ],
    });
  }
  await eventually(async () => {
    await platform(service.database, 'a test begins without samples', () =>
      currentSql().query('delete from device_sample'),
    );
    await sample();
    expect((await history({ range: '24h' })).points.at(-1)).toMatchObject({ abnormal: 1, registered: 1, failed: 1 });
  });
  const now = (await history({ range: '24h' })).points;
  expect(now).toHaveLength(1);
  expect(now[0]).toMatchObject({ online: 0, offline: 0, abnormal: 1, notConfigured: 1 });
  await sample();
  expect((await history({ range: '24h' })).points).toEqual(now);
  expect((await history({ range: '24h', site: [(await places(actor)).siteId] })).points).toEqual(now);
  expect((await history({ range: '24h', site: [crypto.randomUUID()] })).points).toEqual([]);
  // Another organization and another company see none of these counts.
  expect((await history({ range: '24h' }, other)).points[0]).toMatchObject({ abnormal: 0, notConfigured: 1 });
  expect((await history({ range: '24h' }, newActor())).points).toEqual([]);

  await age(30);
  await sample();
  expect((await history({ range: '24h' })).points.map((p) => p.abnormal)).toEqual([1, 1]);
  await age(24 * 60);
  expect((await history({ range: '24h' })).points).toEqual([]);
  const week = await history({ range: '7d' });
  expect(week.minutes).toBe(120);
  expect(week.points.length).toBeGreaterThanOrEqual(1);
  expect(week.points.length).toBeLessThanOrEqual(2);
  await age(31 * 24 * 60);
  await sample();
  expect((await history({ range: '30d' })).points).toHaveLength(1);
});
