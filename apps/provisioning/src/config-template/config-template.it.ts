import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  deleteConfigTemplate,
  editConfigTemplate,
  getConfigTemplate,
  getDeviceConfig,
  listConfigTemplates,
  listConfigTemplateVersions,
  previewConfigTemplate,
  provisioningDeviceConfig,
  restoreConfigTemplates,
  rollBackConfigTemplate,
  type EventData,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { ConfigTemplateVersionRetention } from './config-template-version.retention.ts';

let bus: PostgresBus;
let service: TestedService;
/** The last published configuration of each device. */
const published = new Map<string, EventData<typeof provisioningDeviceConfig, 'config'> | null>();

beforeAll(async () => {
  bus = await testBus('config_template_bus');
  service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningDeviceConfig.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) published.set(r.key, fromRecord(provisioningDeviceConfig, r)!.data);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor) => service.as(as);
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields?: { path: string; error: string }[] }) => [
      e.error,
      ...(e.fields ?? []).map((f) => `${f.path}: ${f.error}`),
    ],
  );
/** Publishes a device of the actor's company; null deletes it. */
const publish = (as: Actor, id: string, model: string | null) =>
  publishDevice(bus, as, id, model === null ? null : { model });
const valuesOf = async (as: Actor, id: string) => {
  const { values } = await call(as)(getDeviceConfig, { params: { id } });
  return Object.fromEntries(
    values.map((v) => [v.key, [v.value, v.template.level, ...v.overridden.map((o) => o.value)]]),
  );
};
const forModel = (model: string, values: object, name = `For ${model}`) => ({
  body: { name, description: '', level: 'model' as const, target: model, values: values as never },
});
const general = (values: object) => ({
  body: { name: 'All', description: '', level: 'general' as const, target: null, values: values as never },
});

test('the template of a model wins, and each value names its source [CFG-01/precedence]', async () => {
  const own = newActor();
  const [phone, other] = [uuidv7(), uuidv7()];
  await publish(own, phone, 'X7A');
  await publish(own, other, 'V64');
  await call(own)(addConfigTemplate, general({ 'time.server': 'ntp.example', 'phone.language': 'en' }));
  await call(own)(addConfigTemplate, forModel('X7A', { 'phone.language': 'de', 'network.lldp': false }));
  await eventually(async () => {
    expect(await valuesOf(own, phone)).toEqual({
      'phone.language': ['de', 'model', 'en'],
      'time.server': ['ntp.example', 'general'],
      'network.lldp': [false, 'model'],
    });
    expect(await valuesOf(own, other)).toEqual({
      'phone.language': ['en', 'general'],
      'time.server': ['ntp.example', 'general'],
    });
  });
  const { records } = await call(own)(listConfigTemplates, { query: { sort: 'level' } as never });
  expect(records.map((t) => [t.name, t.level, t.targetName, t.settings, t.devices])).toEqual([
    ['All', 'general', null, 2, 2],
    ['For X7A', 'model', 'X7A', 2, 1],
  ]);
});

test('a change, deletion and restoration make the configurations of the devices again [CFG-01/template]', async () => {
  const own = newActor();
  const [phone, other] = [uuidv7(), uuidv7()];
  await publish(own, phone, 'X7A');
  await publish(own, other, 'V64');
  const made = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  const versionOf = async () => (await call(own)(getDeviceConfig, { params: { id: phone } })).version;
  const first = await eventually(async () => {
    expect(await versionOf()).toMatch(/^t[0-9a-f]{11}$/);
    return versionOf();
  });
  const { id } = made;
  const body = { id, name: 'Renamed', description: 'Hall', values: { 'network.vlan': 7 } };
  expect(await call(own)(editConfigTemplate, { body })).toMatchObject({ name: 'Renamed', version: 1, devices: 1 });
  expect(await call(own)(editConfigTemplate, { body: { ...body, values: { 'network.vlan': 8 } } })).toMatchObject({
    version: 2,
    values: { 'network.vlan': 8 },
  });
  await eventually(async () => expect(await valuesOf(own, phone)).toEqual({ 'network.vlan': [8, 'model'] }));
  await eventually(async () => expect(await versionOf()).not.toBe(first));
  await eventually(() =>
    expect(published.get(phone)).toMatchObject({ size: 40, fileName: `${phone.replaceAll('-', '').slice(-12)}.txt` }),
  );

  await call(own)(deleteConfigTemplate, { query: { id } });
  await eventually(() => expect(published.get(phone)).toBeNull());
  await call(own)(restoreConfigTemplates, { body: { ids: [id] } });
  await eventually(() => expect(published.get(phone)).toMatchObject({ size: 40 }));
  await call(own)(editConfigTemplate, { body });
  await eventually(async () => expect(await versionOf()).toBe(first));
  // A device without a template has no configuration.
  expect([published.get(other), await call(own)(getDeviceConfig, { params: { id: other } })]).toMatchObject([
    undefined,
    { version: null, values: [] },
  ]);
});

