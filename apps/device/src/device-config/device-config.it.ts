import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, listDevices, provisioningDeviceConfig } from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
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

let bus: PostgresBus;
let service: TestedService;

beforeAll(async () => {
  bus = await testBus('device_config_copy_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('the list finds devices whose configuration is current, not loaded or missing [CFG-01/behind]', async () => {
  const own = newActor();
  const { companyId } = own;
  const places = devicePlaces(bus, service);
  const add = async (mac: string) => {
    const body = { ...(await places(own)), mac, name: mac, model: 'X7A', sn: mac };
    return (await service.as(own)(addDevice, { body })).device;
  };
  const [first, second] = [await add('0c383eb20001'), await add('0c383eb20002')];
  let version = 0;
  const make = (deviceId: string, made: string | null) =>
    bus.publish([
      toRecord(
        provisioningDeviceConfig,
        deviceId,
        made === null
          ? null
          : { deviceId, companyId, version: made, contentId: uuidv7(), fileName: 'x', size: 1, sha256: 'ab' },
        envelope('config', { companyId, version: ++version }),
      ),
    ]);
  const found = async (config: ('current' | 'behind' | 'none')[]) =>
    (await service.as(own)(listDevices, { query: { config, sort: 'mac' } })).records.map((d) => d.id);
  const states = async () => [await found(['current']), await found(['behind']), await found(['none'])];
  expect(await states()).toEqual([[], [], [first.id, second.id]]);
  await make(first.id, 't1');
  await eventually(async () => expect(await states()).toEqual([[], [first.id], [second.id]]));
  await new LinkedDevice(bus, first, companyId).hello({ configVersion: 't1' });
  await eventually(async () => expect(await states()).toEqual([[first.id], [], [second.id]]));
  expect(await found(['current', 'none'])).toEqual([first.id, second.id]);
  await make(first.id, 't2');
  await eventually(async () => expect(await states()).toEqual([[], [first.id], [second.id]]));
  await make(first.id, null);
  await eventually(async () => expect(await states()).toEqual([[], [], [first.id, second.id]]));
});
