import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addModel,
  deleteModel,
  editModel,
  getDeviceConfig,
  listConfigTemplates,
  previewConfigTemplate,
  restoreModels,
  type RouteInput,
} from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import type { PostgresBus } from '@carillon/messaging';
import { provisioningService } from '@carillon/provisioning/module';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';

/** Templates of series with the real services: device owns the models, provisioning makes the configurations. */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
let bus: PostgresBus;
let devices: TestedService;
let provisioning: TestedService;
let places: ReturnType<typeof devicePlaces>;
let serial = 0;

beforeAll(async () => {
  bus = await testBus('series_bus');
  devices = await testService(deviceService as unknown as ServiceDefinition, bus);
  provisioning = await testService(provisioningService as unknown as ServiceDefinition, bus, { dataKey: key });
  places = devicePlaces(bus, devices);
});
afterAll(async () => {
  await devices?.close();
  await provisioning?.close();
  await bus?.close();
});

const modelOf = (name: string, series: string): RouteInput<typeof addModel>['body'] => ({
  name,
  showName: `Show ${name}`,
  internalName: '',
  series,
  type: 'general',
  sipCount: 4,
  doorCount: 0,
  softDssKeys: 0,
  dssKeysPerPage: 0,
  dssKeyPages: 0,
  sideKeysPerPage: 0,
  sideKeyPages: 0,
  hiddenItems: [],
  secondScreen: false,
  mutualAuth: false,
});
async function addPhone(as: Actor, model: string): Promise<string> {
  const mac = `0c383ed${String(++serial).padStart(5, '0')}`;
  const body = { ...(await places(as)), mac, name: mac, model, sn: mac };
  return (await devices.as(as)(addDevice, { body })).device.id;
}
const templateOf = (as: Actor, level: 'general' | 'series', target: string | null, vlan: number) =>
  provisioning.as(as)(addConfigTemplate, {
    body: { name: target ?? 'All', description: '', level, target, values: { 'network.vlan': vlan } },
  });
/** Returns the VLAN of a device with what the deciding template is for, and the version that is published. */
async function vlanOf(as: Actor, id: string) {
  const { values, version } = await provisioning.as(as)(getDeviceConfig, { params: { id } });
  return { vlan: values[0]?.value, of: values[0]?.template.targetName, version };
}
const expectVlan = (as: Actor, id: string, vlan: number, source: string | null) =>
  eventually(async () => expect(await vlanOf(as, id)).toMatchObject({ vlan, of: source, version: expect.any(String) }));

it('a template of a series reaches its devices, and those of no other company [CFG-01/series]', async () => {
  const [own, other] = [newActor(), newActor()];
  for (const as of [own, other]) await devices.as(as)(addModel, { body: modelOf('Zz lobby', 'Fanvil X') });
  const [supplied, lobby, door] = [
    await addPhone(own, 'X7A'),
    await addPhone(own, 'Zz lobby'),
    await addPhone(own, 'V64'),
  ];
  const foreign = await addPhone(other, 'Zz lobby');
  await templateOf(own, 'general', null, 1);
  await templateOf(other, 'general', null, 2);
  for (const id of [supplied, lobby, door]) await expectVlan(own, id, 1, null);
  const preview = { level: 'series' as const, target: 'Fanvil X', values: '{"network.vlan":9}' as never };
  await eventually(async () =>
    expect(await provisioning.as(own)(previewConfigTemplate, { query: preview })).toEqual({
      devices: 2,
      changed: 2,
      settings: [
        { key: 'network.vlan', changed: 2, overridden: 0, lock: null, changes: [{ before: 1, after: 9, devices: 2 }] },
      ],
    }),
  );
  expect(await templateOf(own, 'series', 'Fanvil X', 9)).toMatchObject({
    targetName: 'Fanvil X',
    devices: 2,
    models: expect.arrayContaining(['X7A', 'X5U', 'Zz lobby', 'Show Zz lobby']),
  });
  for (const id of [supplied, lobby]) await expectVlan(own, id, 9, 'Fanvil X');
  expect(await vlanOf(own, door)).toMatchObject({ vlan: 1, of: null });
  expect(await vlanOf(other, foreign)).toMatchObject({ vlan: 2, of: null });
  expect((await provisioning.as(other)(listConfigTemplates, { query: { level: ['series'] } as never })).total).toBe(0);
});

it('a new series or model name changes the configurations of its devices [CFG-01/series-moved]', async () => {
  const [own, other] = [newActor(), newActor()];
  const add = (as: Actor) => devices.as(as)(addModel, { body: modelOf('Zz desk', 'Zz first') });
  const [{ id }, theirs] = [await add(own), await add(other)];
  const [phone, foreign] = [await addPhone(own, 'Zz desk'), await addPhone(other, 'Zz desk')];
  /** Values are computed when they are asked for, and the version follows: it has to differ from that of VLAN 1. */
  const versionOf = async (as: Actor, device: string) => {
    await templateOf(as, 'general', null, 1);
    await expectVlan(as, device, 1, null);
    const { version: before } = await vlanOf(as, device);
    await templateOf(as, 'series', 'Zz first', 5);
    await templateOf(as, 'series', 'Zz second', 6);
    await expectVlan(as, device, 5, 'Zz first');
    return eventually(async () => {
      const { version } = await vlanOf(as, device);
      expect(version).not.toBe(before);
      return version;
    });
  };
  const versions = [await versionOf(own, phone), await versionOf(other, foreign)];
  expect(versions[0]).not.toBeNull();
  const edit = (name: string, series: string) => devices.as(own)(editModel, { body: { id, ...modelOf(name, series) } });
  const made = async () => (await vlanOf(own, phone)).version;
  await edit('Zz desk', 'Zz second');
  await expectVlan(own, phone, 6, 'Zz second');
  await eventually(async () => expect(await made()).not.toBe(versions[0]));
  await edit('Zz desk', '');
  await expectVlan(own, phone, 1, null);
  await edit('Zz desk', 'Zz first');
  await expectVlan(own, phone, 5, 'Zz first');
  await eventually(async () => expect(await made()).toBe(versions[0]));
  // A device of an unknown model has no series.
  await edit('Zz other', 'Zz first');
  await expectVlan(own, phone, 1, null);
  await eventually(async () => expect(await made()).not.toBe(versions[0]));
  expect(await vlanOf(other, foreign)).toEqual({ vlan: 5, of: 'Zz first', version: versions[1] });
  expect(theirs.series).toBe('Zz first');
});

it('a deleted model has no series, and a restored one has it again [CFG-01/series-restored]', async () => {
  const own = newActor();
  const { id } = await devices.as(own)(addModel, { body: modelOf('Zz hall', 'Zz halls') });
  const template = await templateOf(own, 'series', 'Zz halls', 7);
  const models = async () =>
    (await provisioning.as(own)(listConfigTemplates, { query: { search: template.name } as never })).records[0]!.models;
  await eventually(async () => expect(await models()).toEqual(['Show Zz hall', 'Zz hall']));
  await devices.as(own)(deleteModel, { query: { id } });
  await eventually(async () => expect(await models()).toEqual([]));
  await devices.as(own)(restoreModels, { body: { ids: [id] } });
  await eventually(async () => expect(await models()).toEqual(['Show Zz hall', 'Zz hall']));
  await devices.as(own)(editModel, { body: { id, ...modelOf('Zz hall', 'Zz rooms') } });
  await eventually(async () => expect(await models()).toEqual([]));
});
