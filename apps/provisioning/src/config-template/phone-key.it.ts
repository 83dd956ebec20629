import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  deviceModelState,
  editConfigTemplate,
  getConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  getKeyLayout,
  listConfigRequests,
  listConfigTemplateVersions,
  previewConfigTemplate,
  previewKeyCopy,
  rollBackConfigTemplate,
  uploadMacFiles,
  type PhoneKey,
  type SettingValues,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { ask } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;
beforeAll(async () => {
  bus = await testBus('phone_key_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const key = (type: PhoneKey['type'], value = '', label = '', line = 1): PhoneKey => ({ type, line, value, label });
const call = (as: Actor) => service.as(as);
const add = (as: Actor, name: string, target: string | null, values: SettingValues, locked: string[] = []) =>
  call(as)(addConfigTemplate, {
    body: { name, description: '', level: target === null ? 'general' : 'model', target, values, locked } as never,
  });
const configOf = (as: Actor, id: string) => call(as)(getDeviceConfig, { params: { id } });
/** Returns the file that a phone loads from the port for phones, when it has this text. */
async function fileOf(as: Actor, id: string, part: string): Promise<string> {
  const { file } = await call(as)(getDeviceConfigAddress, { params: { id } });
  return eventually(async () => {
    const { text } = await ask(phonePortOf(service), file!);
    expect(text).toContain(part);
    return text;
  });
}
/** Publishes a model of the company like the device service. */
function publishModel({ companyId }: Actor, id: string, version: number, more: object, flags: object = {}) {
  const counts = { sipCount: 2, softDssKeys: 2, dssKeysPerPage: 6, dssKeyPages: 2, sideKeysPerPage: 3 };
  const keys = { ...counts, sideKeyPages: 1, hiddenItems: [], secondScreen: true, ...more };
  const model = {
    id,
    companyId,
    name: 'Lobby',
    showName: '',
    internalName: '',
    series: 'Desks',
    mutualAuth: false,
    keys,
    ...flags,
  };
  return bus.publish([toRecord(deviceModelState, id, model, envelope('model', { companyId, version }))]);
}

/** A phone of each maker, with what its file has for key 1 of all devices and key 2 of its model. */
const phones: readonly [model: string, mac: string, first: string, second: string][] = [
  ['X4U', '0c383e000901', '<Value>201@1/ba</Value>', '<Value>302@1/f</Value>'],
  ['SIP-T46U', '805ec0000902', 'linekey.1.value = 201\n', 'linekey.2.value = 302\n'],
  ['GRP2614', 'c074ad000903', '<P1466>201</P1466>', '<P1468>302</P1468>'],
  ['D785', '000413000904', 'label="Hall" perm="">blf 201</fkey>', '>speed 302</fkey>'],
  ['VVX 450', '64167f000905', 'attendant.resourceList.1.address="201"', ''],
  ['SP-R63G', '9c7514000906', 'LINEKEY1.Param1 = 201\n', 'LINEKEY2.Param1 = 302\n'],
  ['UC926', '001fc1000907', '<P41300>201</P41300>', '<P41301>302</P41301>'],
];

test('keys of two templates reach the files of seven makers with their sources [CFG-01/keys]', async () => {
  const own = newActor();
  const ids = new Map(phones.map(([model]) => [model, uuidv7()]));
  for (const [model, mac] of phones) await publishDevice(bus, own, ids.get(model)!, { model, mac });
  await add(own, 'All', null, { 'key.side.1.1': key('blf', '201', 'Hall'), 'key.side.1.2': key('blf', '202') });
  for (const [model] of phones) await add(own, model, model, { 'key.side.1.2': key('speedDial', '302') });
  for (const [model, , first, second] of phones) {
    const id = ids.get(model)!;
    const text = await fileOf(own, id, first);
    if (second !== '') expect(await fileOf(own, id, second)).not.toMatch(/\b202\b/);
    else expect(text).not.toMatch(/302/);
    const { values, withoutName, beyondModel } = await configOf(own, id);
    expect(values).toMatchObject([
      { key: 'key.side.1.1', value: key('blf', '201', 'Hall'), template: { name: 'All' }, overridden: [] },
      {
        ...{ key: 'key.side.1.2', value: key('speedDial', '302'), template: { name: model } },
        overridden: [{ value: key('blf', '202'), template: { name: 'All' } }],
      },
    ]);
    expect([withoutName, beyondModel], model).toEqual([second === '' ? ['key.side.1.2'] : [], []]);
  }
});

test('the device names what its model lacks, and no file has it [CFG-06/template]', async () => {
  const own = newActor();
  const [id, model] = [uuidv7(), uuidv7()];
  const mac = '0c383e000911';
  await publishModel(own, model, 1, {});
  await publishDevice(bus, own, id, { model: 'Lobby', mac });
  const places = ['key.side.1.3', 'key.side.1.4', 'key.dss.2.6', 'key.dss.3.1', 'key.soft.1.2'] as const;
  const items = { 'phone.video': false, 'network.wifi': true, 'door.opening': 9 };
  await add(own, 'All', null, {
    ...items,
    ...Object.fromEntries(places.map((place, n) => [place, key('speedDial', `50${n}`)])),
  });
  await add(own, 'Third line', 'Lobby', { 'key.side.1.1': key('line', '', '', 3), 'network.vlan': 9 });
  const has = async (...numbers: number[]) => {
    const text = await fileOf(own, id, numbers.length === 0 ? '<Version>' : `50${numbers[0]}`);
    return [0, 1, 2, 3, 4].filter((n) => text.includes(`50${n}@1/f`));
  };
  await eventually(async () => expect(await has(0)).toEqual([0, 2, 4]));
  expect(await fileOf(own, id, '<Opening_Duration>9<')).toContain('<WIFIEnable>1<');
  const beyond = async () => (await configOf(own, id)).beyondModel;
  expect(await beyond()).toEqual(['key.side.1.1', 'key.side.1.4', 'key.dss.3.1']);

  await publishModel(own, model, 2, {
    hiddenItems: ['secondScreen'],
    sideKeyPages: 2,
    sideKeysPerPage: 4,
    sipCount: 3,
  });
  await eventually(async () => expect(await has(0)).toEqual([0, 1, 4]));
  expect(await beyond()).toEqual(['key.dss.2.6', 'key.dss.3.1']);
  const layout = await call(own)(getKeyLayout, { query: { level: 'series', target: 'Desks' } });
  expect(layout).toMatchObject({ secondScreen: false, lines: 3, areas: { side: { perPage: 4, pages: 2 } } });
  expect(layout.areas.dss).toEqual({ perPage: 0, pages: 0, isKnown: true });

  await publishModel(own, model, 3, { hiddenItems: ['dssKeys', 'sideKeys', 'video', 'wifi', 'doors'] });
  await eventually(async () => expect((await beyond()).length).toBe(6 + Object.keys(items).length));
  // Nothing but the VLAN is left, which this maker has no name for.
  await eventually(async () => expect(await has()).toEqual([]));
  expect(await fileOf(own, id, '<Version>')).not.toMatch(/<WIFIEnable>|<Opening_Duration>/);
  const hidden = await call(own)(getKeyLayout, { query: { level: 'model', target: 'Lobby' } });
  expect(hidden.hiddenItems).toEqual(['dssKeys', 'sideKeys', 'video', 'wifi', 'doors']);

  const { file } = await call(own)(getDeviceConfigAddress, { params: { id } });
  await publishModel(own, model, 4, {}, { mutualAuth: true });
  await eventually(async () => expect((await ask(phonePortOf(service), file!)).status).toBe(404));
  await eventually(async () =>
    expect(await call(own)(listConfigRequests, { params: { id } })).toContainEqual(
      expect.objectContaining({ outcome: 'noCertificate' }),
    ),
  );
});

test('a key is locked, compared, kept as a version and previewed like any setting', async () => {
  const [own, stranger] = [newActor(), newActor()];
  const id = uuidv7();
  await publishDevice(bus, own, id, { model: 'X4U', mac: '0c383e000921' });
  const made = await add(own, 'All', null, { 'key.side.1.1': key('blf', '201'), 'network.vlan': 7 }, ['key.side.1.1']);
  await add(own, 'Desk', 'X4U', { 'key.side.1.1': key('dnd') });
  await fileOf(own, id, '201@1/ba');
  expect((await configOf(own, id)).values.at(-1)).toMatchObject({ key: 'key.side.1.1', lock: 'template' });
  const values: SettingValues = { 'key.side.1.1': key('blf', '209'), 'key.side.1.9': key('dnd') };
  const preview = await call(own)(previewConfigTemplate, {
    query: { id: made.id, values: JSON.stringify(values), locked: 'key.side.1.1' } as never,
  });
  // The phone has three side keys.
  expect(preview.settings.map(({ key: of, changed }) => [of, changed])).toEqual([
    ['network.vlan', 1],
    ['key.side.1.1', 1],
    ['key.side.1.9', 0],
  ]);
  expect(preview.settings[1]!.changes).toEqual([{ before: key('blf', '201'), after: key('blf', '209'), devices: 1 }]);
  const edit = { id: made.id, name: 'All', description: '', values };
  expect((await call(own)(editConfigTemplate, { body: edit })).version).toBe(2);
  // The same keys again, in another order of their parts, are no other version.
  const { type, ...rest } = key('blf', '209');
  const same = { ...edit, values: { 'key.side.1.9': key('dnd'), 'key.side.1.1': { ...rest, type } } };
  expect((await call(own)(editConfigTemplate, { body: same })).version).toBe(2);
  await fileOf(own, id, '209@1/ba');
  await call(own)(rollBackConfigTemplate, { body: { id: made.id, version: 1, reason: '' } });
  await fileOf(own, id, '201@1/ba');
  const { records } = await call(own)(listConfigTemplateVersions, { query: { id: made.id } as never });
  expect(records[1]!.values).toEqual(values);
  await expect(
    call(stranger)(previewKeyCopy, { params: { id: made.id }, query: { level: 'model', target: 'X6U' } }),
  ).rejects.toMatchObject({ error: 'common.notFound' });
});

test('a copy to another model names the keys that it cannot carry over, and changes nothing', async () => {
  const own = newActor();
  const source = await add(own, 'Desk', 'X6U', {
    'network.vlan': 7,
    'key.side.1.1': key('blf', '201'),
    'key.side.1.2': key('redial'),
    'key.side.1.5': key('line', '', '', 5),
    'key.dss.5.12': key('dnd'),
  });
  const target = await add(own, 'Small', 'SIP-T31P', { 'key.side.1.1': key('dnd'), 'time.format': '12' });
  const copy = await call(own)(previewKeyCopy, {
    params: { id: source.id },
    query: { level: 'model', target: 'SIP-T31P' },
  });
  expect(copy).toEqual({
    template: { id: target.id, name: 'Small', description: '', version: 1 },
    values: { 'key.side.1.1': key('blf', '201'), 'time.format': '12' },
    carried: ['key.side.1.1'],
    replaced: ['key.side.1.1'],
    left: [
      { key: 'key.side.1.2', reason: 'maker' },
      { key: 'key.side.1.5', reason: 'place' },
      { key: 'key.dss.5.12', reason: 'place' },
    ],
  });
  expect((await call(own)(getConfigTemplate, { params: { id: target.id } })).version).toBe(1);
});

test('a MAC file replaces the settings of a device and keeps its keys', async () => {
  const own = newActor();
  const id = uuidv7();
  const mac = '0c383e000941';
  await publishDevice(bus, own, id, { model: 'X4U', mac });
  const made = await eventually(() =>
    call(own)(addConfigTemplate, {
      body: {
        ...{ name: 'One', description: '', level: 'device', target: id },
        values: { 'key.side.1.1': key('dnd'), 'network.vlan': 7 },
      },
    }),
  );
  const upload = () =>
    call(own)(uploadMacFiles, { body: { files: [{ name: `${mac}.txt`, text: 'time.format = 12\n' }] } });
  expect((await upload()).results).toMatchObject([{ settings: 1, isChanged: true, error: null }]);
  expect((await upload()).results).toMatchObject([{ isChanged: false }]);
  const { values } = await call(own)(getConfigTemplate, { params: { id: made.id } });
  expect(values).toEqual({ 'key.side.1.1': key('dnd'), 'time.format': '12' });
});
