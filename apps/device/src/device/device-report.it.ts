import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDevice, getDevice, linkSession } from '@carillon/contracts';
import { envelope, listDeadLetters, toRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  gatewayStarted,
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
  const { device } = await call(addDevice, {
    body: { mac: '0c383e000001', name: 'Odd', model: 'X7A', sn: '1', orgId: actor.orgId },
  });
  const link = new LinkedDevice(bus, device, actor.companyId);
  await link.hello({ model: 'X7\u0000A', sn: '\ud83d', firmware: '1\u0000', capabilities: ['reb\u0000oot'] });
  await link.state({ calls: Number.MAX_SAFE_INTEGER, lines: [{ line: 1, account: 'a\u0000', status: 'failed' }] });
  const seen = await eventually(async () => {
    const now = await call(getDevice, { params: { id: device.id } });
    expect(now.lines).toHaveLength(1);
    return now;
  }, 8_000);
  expect(seen).toMatchObject({
    model: 'X7A',
    sn: '\ufffd',
    firmware: '1',
    capabilities: ['reboot'],
    lines: [{ line: 1, account: 'a', status: 'failed' }],
  });
  expect(await listDeadLetters(bus, 'device')).toEqual([]);
});

it('shows no device online at a gateway process that is known to be dead, in whatever order its session and its death are told', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const add = async (mac: string) =>
    (await call(addDevice, { body: { mac, name: mac, model: 'X7A', sn: '1', orgId: actor.orgId } })).device;
  const [late, alive] = [await add('0c383e000002'), await add('0c383e000003')];
  const online = (device: { id: string; mac: string }, gateway: string, at: number) =>
    bus.publish([
      toRecord(
        linkSession,
        device.id,
        { deviceId: device.id, mac: device.mac, ownerEpoch: 1, epoch: 7, gateway, address: '10.0.0.9', at },
        envelope('online', { companyId: actor.companyId, orgId: actor.orgId }),
      ),
    ]);
  await gatewayStarted(bus, 'gw-late', 'gw-late#2');
  await eventually(async () => expect((await bus.lag()).every((l) => l.lag === 0)).toBe(true));
  await online(late, 'gw-late#1', Date.now() - 5_000);
  await online(alive, 'gw-late#3', Date.now() + 5_000); // its own start is still on its way
  for (const device of [late, alive])
    await new LinkedDevice(bus, device, actor.companyId).hello({ configVersion: '1' });
  await eventually(async () => {
    expect((await call(getDevice, { params: { id: alive.id } })).state).toBe('online');
    const seen = await call(getDevice, { params: { id: late.id } });
    expect([seen.state, seen.publicIp]).toEqual(['offline', '10.0.0.9']);
  });
});
