import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  deviceState,
  listDeviceLog,
  listDevices,
  provisioningDeviceConfig,
  type DeviceRecord,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { ConfigDriftLoop } from './config-drift.loop.ts';

const hour = 3_600_000;
let bus: PostgresBus;
let service: TestedService;
/** Whether each device was last published as drifted. */
const published = new Map<string, boolean | undefined>();
let serial = 0;
let version = 0;

beforeAll(async () => {
  bus = await testBus('config_drift_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, { configDriftMs: 24 * hour });
  await bus.fanout({
    topics: [deviceState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) published.set(r.key, fromRecord(deviceState, r)!.data?.configDrifted);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Creates a phone that is to have the version `t1`. */
async function phone(own = newActor()) {
  const { companyId } = own;
  const mac = `0c383eb300${(++serial).toString(16).padStart(2, '0')}`;
  const body = { ...(await devicePlaces(bus, service)(own)), mac, name: mac, model: 'X7A', sn: mac };
  const { device } = (await service.as(own)(addDevice, { body })) as { device: DeviceRecord };
  const want = (made: string | null) =>
    bus.publish([
      toRecord(
        provisioningDeviceConfig,
        device.id,
        made === null
          ? null
          : {
              deviceId: device.id,
              companyId,
              version: made,
              contentId: uuidv7(),
              fileName: 'x',
              size: 1,
              sha256: 'ab',
            },
        envelope('config', { companyId, version: ++version }),
      ),
    ]);
  const found = async (state: 'current' | 'behind' | 'drifted') =>
    (await service.as(own)(listDevices, { query: { config: [state] } })).total;
  const is = (state: { behind: number; drifted: number; current: number }) =>
    eventually(async () => {
      expect({
        behind: await found('behind'),
        drifted: await found('drifted'),
        current: await found('current'),
      }).toEqual(state);
      expect(published.get(device.id)).toBe(state.drifted === 1);
    });
  const sql = (text: string, values: unknown[] = []) =>
    transaction(service.database, companySession(companyId), () => currentSql().query(text, values));
  await want('t1');
  return { own, device, link: new LinkedDevice(bus, device, companyId), want, is, sql };
}
const behind = { behind: 1, drifted: 0, current: 0 };
// A drifted device is behind, too.
const drifted = { behind: 1, drifted: 1, current: 0 };
const current = { behind: 0, drifted: 0, current: 1 };

test('a device that had its configuration drifts by another one, until it has it again [CFG-01/drift]', async () => {
  const { own, device, link, want, is } = await phone();
  await is(behind);
  await link.hello({ configVersion: 't1' });
  await is(current);
  await link.state({ configVersion: 'by-hand' });
  await is(drifted);
  // It still has not what it is to have.
  await want('t2');
  await is(drifted);
  await link.state({ configVersion: 't2' });
  await is(current);
  // A changed template is no drift.
  await want('t3');
  await is(behind);
  await link.state({ configVersion: 't3' });
  await is(current);
  await link.state({ configVersion: 'by-hand' });
  await is(drifted);
  await want(null);
  await is({ behind: 0, drifted: 0, current: 0 });
  // Each begin and end is in the history of the device.
  const query = { deviceId: [device.id], kind: ['drift' as const] };
  const { records } = await service.as(own)(listDeviceLog, { query });
  expect(records.map((e) => e.detail['drifted']).toReversed()).toEqual([true, false, true, false]);
});

test('a device that had its configuration and has none after a reset has drifted [CFG-01/drift-reset]', async () => {
  const { link, is, device, own } = await phone();
  await link.hello({ configVersion: 't1' });
  await is(current);
  await link.hello({ boot: 'reset', configVersion: undefined });
  await is(drifted);
  const { records } = await service.as(own)(listDevices, { query: {} });
  expect(records.map((d) => [d.id, d.configVersion, typeof d.configDriftedAt])).toEqual([[device.id, null, 'string']]);
});

test('a device that loads nothing drifts after it was online for the set time in all [CFG-01/drift-late]', async () => {
  const { own, link, sql, device } = await phone();
  await link.hello({ configVersion: 't0' });
  await link.online();
  const online = (id: string) =>
    eventually(async () => {
      const state = await sql(
        'select 1 as one from device d join device_config_copy w using (id) where d.online and d.id = $1',
        [id],
      );
      expect(state.rowCount).toBe(1);
    });
  await online(device.id);
  const since = (id: string, hours: number) =>
    sql(`update device_config_copy set since = now() - $2 * interval '1 hour' where id = $1`, [id, hours]);
  const was = (kind: 'online' | 'offline', hours: number) =>
    sql(
      `
        insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
        select $1, d.company_id, d.org_id, d.id, d.mac, now() - $2 * interval '1 hour', $3, '{}'
        from device d
        where d.id = $4
      `,
      [uuidv7(), hours, kind, device.id],
    );
  const drifting = async () => (await service.as(own)(listDevices, { query: { config: ['drifted'] } })).records;
  /** Has the loop look until it has found another device, which drifts for sure. Returns whether the first one has. */
  const judged = async () => {
    const other = await phone(own);
    await other.link.online();
    await online(other.device.id);
    await sql(`update device set last_online_at = now() - interval '30 hours' where id = $1`, [other.device.id]);
    await since(other.device.id, 30);
    service.app.get(ConfigDriftLoop).wake();
    return eventually(async () => {
      const ids = (await drifting()).map(({ id }) => id);
      expect(ids).toContain(other.device.id);
      return ids.includes(device.id);
    });
  };
  await was('online', 60);
  await was('offline', 40);
  // It was online for ten of fifty hours, and for twenty of seventy.
  await since(device.id, 50);
  expect(await judged()).toBe(false);
  await since(device.id, 70);
  expect(await judged()).toBe(false);
  await was('online', 39);
  await was('offline', 34);
  expect(await judged()).toBe(true);
  await eventually(() => expect(published.get(device.id)).toBe(true));
  await link.state({ configVersion: 't1' });
  await eventually(() => expect(published.get(device.id)).toBe(false));
});
