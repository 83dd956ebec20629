import { afterAll } from 'vitest';
import { addDevice, deviceCredential, deviceState, getDevice, type DeviceRecord } from '@carillon/contracts';
import type { BusRecord } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { newActor, testBus, testService, devicePlaces } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

/** Starts the device service, and records what it publishes. Closes it after the tests. */
export async function startDevices() {
  const actor = newActor();
  const stranger = newActor();
  const records: BusRecord[] = [];
  let serial = 0;
  const bus = await testBus();
  const service = await testService(deviceService as unknown as ServiceDefinition, bus);
  const places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name, 'audit.v1', 'live.v1'],
    from: 'start',
    handle: (batch) => {
      records.push(...batch.records);
    },
  });
  const call = service.as(actor);
  afterAll(async () => {
    await service.close();
    await bus.close();
  });

  const add = async (
    given: Partial<{ mac: string; name: string; model: string; sn: string }> = {},
  ): Promise<{ device: DeviceRecord; secret: string }> => {
    serial++;
    return call(addDevice, {
      body: {
        ...(await places(actor)),
        mac: serial.toString(16).padStart(12, '0'),
        name: `Phone ${String(serial).padStart(3, '0')}`,
        model: 'Fanvil X7A',
        sn: `SN${serial}`,
        ...given,
      },
    });
  };
  const reload = (device: DeviceRecord) => call(getDevice, { params: { id: device.id } });
  return { bus, service, places, records, call, actor, stranger, add, reload };
}
