import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  deleteDevices,
  deviceCredential,
  deviceState,
  getDevice,
  orgOrganization,
  orgTransfer,
  restoreDevices,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type TestedService, devicePlaces } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const views = new Map<string, string>();
const credentials = new Map<string, string>();

beforeAll(async () => {
  bus = await testBus('transfer_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === deviceState.name) views.set(r.key, fromRecord(deviceState, r)!.data?.orgId ?? 'none');
        else credentials.set(r.key, fromRecord(deviceCredential, r)!.data?.orgId ?? 'none');
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('devices move with their transferred organization in every copy, and others stay [ORG-01/devices]', async () => {
  const [to, other] = [uuidv7(), uuidv7()];
  const publish = (id: string) =>
    bus.publish([
      toRecord(
        orgOrganization,
        id,
        { id, companyId: own.companyId, name: id, description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: own.companyId, version: 1 }),
      ),
    ]);
  const add = async (mac: string, orgId: string) =>
    (
      await service.as(own)(addDevice, {
        body: { ...(await places(own)), mac, name: mac, model: 'X7A', sn: mac, orgId },
      })
    ).device.id;
  for (const id of [own.orgId, to, other]) await publish(id);
  // A device can be added only to an organization that the service knows already.
  const stays = await eventually(() => add('0c383e000012', other));
  const moved = await add('0c383e000011', own.orgId);
  // A deleted device moves as well, if it is restored.
  const deleted = await add('0c383e000013', own.orgId);
  await service.as(own)(deleteDevices, { query: { ids: [deleted] } });
  const before = (await service.as(own)(getDevice, { params: { id: stays } })).orgId;
  await bus.publish([
    toRecord(
      orgTransfer,
      own.companyId,
      { fromId: own.orgId, toId: to },
      envelope('transfer', { companyId: own.companyId }),
    ),
  ]);
  await eventually(() => {
    expect(views.get(moved)).toBe(to);
    expect(credentials.get(moved)).toBe(to);
  });
  expect((await service.as(own)(getDevice, { params: { id: moved } })).orgId).toBe(to);
  expect((await service.as(own)(getDevice, { params: { id: stays } })).orgId).toBe(before);
  expect(views.get(stays)).toBe(before);
  await service.as(own)(restoreDevices, { body: { ids: [deleted] } });
  expect((await service.as(own)(getDevice, { params: { id: deleted } })).orgId).toBe(to);
});