test('a new device and one with another model get their configuration, and a deleted one loses it', async () => {
  const own = newActor();
  const phone = uuidv7();
  await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  await call(own)(addConfigTemplate, forModel('V64', { 'network.vlan': 64 }));
  await publish(own, phone, 'X7A');
  await eventually(async () => expect(await valuesOf(own, phone)).toEqual({ 'network.vlan': [7, 'model'] }));
  await publish(own, phone, 'V64');
  await eventually(async () => expect(await valuesOf(own, phone)).toEqual({ 'network.vlan': [64, 'model'] }));
  await publish(own, phone, null);
  await eventually(() => expect(published.get(phone)).toBeNull());
});

test('a value out of range, of another type or unknown is refused at its field, and nothing changes', async () => {
  const own = newActor();
  const wrong = (values: object) => refusal(call(own)(addConfigTemplate, forModel('X7A', values)));
  for (const [field, value] of [
    ['network.vlan', 4_095],
    ['network.vlan', '7'],
    ['network.vlan', 1.5],
    ['network.lldp', 1],
    ['phone.language', 'xx'],
  ] as const)
    expect(await wrong({ [field]: value }), `${field} ${value}`).toEqual([
      'configTemplate.settingValue',
      `values.${field}: configTemplate.settingValue`,
    ]);
  expect(await wrong({ 'time.server': 'a b' })).toEqual(['common.invalid', 'values.time.server: common.hostName']);
  expect(await wrong({ 'time.server': 'a\nnetwork.vlan = 7' })).toContainEqual(expect.stringContaining('hostName'));
  expect(await wrong({})).toEqual(['configTemplate.empty', 'values: configTemplate.empty']);
  expect(await wrong({ 'sip.password': 'x' })).toContain('configTemplate.settingName');
  expect(
    await refusal(call(own)(addConfigTemplate, { body: { ...general({ 'network.vlan': 1 }).body, target: 'X7A' } })),
  ).toContain('common.invalid');
  expect((await call(own)(listConfigTemplates, { query: {} as never })).total).toBe(0);
});

test('a name and a model are taken once in a company, and only a user who sees all changes templates', async () => {
  const own = newActor();
  const made = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }, 'Hall'));
  expect(await refusal(call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 8 }, 'Lobby')))).toEqual([
    'configTemplate.targetTaken',
    'target: configTemplate.targetTaken',
  ]);
  expect(await refusal(call(own)(addConfigTemplate, forModel('V64', { 'network.vlan': 8 }, 'HALL')))).toEqual([
    'configTemplate.nameTaken',
    'name: configTemplate.nameTaken',
  ]);
  await call(newActor())(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }, 'Hall'));

  const narrowed = { ...own, orgIds: [own.orgId] };
  const { id, name, description, values } = made;
  for (const attempt of [
    () => call(narrowed)(addConfigTemplate, forModel('V64', { 'network.vlan': 7 })),
    () => call(narrowed)(editConfigTemplate, { body: { id, name, description, values: values as never } }),
    () => call(narrowed)(deleteConfigTemplate, { query: { id } }),
  ])
    expect(await refusal(attempt())).toEqual(['configTemplate.narrowed']);
  expect(await call(narrowed)(getConfigTemplate, { params: { id } })).toMatchObject({ name: 'Hall', version: 1 });
});

