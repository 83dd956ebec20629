import { afterAll, beforeAll, expect, test } from 'vitest';
import { addConfigTemplate, deviceModelState, getDeviceConfig, listConfigTemplates } from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();

beforeAll(async () => {
  bus = await testBus('series_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Publishes a model of the company like the device service. */
function publishModel(name: string, showName: string, internalName: string, series: string): Promise<unknown> {
  const { companyId } = own;
  const model = { id: uuidv7(), companyId, name, showName, internalName, series, mutualAuth: false };
  return bus.publish([toRecord(deviceModelState, model.id, model, envelope('model', { companyId, version: 1 }))]);
}
const seriesOf = async (id: string) =>
  (await service.as(own)(getDeviceConfig, { params: { id } })).values[0]?.template.targetName;

test('a model is known by its name, shown and internal name in any letter case, and Auto has no series', async () => {
  await publishModel('Desk', 'Big desk', "d'esk", 'Desks');
  // The name of a model counts before the shown name of another one.
  await publishModel('Aaa', 'Desk', '', 'Others');
  await publishModel('Zzz', 'Auto', 'Auto', 'Others');
  const reported = ['Desk', 'DESK', 'big desk', "D'esk", 'aaa', 'X7A', 'x7a', 'Auto', 'Nobody'];
  const ids = new Map(reported.map((model) => [model, uuidv7()]));
  for (const [model, id] of ids) await publishDevice(bus, own, id, { model });
  for (const [n, target] of ['Desks', 'Others', 'Fanvil X'].entries())
    await service.as(own)(addConfigTemplate, {
      body: { name: target, description: '', level: 'series', target, values: { 'network.vlan': n } },
    });
  const expected = ['Desks', 'Desks', 'Desks', 'Desks', 'Others', 'Fanvil X', 'Fanvil X', undefined, undefined];
  await eventually(async () =>
    expect(await Promise.all([...ids.values()].map((id) => seriesOf(id)))).toEqual(expected),
  );
  const { records } = await service.as(own)(listConfigTemplates, { query: { sort: 'name' } as never });
  expect(records.map(({ name, devices }) => [name, devices])).toEqual([
    ['Desks', 4],
    ['Fanvil X', 2],
    ['Others', 1],
  ]);
  // Filters of devices compare models exactly, so that spellings that devices report are named, too.
  expect(records[0]!.models!.toSorted()).toEqual(["D'esk", 'DESK', 'Desk', 'Big desk', 'big desk', "d'esk"].toSorted());
});
