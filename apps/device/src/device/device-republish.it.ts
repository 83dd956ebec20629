import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, deviceState } from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { devicePlaces, eventually, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { DeviceRepublishLoop } from './device-republish.ts';

let bus: PostgresBus;
let service: TestedService;
/** The published versions of each device. */
const versions = new Map<string, number[]>();

beforeAll(async () => {
  bus = await testBus('device_republish_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [deviceState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records)
        versions.set(record.key!, [...(versions.get(record.key!) ?? []), fromRecord(deviceState, record)!.version!]);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('after an upgrade the devices of a company are published once more, with a higher version', async () => {
  const places = devicePlaces(bus, service);
  const [own, other] = [newActor(), newActor()];
  const add = async (actor: typeof own, mac: string) => {
    const body = { ...(await places(actor)), mac, name: 'Phone', model: 'X7A', sn: mac };
    return (await service.as(actor)(addDevice, { body })).device.id;
  };
  const [first, second, foreign] = [
    await add(own, '0c383eb10001'),
    await add(own, '0c383eb10002'),
    await add(other, '0c383eb10003'),
  ];
  const inOwn = (sql: string) =>
    transaction(service.database, companySession(own.companyId), () => currentSql().query(sql, [own.companyId]));
  await inOwn('insert into device_republish (id, company_id, lease_until) values ($1, $1, now())');
  service.app.get(DeviceRepublishLoop).wake();
  await eventually(() => {
    for (const id of [first, second]) {
      const known = versions.get(id)!;
      expect(known.at(-1)).toBe(known.at(-2)! + 1);
    }
  });
  expect((await inOwn('select 1 as one from device_republish where id = $1')).rowCount).toBe(0);
  expect(versions.get(foreign)).toHaveLength(1);
});

test('a company whose devices could not be published waits for longer each time, and holds up no other', async () => {
  const places = devicePlaces(bus, service);
  const [broken, other] = [newActor(), newActor()];
  const add = async (actor: typeof broken, mac: string) => {
    const body = { ...(await places(actor)), mac, name: 'Phone', model: 'X7A', sn: mac };
    return (await service.as(actor)(addDevice, { body })).device.id;
  };
  const [stuck, well] = [await add(broken, '0c383eb10004'), await add(other, '0c383eb10005')];
  const inside = async <R = unknown>({ companyId }: typeof broken, sql: string, values: unknown[] = [companyId]) =>
    (await transaction(service.database, companySession(companyId), () => currentSql().query<R>(sql, values))).rows;
  const setVersion = (value: number) => inside(broken, 'update device set version = $2 where id = $1', [stuck, value]);
  // The column holds no higher version.
  await setVersion(2 ** 31 - 1);
  for (const actor of [broken, other])
    await inside(actor, 'insert into device_republish (id, company_id, lease_until) values ($1, $1, now())');
  service.app.get(DeviceRepublishLoop).wake();
  await eventually(() => expect(versions.get(well)).toHaveLength(2));
  const failed = () =>
    inside<{ failures: number }>(broken, 'select failures, lease_until > now() as waits from device_republish', []);
  // Its timer wakes the loop: no tick comes within the time of this test.
  await eventually(async () => expect(await failed()).toEqual([{ failures: 2, waits: true }]));
  expect(versions.get(stuck)).toHaveLength(1);
  await setVersion(1);
  await eventually(() => expect(versions.get(stuck)).toHaveLength(2));
  expect(await failed()).toEqual([]);
});