test('a template reaches every device of a company, more than one transaction takes', async () => {
  const own = newActor();
  const devices = 4_100;
  await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query(
      `
        insert into device_copy (id, company_id, org_id, name, mac, model, owner_epoch, enabled, accounts, version, era)
        select gen_random_uuid(), $1, $2, 'Phone', lpad(to_hex(n), 12, '0'), 'X7A', 1, true, '[]', 1, 1
        from generate_series(1, ${devices}) n
      `,
      [own.companyId, own.orgId],
    ),
  );
  await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  const ofCompany = () => [...published.values()].filter((config) => config?.companyId === own.companyId);
  await eventually(() => expect(ofCompany()).toHaveLength(devices));
  expect(new Set(ofCompany().map((config) => config!.version)).size).toBe(1);
});

test('a template that someone else changed meanwhile is not overwritten unseen', async () => {
  const own = newActor();
  const { id, name } = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  const save = (vlan: number, version: number) =>
    call(own)(editConfigTemplate, {
      body: { id, name, description: '', values: { 'network.vlan': vlan }, version },
    });
  expect(await save(8, 1)).toMatchObject({ version: 2 });
  const late = save(9, 1);
  await expect(late).rejects.toMatchObject({
    error: 'configTemplate.changed',
    message: expect.stringContaining('version 2'),
  });
  expect(await call(own)(getConfigTemplate, { params: { id } })).toMatchObject({ values: { 'network.vlan': 8 } });
  expect(await save(9, 2)).toMatchObject({ version: 3, values: { 'network.vlan': 9 } });
});

test('versions keep values, author and reason, and a rollback makes a new one [CFG-04/versions]', async () => {
  const own = newActor();
  const phone = uuidv7();
  await publish(own, phone, 'X7A');
  const { id } = await call(own)(addConfigTemplate, {
    body: { ...forModel('X7A', { 'network.vlan': 7 }).body, reason: 'New floor' },
  });
  const moved = { id, name: 'Floor', description: '', values: { 'network.vlan': 8, 'phone.language': 'de' } as const };
  await call(own)(editConfigTemplate, { body: { ...moved, reason: 'The floor moved' } });
  // Another name makes no version.
  await call(own)(editConfigTemplate, { body: { ...moved, name: 'Hall' } });
  const versions = async () => (await call(own)(listConfigTemplateVersions, { query: { id } as never })).records;
  const author = 'tester';
  expect(await versions()).toMatchObject([
    { version: 2, values: { 'network.vlan': 8, 'phone.language': 'de' }, author, reason: 'The floor moved' },
    { version: 1, values: { 'network.vlan': 7 }, author, reason: 'New floor', backTo: null },
  ]);

  const back = (version: number, reason = '') => call(own)(rollBackConfigTemplate, { body: { id, version, reason } });
  expect(await back(1, 'Wrong floor')).toMatchObject({ version: 3, name: 'Hall', values: { 'network.vlan': 7 } });
  await eventually(async () => expect(await valuesOf(own, phone)).toEqual({ 'network.vlan': [7, 'model'] }));
  expect((await versions())[0]).toMatchObject({ version: 3, backTo: 1, author, reason: 'Wrong floor' });
  expect(await refusal(back(1))).toEqual(['configTemplate.currentVersion']);
  expect(await refusal(back(9))).toEqual(['common.notFound']);

  // Versions stay while a deletion can be undone.
  await call(own)(deleteConfigTemplate, { query: { id } });
  await service.app.get(ConfigTemplateVersionRetention).forget();
  await call(own)(restoreConfigTemplates, { body: { ids: [id] } });
  expect(await versions()).toHaveLength(3);

  const other = newActor();
  expect(await call(other)(listConfigTemplateVersions, { query: { id } as never })).toMatchObject({ total: 0 });
  expect(await refusal(call(other)(rollBackConfigTemplate, { body: { id, version: 2 } }))).toEqual(['common.notFound']);
  const narrowed = { ...own, orgIds: [own.orgId] };
  expect(await refusal(call(narrowed)(rollBackConfigTemplate, { body: { id, version: 2 } }))).toEqual([
    'configTemplate.narrowed',
  ]);
});

