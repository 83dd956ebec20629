import { afterAll, expect } from 'vitest';
import {
  addDevice,
  audit,
  listDeliveries,
  listDevices,
  listOrderChannels,
  permissionKeys,
  type RouteInput,
} from '@carillon/contracts';
import { fromRecord, type BusRecord } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  companyRecord,
  deliver as deliverTo,
  devicePlaces,
  eventually,
  newActor,
  testBus,
  testService,
  type Actor,
  type DeviceLabel,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

export type Label = DeviceLabel;
export type DeliveryQuery = Omit<RouteInput<typeof listDeliveries>['query'], 'page' | 'limit'>;

let serial = 0;
/** Returns the label of a new device. */
export const label = (): Label => {
  const n = (++serial).toString(16).padStart(4, '0');
  return { mac: `0c383ec0${n}`, sn: `SN-${n}`, claimCode: `Code-${n}-9ZQ7` };
};
/** Returns the error of a refused call. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

/** Starts the device service with an operator, a company with a subsidiary, and a stranger; closes it after the tests. */
export async function startClaims(name: string) {
  const bus = await testBus(name);
  const service = await testService(deviceService as unknown as ServiceDefinition, bus);
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  const placeOf = devicePlaces(bus, service);
  const records: BusRecord[] = [];
  const chief = newActor({ permissions: permissionKeys });
  const [parent, child, stranger] = [newActor(), newActor(), newActor()];
  await bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: (batch) => {
      records.push(...batch.records);
    },
  });
  await bus.publish([
    companyRecord(chief, 'Operator', []),
    companyRecord(parent, 'Parent', [chief]),
    companyRecord(child, 'Child', [chief, parent]),
    companyRecord(stranger, 'Stranger', [chief]),
  ]);
  await eventually(async () => {
    expect(await service.as(parent)(listOrderChannels, {})).toHaveLength(1);
    expect(await service.as(chief)(listOrderChannels, {})).toHaveLength(2);
  });

  const deliver = (...labels: Label[]) => deliverTo(service.as(chief), labels);
  const add = async (by: Actor, { mac, sn, claimCode }: Omit<Label, 'claimCode'> & { claimCode?: string }) =>
    service.as(by)(addDevice, {
      body: { ...(await placeOf(by)), mac, sn, name: 'Phone', model: 'X7A', ...(claimCode ? { claimCode } : {}) },
    });
  return {
    ...{ bus, service, records, placeOf, chief, parent, child, stranger, deliver, add },
    /** Delivers a new device, and returns its label. */
    delivered: async (): Promise<Label> => {
      const made = label();
      await deliver(made);
      return made;
    },
    type: (by: Actor, { mac, sn }: Label) => add(by, { mac, sn }),
    listed: (query: DeliveryQuery) => service.as(chief)(listDeliveries, { query }),
    deviceOf: async (actor: Actor, mac: string) =>
      (await service.as(actor)(listDevices, { query: { mac: [mac] } })).records[0],
    noted: (actor: Actor, action: string) =>
      records.flatMap((r) => {
        const { data, companyId } = fromRecord(audit, r)!;
        return data && companyId === actor.companyId && data.action === action ? [data] : [];
      }),
    acrossAll: <R extends object>(sql: string, values: unknown[]) =>
      platform(service.database, 'a test looks across companies', async () => {
        const { rows } = await currentSql().query<R>(sql, values);
        return rows;
      }),
  };
}
