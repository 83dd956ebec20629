import { afterAll, expect } from 'vitest';
import {
  addChannelOrder,
  addDevice,
  allocateChannelOrders,
  audit,
  deviceCredential,
  deviceState,
  linkCommand,
  listChannelOrders,
  listCustody,
  listDevices,
  listOrderChannels,
  live,
  makeDevicesOfOrders,
  type ChannelOrderTarget,
} from '@carillon/contracts';
import { fromRecord, type BusRecord } from '@carillon/messaging';
import { companySession, currentSql, platform, transaction } from '@carillon/persistence';
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
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

export const deviceAddress = 'mqtts://devices.example.com:8883';
/** Returns the error of a refused call, and its field. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields?: { path: string; error: string }[] }) =>
      (e.fields ?? []).map((f) => `${f.path}: ${f.error}`).join(', ') || e.error,
  );

async function openChannelOrders() {
  const records: BusRecord[] = [];
  const [top, parent, child, sibling, grandchild] = Array.from({ length: 5 }, newActor) as [
    Actor,
    Actor,
    Actor,
    Actor,
    Actor,
  ];
  const names = async (actor: Actor) => (await service.as(actor)(listOrderChannels, {})).map((c) => c.name);

  const bus = await testBus('channel_order_bus');
  const service = await testService(deviceService as unknown as ServiceDefinition, bus, { deviceAddress });
  const placeOf = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name, linkCommand.name, audit.name, live.name],
    from: 'start',
    handle: (batch) => {
      records.push(...batch.records);
    },
  });
  await bus.publish([
    companyRecord(top, 'Operator', []),
    companyRecord(parent, 'Parent', [top]),
    companyRecord(child, 'Child', [top, parent]),
    companyRecord(sibling, 'Sibling', [top, parent]),
    companyRecord(grandchild, 'Grandchild', [top, parent, child]),
  ]);
  await eventually(async () => {
    expect(await names(parent)).toEqual(['Child', 'Sibling']);
    expect(await names(child)).toEqual(['Grandchild']);
    expect(await names(top)).toEqual(['Parent']);
  });
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, placeOf, records, top, parent, child, sibling, grandchild, names };
}

function channelOrderCalls({ bus, service, placeOf, records }: Awaited<ReturnType<typeof openChannelOrders>>) {
  let serial = 0x100;
  const nextMac = () => `0c383e${(++serial).toString(16).padStart(6, '0')}`;
  const add = (by: Actor, more: { mac?: string; model?: string; order?: string } = {}) =>
    service.as(by)(addChannelOrder, { body: { mac: nextMac(), model: 'X7A', order: '', ...more } });
  const allocate = (by: Actor, to: Actor, target: ChannelOrderTarget, confirmed = false) =>
    service.as(by)(allocateChannelOrders, { body: { target, channelId: to.companyId, confirmed, reset: false } });
  const make = (by: Actor, macs: string[], serverId?: string) =>
    service.as(by)(makeDevicesOfOrders, {
      body: { target: { macs }, name: '{model} {mac4}', ...(serverId === undefined ? {} : { serverId }) },
    });
  const orders = async (actor: Actor, query: object = {}) =>
    (await service.as(actor)(listChannelOrders, { query: { limit: 200, ...query } })).records;
  const lineOf = async (actor: Actor, mac: string) => (await orders(actor, { mac: [mac] }))[0];
  const deviceOf = async (actor: Actor, mac: string) =>
    (await service.as(actor)(listDevices, { query: { mac: [mac] } })).records[0];
  const steps = async (actor: Actor, mac: string) =>
    (await service.as(actor)(listCustody, { query: { mac } })).map((s) => [s.step, s.company]);
  const addOwn = async (by: Actor, mac: string, name = 'Typed') =>
    service.as(by)(addDevice, { body: { mac, name, model: 'X7A', sn: 'S1', ...(await placeOf(by)) } });
  const connected = async (by: Actor, mac: string) => {
    const device = (await deviceOf(by, mac))!;
    const link = new LinkedDevice(bus, device, by.companyId);
    const { rows } = await inside(by, 'select owner_epoch from device where mac = $1', [mac]);
    link.identity.ownerEpoch = rows[0]!['owner_epoch'] as number;
    await link.online();
    await eventually(async () => expect((await deviceOf(by, mac))!.onlineSince).not.toBeNull());
    return link;
  };
  const inside = (actor: Actor, sql: string, values: unknown[] = []) =>
    transaction(service.database, companySession(actor.companyId), () => currentSql().query(sql, values));
  const ownerOf = (mac: string) =>
    platform(service.database, 'a test looks whose a MAC is', async () => {
      const { rows } = await currentSql().query<{ company_id: string; epoch: number; proof: string }>(
        'select company_id, epoch, proof from mac_owner where mac = $1',
        [mac],
      );
      return rows[0];
    });
  const noted = (actor: Actor, action: string) =>
    records.flatMap((r) => {
      if (r.topic !== audit.name) return [];
      const { data, companyId } = fromRecord(audit, r)!;
      return data && companyId === actor.companyId && data.action === action ? [data] : [];
    });
  return { nextMac, add, allocate, make, orders, lineOf, deviceOf, steps, addOwn, connected, inside, ownerOf, noted };
}

/** Starts the device service with a tree of five companies. Closes it after the tests. */
export async function startChannelOrders() {
  const opened = await openChannelOrders();
  return { ...opened, ...channelOrderCalls(opened) };
}