test('a template keeps its last 200 versions, and none once its deletion can no longer be undone', async () => {
  const own = newActor();
  const { id } = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  const sql = (text: string) =>
    transaction(service.database, companySession(own.companyId), () => currentSql().query(text, [id]));
  const versions = async () =>
    (await call(own)(listConfigTemplateVersions, { query: { id, limit: 200 } as never })).records.map((v) => v.version);
  await sql('update config_template t set version = 200 where t.id = $1');
  const body = { id, name: 'Hall', description: '', values: { 'network.vlan': 8 } };
  await call(own)(editConfigTemplate, { body });
  expect(await versions()).toEqual([201, 200]);

  await call(own)(deleteConfigTemplate, { query: { id } });
  await sql('delete from deleted d where d.id = $1');
  await service.app.get(ConfigTemplateVersionRetention).forget();
  expect(await versions()).toEqual([]);
});

test('a template from before versions were kept shows the one that it has, and keeps it', async () => {
  const own = newActor();
  const { id } = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query('delete from config_template_version v where v.template_id = $1', [id]),
  );
  const versions = async () =>
    (await call(own)(listConfigTemplateVersions, { query: { id } as never })).records.map((v) => [
      v.version,
      v.values,
      v.author,
    ]);
  const former = [1, { 'network.vlan': 7 }, ''];
  expect(await versions()).toEqual([former]);
  await call(own)(editConfigTemplate, {
    body: { id, name: 'Hall', description: '', values: { 'network.vlan': 8 } },
  });
  expect(await versions()).toEqual([[2, { 'network.vlan': 8 }, 'tester'], former]);
});

test('a preview counts what a change reaches, without what a nearer template decides [CFG-04/preview]', async () => {
  const own = newActor();
  const [phone, second, special, other] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  for (const id of [phone, second, special]) await publish(own, id, 'X7A');
  await publish(own, other, 'V64');
  await call(own)(addConfigTemplate, general({ 'phone.language': 'en', 'network.vlan': 1 }));
  const { id } = await call(own)(addConfigTemplate, forModel('X7A', { 'network.vlan': 7 }));
  const nearer = { name: 'One', description: '', level: 'device' as const, target: special };
  await eventually(() => call(own)(addConfigTemplate, { body: { ...nearer, values: { 'network.vlan': 9 } } }));
  for (const one of [phone, second, special, other])
    await eventually(async () => expect(await valuesOf(own, one)).toHaveProperty(['network.vlan']));

  const preview = async (query: object) =>
    call(own)(previewConfigTemplate, {
      query: { ...query, ...('values' in query ? { values: JSON.stringify(query.values) } : {}) } as never,
    });
  expect(await preview({ id, values: { 'network.vlan': 8, 'phone.language': 'en' } })).toEqual({
    devices: 3,
    changed: 2,
    settings: [
      // The same value as from the template for all devices.
      { key: 'phone.language', changed: 0, overridden: 0, lock: null, changes: [] },
      { key: 'network.vlan', changed: 2, overridden: 1, lock: null, changes: [{ before: 7, after: 8, devices: 2 }] },
    ],
  });
  // Without its value the next template decides, also when the whole template goes.
  expect(await preview({ id })).toMatchObject({
    changed: 2,
    settings: [{ changes: [{ before: 7, after: 1, devices: 2 }] }],
  });
  expect(await preview({ level: 'model', target: 'V64', values: { 'time.format': '12' } })).toEqual({
    devices: 1,
    changed: 1,
    settings: [
      {
        key: 'time.format',
        changed: 1,
        overridden: 0,
        lock: null,
        changes: [{ before: null, after: '12', devices: 1 }],
      },
    ],
  });
  expect(await preview({ level: 'general', values: { 'network.vlan': 7 } })).toMatchObject({ devices: 4 });
  expect(await preview({ level: 'device', target: phone, values: { 'network.vlan': 6 } })).toMatchObject({
    devices: 1,
    settings: [{ overridden: 0, changes: [{ before: 7, after: 6, devices: 1 }] }],
  });
  expect(await refusal(preview({ id, values: { 'network.vlan': 5_000 } }))).toContain('configTemplate.settingValue');
  expect(await refusal(call(own)(previewConfigTemplate, { query: { id, values: '{' } as never }))).toContain(
    'common.invalid',
  );
  expect(await refusal(preview({ level: 'model', values: { 'network.vlan': 7 } }))).toContain('common.invalid');
  // Nothing was changed, and another company’s template is not found.
  expect(await call(own)(getConfigTemplate, { params: { id } })).toMatchObject({ version: 1 });
  expect(await refusal(call(newActor())(previewConfigTemplate, { query: { id } as never }))).toEqual([
    'common.notFound',
  ]);
});
