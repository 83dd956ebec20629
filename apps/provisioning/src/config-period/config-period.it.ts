import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  addSipAccount,
  addSipServer,
  editConfigTemplate,
  editSipAccount,
  getConfigPeriod,
  getDeviceConfig,
  getDeviceConfigAddress,
  listConfigPeriods,
} from '@carillon/contracts';
import { configPeriods } from '@carillon/contracts/constants';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { ConfigContentRetention } from '../device-config/config-content.retention.ts';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { ConfigPeriodRetention } from './config-period.retention.ts';

let bus: PostgresBus;
let service: TestedService;
beforeAll(async () => {
  bus = await testBus('config_period_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const mac = '0c383e000201';
const call = (as: Actor) => service.as(as);
const inCompany = (own: Actor, sql: string, values: unknown[] = []) =>
  transaction(service.database, companySession(own.companyId), () => currentSql().query(sql, values));

/** Creates a company with a template for all devices, and a phone that can report versions. */
async function phone() {
  const own = newActor();
  const id = uuidv7();
  const values = { 'network.vlan': 7, 'time.server': 'ntp.example' };
  const template = await call(own)(addConfigTemplate, {
    body: { name: 'Desk', description: '', level: 'general', target: null, values },
  });
  const publish = (more: object) => publishDevice(bus, own, id, { mac, model: 'X4U', secretMark: 'mark1', ...more });
  await publish({ configVersion: null });
  const periods = (at?: string) =>
    call(own)(listConfigPeriods, { params: { id }, query: at === undefined ? {} : { at } });
  /** Waits for another wanted version than this. */
  const wanted = (than: string | null = null) =>
    eventually(async () => {
      const { version } = await call(own)(getDeviceConfig, { params: { id } });
      expect(version).not.toBe(than);
      return version!;
    });
  const report = async (configVersion: string | null, more: object = {}) => {
    await publish({ configVersion, ...more });
    await eventually(async () => {
      const last = (await periods())[0];
      expect(last?.until === null ? last.version : null).toBe(configVersion);
    });
  };
  const edit = (to: object) =>
    call(own)(editConfigTemplate, { body: { id: template.id, name: 'Desk', description: '', values: to } });
  return { own, id, template, tell: publish, periods, wanted, report, edit };
}

test('a device has had its configurations from when to when, over the link or HTTP [CFG-01/former]', async () => {
  const { own, id, template, periods, wanted, report, edit } = await phone();
  const first = await wanted();
  expect(await periods()).toEqual([]);
  const { file } = await call(own)(getDeviceConfigAddress, { params: { id } });
  await service.app
    .getHttpAdapter()
    .getInstance()
    .inject({ method: 'GET', url: file!, headers: { 'user-agent': `Fanvil X4U 2.12.16.17 ${mac}` } });
  await eventually(async () =>
    expect((await call(own)(getDeviceConfig, { params: { id } })).loadedVersion).toBe(first),
  );
  await report(first);
  await edit({ 'network.vlan': 8 });
  const second = await wanted(first);
  await report(second);
  await report('01920000f003.3');
  const all = await periods();
  expect(all.map(({ version, way, known }) => [version, way, known])).toEqual([
    ['01920000f003.3', 'link', false],
    [second, 'link', true],
    [first, 'http', true],
  ]);
  expect([all[0]!.until, all[1]!.until, all[2]!.until]).toEqual([null, all[0]!.from, all[1]!.from]);
  expect(all.map(({ changes }) => changes)).toEqual([
    null,
    {
      settings: [
        { key: 'time.server', before: 'ntp.example', after: null, template: null },
        { key: 'network.vlan', before: 7, after: 8, template: { id: template.id, name: 'Desk', version: 2 } },
      ],
      lines: [],
    },
    null,
  ]);

  // A point of time finds the one that the device had then.
  const had = async (at: string) => (await periods(at)).map(({ version }) => version);
  expect(await had(all[1]!.from)).toEqual([second]);
  expect(await had(new Date().toISOString())).toEqual(['01920000f003.3']);
  expect(await had(new Date(Date.parse(all[2]!.from) - 1).toISOString())).toEqual([]);
  await report(null);
  expect(await had(new Date().toISOString())).toEqual([]);
});

test('a changed password of a line is named with its account, and is in no answer [CFG-01/former-lines]', async () => {
  const { own, id, periods, wanted, report } = await phone();
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await call(own)(addSipServer, {
    body: { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const fields = { name: 'Ann', number: '201', displayName: 'Ann', serverId: server.id };
  const account = await call(own)(addSipAccount, { body: { ...fields, authPassword: 'wallaby-93' } });
  const line = { accounts: [{ line: 2, accountId: account.id, status: 'unregistered' }] };
  const bare = await wanted();
  await report(bare, line);
  const first = await wanted(bare);
  await report(first, line);
  await call(own)(editSipAccount, { body: { id: account.id, ...fields, authPassword: 'quokka-17' } });
  const second = await wanted(first);
  await report(second, line);
  const [last, before] = await periods();
  const ann = { label: 'Ann', user: '201', server: 'pbx.example' };
  const by = { id: account.id, name: 'Ann' };
  expect(last!.changes!.lines).toEqual([{ line: 2, before: ann, after: ann, fields: ['password'], account: by }]);
  expect(before!.changes!.lines).toMatchObject([{ line: 2, before: null, after: ann, account: by }]);
  const one = await call(own)(getConfigPeriod, { params: { id, period: before!.id } });
  expect(one.lines).toMatchObject([{ line: 2, fields: ['password'] }]);
  expect(JSON.stringify([await periods(), one])).not.toMatch(/wallaby|quokka/);
});

test('a former configuration comes with the template that restores its settings [CFG-01/restore]', async () => {
  const { own, id, periods, wanted, report, edit } = await phone();
  const first = await wanted();
  await report(first);
  await edit({ 'network.vlan': 8, 'phone.ringtone': 3 });
  await report(await wanted(first));
  const then = (await periods())[1]!;
  const one = await call(own)(getConfigPeriod, { params: { id, period: then.id } });
  expect(one).toMatchObject({
    version: first,
    settings: [
      { key: 'phone.ringtone', before: null, after: 3 },
      { key: 'time.server', before: 'ntp.example', after: null },
      { key: 'network.vlan', before: 7, after: 8 },
    ],
    restore: {
      template: null,
      version: null,
      name: 'Phone',
      values: { 'network.vlan': 7, 'time.server': 'ntp.example' },
    },
    remaining: ['phone.ringtone'],
  });
  const { template: _, version: __, ...body } = one.restore!;
  await call(own)(addConfigTemplate, { body: { ...body, level: 'device', target: id, reason: 'As before' } });
  await edit({ 'network.vlan': 8 });
  // Without the setting that remained, the device is to have exactly the former version.
  await eventually(async () => expect((await call(own)(getDeviceConfig, { params: { id } })).version).toBe(first));
  expect((await call(own)(getConfigPeriod, { params: { id, period: then.id } })).restore).toBeNull();
});

test('another company and another organization see no former configuration of a device', async () => {
  const { own, id, periods, wanted, report } = await phone();
  await report(await wanted());
  const [one] = await periods();
  const elsewhere = newActor({ companyId: own.companyId, orgIds: [uuidv7()] });
  for (const other of [newActor(), elsewhere]) {
    const missing = { error: 'common.notFound' };
    await expect(call(other)(listConfigPeriods, { params: { id }, query: {} })).rejects.toMatchObject(missing);
    await expect(call(other)(getConfigPeriod, { params: { id, period: one!.id } })).rejects.toMatchObject(missing);
  }
  const second = uuidv7();
  await publishDevice(bus, own, second, { configVersion: null });
  await eventually(() => call(own)(listConfigPeriods, { params: { id: second }, query: {} }));
  await expect(call(own)(getConfigPeriod, { params: { id: second, period: one!.id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
});

test('former configurations end by number, by age and with their device, and their contents with them', async () => {
  const { own, id, periods, wanted, report, edit } = await phone();
  const first = await wanted();
  await report(first);
  await edit({ 'network.vlan': 8 });
  await report(await wanted(first));
  const rowCount = async (sql: string) => (await inCompany(own, sql)).rowCount;
  const contents = () => rowCount('select 1 as one from config_content');
  await inCompany(own, `update config_content set used_at = now() - interval '9 days'`);
  await service.app.get(ConfigContentRetention).forget();
  expect(await contents()).toBe(2);
  await inCompany(own, `update config_period set until_at = now() - interval '401 days' where until_at is not null`);
  await service.app.get(ConfigPeriodRetention).forget();
  await service.app.get(ConfigContentRetention).forget();
  expect([(await periods()).length, await contents()]).toEqual([1, 1]);

  for (let n = 0; n <= configPeriods; n++)
    await inCompany(
      own,
      `
        insert into config_period (id, company_id, device_id, version, way, from_at, until_at)
        values ($1, $2, $3, 'x', 'link', now() - interval '9 days', now() - interval '9 days')
      `,
      [uuidv7(), own.companyId, id],
    );
  await report('y');
  expect(await rowCount('select 1 as one from config_period')).toBe(configPeriods);
  await publishDevice(bus, own, id, null);
  await eventually(async () => expect(await rowCount('select 1 as one from config_period')).toBe(0));
});
