import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDevice, getDevice } from '@carillon/contracts';
import { listDeadLetters, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, LinkedDevice, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
beforeAll(async () => {
  bus = await testBus();
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

it('takes what a device reports though no column could hold it as it is, and puts nothing aside', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const { device } = await call(addDevice, { body: { mac: '0c383e000001', name: 'Odd', model: 'X7A', sn: '1', orgId: actor.orgId } });
  const link = new LinkedDevice(bus, device, actor.companyId);
  await link.hello({ model: 'X7\u0000A', sn: '\ud83d', firmware: '1\u0000', capabilities: ['reb\u0000oot'] });
  await link.state({ calls: Number.MAX_SAFE_INTEGER, lines: [{ line: 1, account: 'a\u0000', status: 'failed' }] });
  const seen = await eventually(async () => {
    const now = await call(getDevice, { params: { id: device.id } });
    expect(now.lines).toHaveLength(1);
    return now;
  }, 8_000);
  expect(seen).toMatchObject({ model: 'X7A', sn: '\ufffd', firmware: '1', capabilities: ['reboot'], lines: [{ line: 1, account: 'a', status: 'failed' }] });
  expect(await listDeadLetters(bus, 'device')).toEqual([]);
});
