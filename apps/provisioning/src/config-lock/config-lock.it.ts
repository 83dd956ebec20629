import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  deleteConfigTemplate,
  editConfigTemplate,
  getConfigTemplate,
  getDeviceConfig,
  listConfigLocks,
  listConfigTemplateVersions,
  orgCompany,
  previewConfigTemplate,
  restoreConfigTemplates,
  rollBackConfigTemplate,
  type SettingKey,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;
let version = 0;

beforeAll(async () => {
  bus = await testBus('config_lock_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Publishes a company like the org service, with the companies above it from the top. */
function publishCompany(as: Actor, name: string, above: readonly Actor[], status = 'normal'): Promise<unknown> {
  const path = `/${[...above, as].map(({ companyId }) => companyId).join('/')}/`;
  const grants = { fcsLimit: 0, fcsEnabled: false };
  const parent = above.at(-1);
  const view = { id: as.companyId, name, path, type: 'channel', status, ...grants };
  return bus.publish([
    toRecord(
      orgCompany,
      as.companyId,
      { ...view, ...(parent ? { parentId: parent.companyId } : {}) },
      envelope('company', { companyId: as.companyId, version: ++version }),
    ),
  ]);
}
/** The installation's company, a distributor, a reseller, its customer, and another customer of the distributor. */
async function tree() {
  const [top, distributor, reseller, customer, sibling] = [newActor(), newActor(), newActor(), newActor(), newActor()];
  // The child before its parents: the order of the messages of different companies is not fixed.
  await publishCompany(customer, 'Customer', [top, distributor, reseller]);
  await publishCompany(reseller, 'Reseller', [top, distributor]);
  await publishCompany(sibling, 'Sibling', [top, distributor]);
  await publishCompany(distributor, 'Distributor', [top]);
  await publishCompany(top, 'Top', []);
  return { top, distributor, reseller, customer, sibling };
}
const call = (as: Actor) => service.as(as);
const locksOf = async (as: Actor) =>
  (await call(as)(listConfigLocks)).map(({ key: of, value, company }) => [of, value, company]);
type Values = Partial<Record<SettingKey, string | number | boolean>>;
const addGeneral = (as: Actor, values: Values, locked: SettingKey[] = []) =>
  call(as)(addConfigTemplate, {
    body: { name: 'All', description: '', level: 'general', target: null, values: values as never, locked },
  });
const edit = (as: Actor, id: string, values: Values, locked?: SettingKey[]) =>
  call(as)(editConfigTemplate, {
    body: { id, name: 'All', description: '', values: values as never, ...(locked ? { locked } : {}) },
  });
/** Adds a phone with a template of its own, and returns its id when it is configured. */
async function addPhone(as: Actor, vlan: number): Promise<string> {
  const id = uuidv7();
  await publishDevice(bus, as, id, {});
  await eventually(() => call(as)(getDeviceConfig, { params: { id } }));
  await call(as)(addConfigTemplate, {
    body: { name: `Phone ${id}`, description: '', level: 'device', target: id, values: { 'network.vlan': vlan } },
  });
  return id;
}
/** Returns the VLAN of a device, where it comes from, what it overrides, and the version that is published. */
async function vlanOf(as: Actor, id: string) {
  const { values, version: made } = await call(as)(getDeviceConfig, { params: { id } });
  const found = values.find((v) => v.key === 'network.vlan')!;
  return [found.value, found.lock, found.template.name, found.overridden.map((o) => o.value), made] as const;
}
/** Returns the version of a device once no configuration of its company is due any more. */
async function settledVersion(as: Actor, id: string): Promise<string> {
  const due = () =>
    transaction(service.database, companySession(as.companyId), () =>
      currentSql().query('select id from config_change union all select id from config_due'),
    );
  await eventually(async () => expect((await due()).rows).toEqual([]));
  return (await vlanOf(as, id))[4]!;
}
const expectVlan = (as: Actor, id: string, expected: readonly unknown[]) =>
  eventually(async () => expect((await vlanOf(as, id)).slice(0, expected.length)).toEqual(expected));

test('a locked setting wins over every other level of its company, and the preview says so [CFG-01/lock]', async () => {
  const own = newActor();
  const phone = await addPhone(own, 9);
  const { id } = await addGeneral(own, { 'network.vlan': 1, 'phone.language': 'de' });
  await expectVlan(own, phone, [9, null, `Phone ${phone}`, [1]]);
  const before = await settledVersion(own, phone);
  const query = { id, values: '{"network.vlan":1,"phone.language":"de"}', locked: 'network.vlan' } as never;
  expect(await call(own)(previewConfigTemplate, { query })).toEqual({
    devices: 1,
    changed: 1,
    settings: [
      {
        key: 'network.vlan',
        changed: 1,
        overridden: 0,
        lock: null,
        changes: [{ before: 9, after: 1, devices: 1 }],
      },
    ],
  });
  await edit(own, id, { 'network.vlan': 1, 'phone.language': 'de' }, ['network.vlan']);
  await expectVlan(own, phone, [1, 'template', 'All', [9]]);
  expect(await locksOf(own)).toEqual([['network.vlan', 1, null]]);
  const nearer = { level: 'model', target: 'X7A', values: '{"network.vlan":5}' } as never;
  expect(await call(own)(previewConfigTemplate, { query: nearer })).toMatchObject({
    changed: 0,
    settings: [{ overridden: 1, lock: { company: null }, changes: [] }],
  });
  expect(await settledVersion(own, phone)).not.toBe(before);
  // An edit without locks keeps them, of the settings that are still there.
  expect(await edit(own, id, { 'network.vlan': 2, 'phone.language': 'de' })).toMatchObject({
    locked: ['network.vlan'],
  });
  await edit(own, id, { 'network.vlan': 1, 'phone.language': 'de' }, []);
  await expectVlan(own, phone, [9, null, `Phone ${phone}`, [1], before]);
});

test('a lock reaches all companies below, and neither a sibling nor the company above [CFG-01/lock-below]', async () => {
  const { top, distributor, reseller, customer, sibling } = await tree();
  const [phone, theirs, above] = [
    await addPhone(customer, 9),
    await addPhone(sibling, 8),
    await addPhone(distributor, 7),
  ];
  const devices = [
    [customer, phone],
    [sibling, theirs],
    [distributor, above],
  ] as const;
  for (const [as, id] of devices) expect(await settledVersion(as, id)).not.toBeNull();
  const made = await Promise.all(devices.map(([as, id]) => vlanOf(as, id)));
  const { id } = await addGeneral(reseller, { 'network.vlan': 3, 'phone.language': 'de' }, ['network.vlan']);
  await eventually(async () => expect(await locksOf(customer)).toEqual([['network.vlan', 3, 'Reseller']]));
  await expectVlan(customer, phone, [3, 'company', 'Reseller', [9]]);
  expect(await settledVersion(customer, phone)).not.toBe(made[0]![4]);
  // A value for it can be saved, and does not count.
  const general = await addGeneral(customer, { 'network.vlan': 5 }, ['network.vlan']);
  await expectVlan(customer, phone, [3, 'company', 'Reseller', [5, 9]]);
  const query = { id: general.id, values: '{"network.vlan":6}' } as never;
  expect(await call(customer)(previewConfigTemplate, { query })).toMatchObject({
    changed: 0,
    settings: [{ overridden: 1, lock: { company: 'Reseller' }, changes: [] }],
  });
  await call(customer)(deleteConfigTemplate, { query: { id: general.id } });
  for (const as of [sibling, distributor, top]) expect(await locksOf(as)).toEqual([]);
  expect(await locksOf(reseller)).toEqual([['network.vlan', 3, null]]);

  await edit(reseller, id, { 'network.vlan': 4, 'phone.language': 'de' });
  await expectVlan(customer, phone, [4, 'company', 'Reseller', [9]]);
  await edit(reseller, id, { 'network.vlan': 4, 'phone.language': 'de' }, []);
  await expectVlan(customer, phone, made[0]!);
  expect(await vlanOf(sibling, theirs)).toEqual(made[1]);
  expect(await vlanOf(distributor, above)).toEqual(made[2]);
});

test('the lock of the highest company counts, and without it that of the next one [CFG-01/lock-highest]', async () => {
  const { top, reseller, distributor, customer } = await tree();
  const phone = await addPhone(customer, 9);
  await addGeneral(reseller, { 'network.vlan': 3 }, ['network.vlan']);
  await expectVlan(customer, phone, [3, 'company', 'Reseller', [9]]);
  const { id } = await addGeneral(top, { 'network.vlan': 1 }, ['network.vlan']);
  await expectVlan(customer, phone, [1, 'company', 'Top', [9]]);
  await addGeneral(distributor, { 'network.vlan': 2 }, ['network.vlan']);
  expect(await locksOf(reseller)).toEqual([['network.vlan', 1, 'Top']]);
  await call(top)(deleteConfigTemplate, { query: { id } });
  await expectVlan(customer, phone, [2, 'company', 'Distributor', [9]]);
  await call(top)(restoreConfigTemplates, { body: { ids: [id] } });
  await expectVlan(customer, phone, [1, 'company', 'Top', [9]]);
  // A closed company keeps its devices as they are, and so do those below it.
  await publishCompany(top, 'Top', [], 'disabled');
  await publishCompany(top, 'New top', [], 'disabled');
  await expectVlan(customer, phone, [1, 'company', 'New top', [9]]);
});

test('a company that moves in the tree leaves the locks of its former parents [CFG-01/lock-moved]', async () => {
  const { top, distributor, reseller, customer } = await tree();
  const phone = await addPhone(customer, 9);
  await addGeneral(distributor, { 'network.vlan': 2 }, ['network.vlan']);
  await addGeneral(reseller, { 'time.format': '12' }, ['time.format']);
  await eventually(async () =>
    expect(await locksOf(customer)).toEqual([
      ['network.vlan', 2, 'Distributor'],
      ['time.format', '12', 'Reseller'],
    ]),
  );
  await publishCompany(reseller, 'Reseller', [top]);
  await publishCompany(customer, 'Customer', [top, reseller]);
  await eventually(async () => expect(await locksOf(customer)).toEqual([['time.format', '12', 'Reseller']]));
  await expectVlan(customer, phone, [9, null, `Phone ${phone}`, []]);
  await publishCompany(customer, 'Customer', [top, distributor]);
  await eventually(async () => expect(await locksOf(customer)).toEqual([['network.vlan', 2, 'Distributor']]));
  await expectVlan(customer, phone, [2, 'company', 'Distributor', [9]]);
});

test('a company below gets the key, value and name of a lock, and nothing else', async () => {
  const { reseller, customer, sibling } = await tree();
  const { id } = await addGeneral(reseller, { 'network.vlan': 3, 'phone.language': 'de' }, ['network.vlan']);
  await eventually(async () => expect(await locksOf(customer)).toHaveLength(1));
  const rows = (as: Actor) =>
    transaction(service.database, companySession(as.companyId), () =>
      currentSql().query<object>('select to_jsonb(l) - $1 as lock from config_lock l', ['id']),
    );
  expect((await rows(customer)).rows).toEqual([
    { lock: { company_id: customer.companyId, key: 'network.vlan', value: 3, company: 'Reseller' } },
  ]);
  expect((await rows(sibling)).rows).toEqual([]);
  await expect(call(customer)(getConfigTemplate, { params: { id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
});

test('only settings of the template for all devices are locked, and going back brings locks back', async () => {
  const own = newActor();
  const refused = (body: object) =>
    call(own)(addConfigTemplate, { body: { name: 'All', description: '', ...body } as never }).then(
      () => 'none',
      (e: { error: string }) => e.error,
    );
  const values = { 'network.vlan': 1 };
  expect([
    await refused({ level: 'model', target: 'X7A', values, locked: ['network.vlan'] }),
    await refused({ level: 'general', target: null, values, locked: ['phone.language'] }),
    await refused({ level: 'general', target: null, values, locked: ['sip.password'] }),
  ]).toEqual(['configTemplate.notLockable', 'configTemplate.notLockable', 'common.invalid']);
  const { id } = await addGeneral(own, values, ['network.vlan']);
  expect(await edit(own, id, values, [])).toMatchObject({ version: 2, locked: [] });
  const { records } = await call(own)(listConfigTemplateVersions, { query: { id } as never });
  expect(records.map(({ locked }) => locked)).toEqual([[], ['network.vlan']]);
  expect(await call(own)(rollBackConfigTemplate, { body: { id, version: 1 } })).toMatchObject({
    version: 3,
    locked: ['network.vlan'],
  });
});
