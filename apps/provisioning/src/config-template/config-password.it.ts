import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  audit,
  deleteConfigTemplate,
  editConfigTemplate,
  getConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  listConfigTemplates,
  listConfigTemplateVersions,
  unsentPassword,
  previewConfigTemplate,
  restoreConfigTemplates,
  rollBackConfigTemplate,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { ask } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { ConfigPasswordRetention } from './config-password.retention.ts';
import { ConfigPasswords } from './config-password.service.ts';

let bus: PostgresBus;
let service: TestedService;
const audited: string[] = [];
beforeAll(async () => {
  bus = await testBus('config_password_bus');
  service = await startProvisioning(bus);
  await bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      audited.push(...records.map(({ value }) => String(value)));
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const key = 'phone.adminPassword';
const [first, second] = ['No-Admin.93', 'Other=Word/7'];
const call = (as: Actor) => service.as(as);
const fields = { name: 'Base', description: '' };
const add = (as: Actor, values: object, passwords?: object) =>
  call(as)(addConfigTemplate, {
    body: { ...fields, level: 'general', target: null, values, passwords } as never,
  });
const edit = (as: Actor, id: string, values: object, passwords?: object) =>
  call(as)(editConfigTemplate, { body: { id, ...fields, values, passwords } as never });
const refused = async (work: Promise<unknown>) =>
  ((await work.catch((e: unknown) => e)) as { error?: string; errors?: object }) ?? {};
/** Waits until the file of a phone says this. */
const loads = (as: Actor, id: string, text: string) =>
  eventually(async () => {
    const { file } = await call(as)(getDeviceConfigAddress, { params: { id } });
    expect((await ask(phonePortOf(service), file!)).text).toContain(text);
  });
const yealink = async (as: Actor, mac: string) => {
  const id = uuidv7();
  await publishDevice(bus, as, id, { model: 'SIP-T46U', mac });
  return id;
};

test('a password of a template is in the files of phones, and in no answer, log or row [CFG-01/password]', async () => {
  const own = newActor();
  const desk = await yealink(own, '805ec0000c01');
  const made = await add(own, { [key]: unsentPassword, 'time.server': 'ntp.example' }, { [key]: first });
  expect(made.values).toEqual({ [key]: expect.stringMatching(/^[\da-f-]{36}$/), 'time.server': 'ntp.example' });
  expect(made.values[key]).not.toBe(unsentPassword);
  await loads(own, desk, `static.security.user_password = admin:${first}`);
  const values = JSON.stringify({ [key]: unsentPassword });
  const answers = [
    made,
    await call(own)(getConfigTemplate, { params: { id: made.id } }),
    await call(own)(listConfigTemplates, { query: {} as never }),
    await call(own)(listConfigTemplateVersions, { query: { id: made.id } as never }),
    await call(own)(previewConfigTemplate, { query: { id: made.id, values } as never }),
    await call(own)(getDeviceConfig, { params: { id: desk } }),
  ];
  expect(answers[4]).toMatchObject({ changed: 1, settings: [{ key, changed: 1 }, { key: 'time.server' }] });
  await eventually(() => expect(audited.join()).toContain(made.id));
  expect(JSON.stringify(answers) + audited.join()).not.toContain(first);
  const rows = await runAs(systemContext(own.companyId), () =>
    transaction(service.database, companySession(own.companyId), async () => {
      const tables = [
        'config_template',
        'config_template_version',
        'config_password',
        'config_content',
        'device_config',
      ];
      const found = [];
      for (const table of tables)
        found.push(...(await currentSql().query(`select to_jsonb(t) from ${table} t`, [])).rows);
      return JSON.stringify(found);
    }),
  );
  expect(rows).toContain(made.values[key]);
  expect(rows).not.toContain(first);
});

test('a password stays until another is entered, and an earlier version brings the former one back', async () => {
  const own = newActor();
  const desk = await yealink(own, '805ec0000c02');
  const { id, values } = await add(own, { [key]: unsentPassword }, { [key]: first });
  await loads(own, desk, `admin:${first}`);
  const kept = await edit(own, id, { ...values, 'time.server': 'ntp.example' });
  expect([kept.version, kept.values[key]]).toEqual([2, values[key]]);
  const other = await edit(own, id, kept.values, { [key]: second });
  expect([other.version, other.values[key] === values[key]]).toEqual([3, false]);
  await loads(own, desk, `admin:${second}`);
  await call(own)(rollBackConfigTemplate, { body: { id, version: 1, reason: '' } });
  await loads(own, desk, `admin:${first}`);
  await call(own)(deleteConfigTemplate, { query: { id } });
  await call(own)(restoreConfigTemplates, { body: { ids: [id] } });
  await edit(own, id, { ...values, 'time.server': 'ntp.example' });
  await loads(own, desk, 'ntp.example');
  await loads(own, desk, `admin:${first}`);
});

test('a password of another company, an unknown one and a bad one are refused and change nothing', async () => {
  const [own, other] = [newActor(), newActor()];
  const foreign = (await add(other, { [key]: unsentPassword }, { [key]: first })).values[key];
  const { id, values } = await add(own, { 'time.server': 'ntp.example' });
  for (const given of [foreign, unsentPassword])
    expect(await refused(edit(own, id, { [key]: given }))).toMatchObject({ error: 'configTemplate.passwordGone' });
  expect(await refused(edit(own, id, { [key]: first }))).toMatchObject({ error: 'configTemplate.settingValue' });
  for (const bad of ['short', 'has space', 'a:b:c:d', 'line\nend', 'x'.repeat(31)])
    expect(await refused(edit(own, id, { [key]: unsentPassword }, { [key]: bad }))).toMatchObject({
      error: 'configTemplate.password',
    });
  const query = { id, values: JSON.stringify({ [key]: first }) } as never;
  expect(await refused(call(own)(previewConfigTemplate, { query }))).toMatchObject({
    error: 'configTemplate.settingValue',
  });
  expect(await call(own)(getConfigTemplate, { params: { id } })).toMatchObject({ version: 1, values });
});

test('a visitor of a company keeps its password in a template, and can set no other one (CHN-07)', async () => {
  const own = newActor();
  const { id, values } = await add(own, { [key]: unsentPassword }, { [key]: first });
  const both = { accessId: uuidv7(), userId: uuidv7(), username: 'sue', companyId: uuidv7(), company: 'Parent' };
  const visitor = { ...own, visit: { ...both, customer: 'Hotel', allowedBy: 'ann' } };
  expect(await refused(edit(visitor, id, values, { [key]: second }))).toMatchObject({
    error: 'configTemplate.passwordVisit',
  });
  const edited = await edit(visitor, id, { ...values, 'time.server': 'ntp.example' });
  expect(edited.values).toEqual({ ...values, 'time.server': 'ntp.example' });
});

test('a password that no template names any more is deleted after an hour, and no other one', async () => {
  const own = newActor();
  const { id, values } = await add(own, { [key]: unsentPassword }, { [key]: first });
  const inCompany = <T>(work: () => Promise<T>) =>
    runAs(systemContext(own.companyId), () => transaction(service.database, companySession(own.companyId), work));
  const ids = () =>
    inCompany(async () => (await currentSql().query<{ id: string }>('select id from config_password')).rows);
  await edit(own, id, values, { [key]: second });
  await inCompany(() => currentSql().query('delete from config_template_version', []));
  await service.app.get(ConfigPasswordRetention).forget();
  expect(await ids()).toHaveLength(2);
  await inCompany(() => currentSql().query(`update config_password set used_at = now() - interval '2 hours'`, []));
  await service.app.get(ConfigPasswordRetention).forget();
  const now = (await call(own)(getConfigTemplate, { params: { id } })).values[key];
  expect(await ids()).toEqual([{ id: now }]);
});

test('a password that a running change names again is not deleted before its template is stored', async () => {
  const own = newActor();
  const { id, values } = await add(own, { [key]: unsentPassword }, { [key]: first });
  await edit(own, id, values, { [key]: second });
  const retention = service.app.get(ConfigPasswordRetention);
  await runAs(systemContext(own.companyId), () =>
    transaction(service.database, companySession(own.companyId), async () => {
      await currentSql().query('delete from config_template_version', []);
      await currentSql().query(`update config_password set used_at = now() - interval '2 hours'`, []);
    }),
  );
  const [named, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const change = runAs(systemContext(own.companyId), () =>
    transaction(service.database, companySession(own.companyId), async () => {
      await service.app.get(ConfigPasswords).keep(values);
      named.resolve();
      await ended.promise;
    }),
  );
  await named.promise;
  const deleted = retention.forget();
  ended.resolve();
  await Promise.all([change, deleted]);
  expect((await edit(own, id, values)).values).toEqual(values);
});
