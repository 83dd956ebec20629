import { afterAll, expect } from 'vitest';
import { addTask, deviceState, getTask, linkCommand, type DeviceView } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, LinkedDevice, newActor, testBus, testService } from '@carillon/testing';
import { taskService } from '../task.module.ts';

export const ids = (devices: LinkedDevice[]) => devices.map((d) => d.identity.deviceId);

async function openOrders() {
  const actor = newActor();
  const commands: { deviceId: string; id: string; action: string; args: unknown; expiresAt: number }[] = [];
  const bus = await testBus();
  const service = await testService(taskService as unknown as ServiceDefinition, bus, { taskTickMs: 100 });
  await bus.fanout({
    topics: [linkCommand.name],
    from: 'end',
    handle: (batch) => {
      for (const r of batch.records) if (r.headers['type'] === 'command') commands.push(JSON.parse(r.value!));
    },
  });
  const call = service.as(actor);
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, commands, call, actor };
}

function orderCalls({ bus, call, actor }: Awaited<ReturnType<typeof openOrders>>) {
  let serial = 0;
  /** Creates devices and publishes them like the registry. */
  async function devices(count: number, given: Partial<DeviceView> = {}): Promise<LinkedDevice[]> {
    const views = Array.from({ length: count }, (): DeviceView => {
      serial++;
      return {
        id: uuidv7(),
        orgId: actor.orgId,
        mac: serial.toString(16).padStart(12, '0'),
        name: `Phone ${serial}`,
        model: 'Fanvil X7A',
        sn: `SN${serial}`,
        firmware: '1.0',
        internalIp: null,
        configured: true,
        failedLines: 0,
        configFailed: false,
        capabilities: ['reboot'],
        ownerEpoch: 1,
        ...given,
      };
    });
    await bus.publish(
      views.map((v) =>
        toRecord(deviceState, v.id, v, envelope('device', { companyId: actor.companyId, orgId: v.orgId, version: 1 })),
      ),
    );
    return views.map((v) => new LinkedDevice(bus, v, actor.companyId));
  }
  const order = (devices: LinkedDevice[], name = 'Reboot') =>
    eventually(() => call(addTask, { body: { name, action: 'reboot', params: {}, target: { ids: ids(devices) } } }));
  const load = (id: string) => call(getTask, { params: { id } });
  const ends = (id: string, status: string) => eventually(async () => expect((await load(id)).status).toBe(status));
  return { devices, order, load, ends };
}

/** Starts the task service, and records the commands that it sends. Closes it after the tests. */
export async function startOrders() {
  const opened = await openOrders();
  return { ...opened, ...orderCalls(opened) };
}
