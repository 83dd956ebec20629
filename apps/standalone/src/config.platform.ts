import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigFile,
  addConfigTemplate,
  addDeviceGroup,
  addSipAccount,
  addSipServer,
  addSite,
  addTask,
  addToDeviceGroup,
  assignAccount,
  deleteConfigFile,
  deleteConfigTemplate,
  editConfigTemplate,
  getDevice,
  getDeviceConfig,
  getDeviceConfigAddress,
  getTask,
  listConfigTemplates,
  listDevices,
  listTaskDevices,
  placeDevices,
  unassignAccount,
  type DeviceRecord,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** Configuration from the upload to the device in each of the four ways, with real downloads of simulated devices. */
const count = 24;
let platform: Platform;
let fleet: DeviceRecord[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'config', devices: count });
  await platform.allOnline(count);
  fleet = (await platform.call(listDevices, { query: { limit: 200, sort: 'mac' } })).records;
});
afterAll(() => platform?.close());

interface Stored {
  id: string;
  sha256: string;
}
async function add(name: string, text: string, models: string[] = []): Promise<Stored> {
  const bytes = Buffer.from(text);
  const tus = { 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${platform.ready.url}/api/f/resource/configFile/upload`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(`${name}.cfg`).toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBe(204);
  const upload = at.split('/').at(-1)!;
  const { id } = await platform.call(addConfigFile, { body: { name, description: '', models, upload } });
  return { id, sha256: createHash('sha256').update(bytes).digest('hex') };
}
/** Creates a task for the whole fleet. Services may learn of files, sites and groups a moment later. */
async function send(params: object, counts: { success: number; fail: number }): Promise<string> {
  const { id } = await eventually(() =>
    platform.call(addTask, {
      body: {
        name: 'Configure',
        action: 'configUpdate',
        params: { ...params },
        target: { ids: fleet.map((d) => d.id) },
      },
    }),
  );
  expect((await platform.ended(id)).counts).toMatchObject(counts);
  return id;
}
const rowsOf = async (id: string) =>
  (await platform.call(listTaskDevices, { params: { id }, query: { limit: 200 } })).records;
/** Returns the configuration that each device holds, by MAC. */
const held = async () => new Map((await platform.devices()).map((d) => [d.mac, d.config]));
const hashes = async (records: readonly DeviceRecord[]) => {
  const all = await held();
  return records.map(({ mac }) => all.get(mac)?.sha256);
};
const versionOf = ({ id }: Stored, version = 1) => `${id.slice(-12)}.${version}`;
const reasons = async (id: string) =>
  Object.fromEntries(
    [...Map.groupBy(await rowsOf(id), (r) => String(r.message))].map(([message, rows]) => [message, rows.length]),
  );

it('a file configures every device; a damaged download changes nothing [TASK-02] [DEV-11]', async () => {
  const hall = await add('Hall', 'phone.name = Hall\naccount.1.password = wallaby-93\naccount.1.fax = 1\n');
  const id = await send({ configFileId: hall.id }, { success: count, fail: 0 });
  expect(await hashes(fleet)).toEqual(fleet.map(() => hall.sha256));
  for (const config of (await held()).values())
    expect(config).toMatchObject({ version: versionOf(hall), keys: ['account.1.password', 'phone.name'] });
  expect(await reasons(id)).toEqual({ 'Not accepted: account.1.fax': count });
  // Devices without a configuration get one without a reconnect.
  await eventually(async () => {
    const { records } = await platform.call(listDevices, { query: { limit: 200 } });
    expect(new Set(records.map((d) => d.configVersion))).toEqual(new Set([versionOf(hall)]));
    expect(records.filter((d) => d.state === 'notConfigured')).toEqual([]);
  });

  const [broken] = fleet;
  await platform.behave([broken!.mac], 'broken');
  const zone = await add('Zone', 'time.zone = Europe/Berlin\n');
  const damaged = await send({ configFileId: zone.id, mode: 'replace' }, { success: count - 1, fail: 1 });
  await platform.behave([broken!.mac], 'normal');
  const all = await held();
  expect((await rowsOf(damaged)).filter((r) => r.status === 'fail').map((r) => [r.deviceId, r.message])).toEqual([
    [broken!.id, 'The file was damaged on its way'],
  ]);
  expect(all.get(broken!.mac)).toMatchObject({ version: versionOf(hall) });
  for (const { mac } of fleet.slice(1))
    expect(all.get(mac)).toEqual({ version: versionOf(zone), sha256: zone.sha256, keys: ['time.zone'] });

  await eventually(async () =>
    expect((await platform.call(getDevice, { params: { id: broken!.id } })).state).toBe('abnormal'),
  );

  const reset = await platform.call(addTask, {
    body: { name: 'Reset', action: 'factoryReset', params: {}, target: { ids: [fleet[1]!.id] } },
  });
  await eventually(async () => {
    expect((await platform.call(getTask, { params: { id: reset.id } })).counts.success).toBe(1);
    expect((await platform.call(getDevice, { params: { id: fleet[1]!.id } })).state).toBe('notConfigured');
  }, 240_000);
  expect((await held()).get(fleet[1]!.mac)).toBeUndefined();
  await platform.allOnline(count);
});

it('each device gets the file of its model, site or group; a group is a task target [TASK-02] [DEV-12]', async () => {
  const files = {
    one: await add('One', 'phone.name = One\n'),
    two: await add('Two', 'phone.name = Two\n'),
  };
  const { one, two } = files;
  const before = await held();
  const kept = (records: readonly DeviceRecord[]) => records.map(({ mac }) => before.get(mac)?.sha256);

  const byModel = [...Map.groupBy(fleet, (d) => d.model)].sort(([a], [b]) => (a < b ? -1 : 1));
  const [[firstModel, first], [secondModel, second], ...others] = byModel as [
    [string, DeviceRecord[]],
    [string, DeviceRecord[]],
    ...[string, DeviceRecord[]][],
  ];
  const rest = others.flatMap(([, devices]) => devices);
  expect(rest.length).toBeGreaterThan(0);
  const pair = (target: string, file: Stored) => ({ of: target, configFileId: file.id });
  const model = await send(
    { by: 'model', pairs: [pair(firstModel, one), pair(secondModel, two)] },
    { success: first.length + second.length, fail: rest.length },
  );
  expect(await hashes(first)).toEqual(first.map(() => one.sha256));
  expect(await hashes(second)).toEqual(second.map(() => two.sha256));
  expect(await hashes(rest)).toEqual(kept(rest));
  expect(Object.keys(await reasons(model)).filter((message) => message !== 'null')).toEqual(
    expect.arrayContaining(others.map(([name]) => `No file for its model, ${name}`)),
  );

  const site = (name: string, parentId: string | null) =>
    platform.call(addSite, { body: { name, parentId, description: '', segments: '', autoAssign: false } });
  const campus = await site('Campus', null);
  const house = await eventually(() => site('House', campus.id));
  const [onCampus, inHouse, nowhere] = [fleet.slice(0, 4), fleet.slice(4, 9), fleet.slice(9)];
  const place = (siteId: string, devices: readonly DeviceRecord[]) =>
    eventually(async () => {
      const ids = devices.map((d) => d.id);
      await platform.call(placeDevices, { body: { siteId, ids } });
      const { records } = await platform.call(listDevices, { query: { limit: 200 } });
      for (const device of records.filter((d) => ids.includes(d.id))) expect(device.site?.id).toBe(siteId);
    });
  await place(campus.id, onCampus);
  await place(house.id, inHouse);
  // The task service learns of the assignments a moment later.
  const bySite = await eventually(async () => {
    const task = await send(
      { by: 'site', pairs: [pair(campus.id, two), pair(house.id, one)], mode: 'replace' },
      { success: onCampus.length + inHouse.length, fail: nowhere.length },
    );
    expect(await hashes(onCampus)).toEqual(onCampus.map(() => two.sha256));
    return task;
  }, 240_000);
  expect(await hashes(inHouse)).toEqual(inHouse.map(() => one.sha256));
  expect(await reasons(bySite)).toMatchObject({ 'No file for its site': nowhere.length });

  const group = async (name: string, devices: readonly DeviceRecord[]) => {
    const { id } = await platform.call(addDeviceGroup, { body: { name, description: '' } });
    await platform.call(addToDeviceGroup, { params: { id }, body: { ids: devices.map((d) => d.id) } });
    return id;
  };
  const lobby = await group('Lobby', fleet.slice(0, 6));
  const all = await group('All', fleet.slice(3, 12));
  const none = fleet.slice(12);
  const byGroup = await eventually(async () => {
    const task = await send(
      { by: 'group', pairs: [pair(lobby, one), pair(all, two)] },
      { success: 12, fail: none.length },
    );
    expect(await hashes(fleet.slice(0, 6))).toEqual(fleet.slice(0, 6).map(() => one.sha256));
    return task;
  }, 240_000);
  expect(await hashes(fleet.slice(6, 12))).toEqual(fleet.slice(6, 12).map(() => two.sha256));
  expect(await reasons(byGroup)).toMatchObject({ 'No file for its groups': none.length });
  // A group is a target whether its members were added by hand or by its rule.
  const { id: ruled } = await platform.call(addDeviceGroup, {
    body: { name: 'Ruled', description: '', rule: { model: [firstModel] } },
  });
  const aimed = async (groupId: string) => {
    const { id } = await platform.call(addTask, {
      body: { name: 'Find', action: 'locate', params: { seconds: 5 }, target: { filter: { group: [groupId] } } },
    });
    await platform.ended(id);
    return (await rowsOf(id)).map((r) => r.deviceId).toSorted();
  };
  const idsOf = (devices: readonly DeviceRecord[]) => devices.map((d) => d.id).toSorted();
  expect(await aimed(lobby)).toEqual(idsOf(fleet.slice(0, 6)));
  await eventually(async () => expect(await aimed(ruled)).toEqual(idsOf(first)), 60_000);
  // Files that no open task uses can be deleted.
  for (const file of [one, two]) await eventually(() => platform.call(deleteConfigFile, { query: { id: file.id } }));
});

it('a template reaches phones of its model over MQTT and HTTP [CFG-01/template] [EDGE-01/fanvil]', async () => {
  const model = [...Map.groupBy(fleet, (d) => d.model)]
    .filter(([name]) => suppliedModels.some((m) => m.name === name && m.series.startsWith('Fanvil ')))
    .sort(([, a], [, b]) => b.length - a.length)[0]!;
  const [name, phones] = model;
  const others = fleet.filter((d) => d.model !== name);
  const values = { 'time.server': 'ntp.example', 'network.vlan': 7 };
  await platform.call(addConfigTemplate, {
    body: { name: 'Desk phones', description: '', level: 'model', target: name, values },
  });
  const [first] = phones;
  const config = await eventually(async () => {
    const made = await platform.call(getDeviceConfig, { params: { id: first!.id } });
    expect(made).toMatchObject({ version: expect.any(String) as string, withoutName: ['network.vlan'] });
    return made;
  });
  // The task service learns of the configurations a moment later.
  await eventually(
    () => send({ by: 'template', mode: 'replace' }, { success: phones.length, fail: others.length }),
    60_000,
  );
  const all = await held();
  for (const { mac } of phones)
    expect(all.get(mac)).toMatchObject({ version: config.version, keys: ['network.vlan', 'time.server'] });
  const versions = async () =>
    new Set(
      (await platform.call(listDevices, { query: { limit: 200, model: [name] } })).records.map((d) => d.configVersion),
    );
  await eventually(async () => expect(await versions()).toEqual(new Set([config.version])));

  // The same phone as it is sold: it knows nothing but the address.
  const { origin, folder } = await platform.call(getDeviceConfigAddress, { params: { id: first!.id } });
  const boot = () => platform.simulator('/boot', { mac: first!.mac, folder: origin + folder });
  expect(await boot()).toMatchObject({ asked: [{ file: `${first!.mac}.cfg`, status: 200 }, { status: 404 }] });
  const loaded = async () => (await platform.devices()).find((d) => d.mac === first!.mac)!.file;
  expect((await loaded())!.values).toMatchObject({
    'phone/date/EnableSNTP': '1',
    'phone/date/SNTPServer': 'ntp.example',
  });

  const { records } = await platform.call(listConfigTemplates, { query: { search: 'Desk phones' } });
  await platform.call(editConfigTemplate, {
    body: { id: records[0]!.id, name: 'Desk phones', description: '', values: { 'time.server': 'ntp2.example' } },
  });
  await eventually(async () => {
    await boot();
    expect((await loaded())!.values['phone/date/SNTPServer']).toBe('ntp2.example');
  });
  await eventually(async () => {
    const { version, loadedVersion } = await platform.call(getDeviceConfig, { params: { id: first!.id } });
    const { configVersion } = await platform.call(getDevice, { params: { id: first!.id } });
    expect([loadedVersion, configVersion]).toEqual([version, version]);
    expect(version).not.toBe(config.version);
  });
  await platform.call(deleteConfigTemplate, { query: { id: records[0]!.id } });
});

/** What the phone of a maker is to have, in the maker's syntax. */
interface Expected {
  asked: (mac: string) => readonly { file: string; status: number }[];
  withoutName: readonly string[];
  /** Names of the time server, and of line 1: whether it is on, its number, its password. */
  names: readonly [server: string, enable: string, user: string, password: string];
}

/** Gives a phone as it is sold a template and an account, and takes both back; it knows nothing but its address. */
async function bootsAs(maker: string, { asked, withoutName, names }: Expected): Promise<void> {
  const models = suppliedModels.filter((m) => m.series.startsWith(`${maker} `) && m.type !== 'egs').map((m) => m.name);
  const { id, mac, model } = fleet.find((d) => models.includes(d.model))!;
  const own = { name: `${maker} phones`, description: '' };
  const values = { 'time.server': 'ntp.example', 'phone.ringtone': 3 };
  const template = await platform.call(addConfigTemplate, { body: { ...own, level: 'model', target: model, values } });
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await platform.call(addSipServer, {
    body: { name: `PBX of ${maker}`, address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const account = await platform.call(addSipAccount, {
    body: { name: `Ann ${maker}`, number: '2011', serverId: server.id, authPassword: 'wallaby-93' },
  });
  await eventually(() => platform.call(assignAccount, { body: { deviceId: id, accountId: account.id, line: 1 } }));
  const config = () => platform.call(getDeviceConfig, { params: { id } });
  await eventually(async () => expect(await config()).toMatchObject({ withoutName, lines: [{ line: 1 }] }));

  const { origin, folder, file } = await platform.call(getDeviceConfigAddress, { params: { id } });
  expect(asked(mac).some((one) => one.status === 200 && folder + one.file === file)).toBe(true);
  const boot = () => platform.simulator('/boot', { mac, folder: origin + folder });
  const has = async () => {
    const { values: held } = (await platform.devices()).find((d) => d.mac === mac)!.file!;
    return names.map((name) => held[name]);
  };
  await eventually(async () => {
    expect(await boot()).toMatchObject({ asked: asked(mac) });
    expect(await has()).toEqual(['ntp.example', '1', '2011', 'wallaby-93']);
  });

  await platform.call(editConfigTemplate, {
    body: { id: template.id, ...own, values: { 'time.server': 'ntp2.example' } },
  });
  await platform.call(unassignAccount, { query: { deviceId: id, line: 1 } });
  await eventually(async () => {
    await boot();
    expect((await has()).slice(0, 2)).toEqual(['ntp2.example', '0']);
  });
  await eventually(async () => {
    const { version, loadedVersion } = await config();
    const { configVersion } = await platform.call(getDevice, { params: { id } });
    expect([loadedVersion, configVersion]).toEqual([version, version]);
  });
  await platform.call(deleteConfigTemplate, { query: { id: template.id } });
}

it('a template and an account reach a Yealink phone that starts [EDGE-01/yealink]', async () => {
  await bootsAs('Yealink', {
    asked: (mac) => [
      { file: `${mac}.boot`, status: 404 },
      { file: 'y000000000000.boot', status: 404 },
      { file: expect.stringMatching(/^y0{9}\d{3}\.cfg$/) as string, status: 404 },
      { file: `${mac}.cfg`, status: 200 },
    ],
    withoutName: [],
    names: ['local_time.ntp_server1', 'account.1.enable', 'account.1.user_name', 'account.1.password'],
  });
});

it('a template and an account reach a Grandstream phone that starts [EDGE-01/grandstream]', async () => {
  await bootsAs('Grandstream', {
    asked: (mac) => [
      { file: `cfg${mac}`, status: 404 },
      { file: `cfg${mac}.xml`, status: 200 },
    ],
    withoutName: ['phone.ringtone'],
    names: ['P30', 'P271', 'P35', 'P34'],
  });
});
