import { afterAll, expect } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  addToDeviceGroup,
  deleteDeviceGroup,
  deviceGroupState,
  deviceState,
  getDevice,
  orgOrganization,
  removeFromDeviceGroup,
  type EventData,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, devicePlaces } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

export const [north, south] = [uuidv7(), uuidv7()];
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

async function openDeviceGroups() {
  const own = newActor();
  /** The groups of each device as published to other services. */
  const groupsOf = new Map<string, readonly string[] | undefined>();
  /** The published groups; null for deleted ones. */
  const published = new Map<string, EventData<typeof deviceGroupState, 'group'> | null>();
  const call = (as = own) => service.as(as);
  const bus = await testBus('device_group_bus');
  const service = await testService(deviceService as unknown as ServiceDefinition, bus);
  const places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceGroupState.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === deviceGroupState.name) published.set(r.key, fromRecord(deviceGroupState, r)!.data);
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
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, places, published, groupsOf, own, call };
}

function deviceGroupCalls({ places, own, call }: Awaited<ReturnType<typeof openDeviceGroups>>) {
  let serial = 0;
  const add = async (orgId = own.orgId) => {
    const mac = `0c383ea0${(++serial).toString(16).padStart(4, '0')}`;
    const name = `Phone ${String(serial).padStart(3, '0')}`;
    return (await call()(addDevice, { body: { ...(await places(own)), mac, name, model: 'X7A', sn: mac, orgId } }))
      .device.id;
  };
  const group = async (name: string, orgId = own.orgId) =>
    (await call()(addDeviceGroup, { body: { name, description: '', orgId } })).id;
  const join = (id: string, ids: string[], as = own) => call(as)(addToDeviceGroup, { params: { id }, body: { ids } });
  const leave = (id: string, ids: string[], as = own) =>
    call(as)(removeFromDeviceGroup, { params: { id }, body: { ids } });
  const groupNames = async (id: string) => (await call()(getDevice, { params: { id } })).groups.map((g) => g.name);
  return { add, group, join, leave, groupNames };
}

/** Starts the device service with three organizations of one company. Closes it after the tests. */
export async function startDeviceGroups() {
  const opened = await openDeviceGroups();
  return { ...opened, ...deviceGroupCalls(opened) };
}
