import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  addSipAccount,
  addSipServer,
  deleteConfigTemplate,
  deviceGroupState,
  editConfigTemplate,
  editSipAccount,
  editSipServer,
  fillPath,
  getDeviceConfig,
  getDeviceConfigAddress,
  linkReport,
  loadDeviceConfig,
  orgSite,
  provisioningDeviceConfig,
  restoreConfigTemplates,
  type EventData,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { downloadKey, downloadToken, type DownloadGrant } from '@carillon/service';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { tellDevice } from '../testing/tell-device.ts';
import { ConfigContentRetention } from './config-content.retention.ts';
import { DeviceConfigLoop } from './device-config.loop.ts';

let bus: PostgresBus;
let service: TestedService;
/** The last published configuration of each device. */
const told = new Map<string, EventData<typeof provisioningDeviceConfig, 'config'>>();
/** The version of each device's last message. */
const revisions = new Map<string, number>();
const reports: EventData<typeof linkReport, 'state'>[] = [];

beforeAll(async () => {
  bus = await testBus('device_config_bus');
  service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningDeviceConfig.name, linkReport.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === linkReport.name) {
          if (r.headers['type'] === 'state') reports.push(fromRecord(linkReport, r)!.data as never);
        } else {
          const { data, version } = fromRecord(provisioningDeviceConfig, r)!;
          revisions.set(r.key, version!);
          if (data) told.set(r.key, data);
          else told.delete(r.key);
        }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor) => service.as(as);
const tell = (as: Actor, id: string, mac: string, more: object = {}) =>
  tellDevice(bus, as, id, { mac, model: 'X4U', secretMark: 'mark1', ...more });
const template = (values: object, model: string | null) => {
  const { level, target } = model === null ? { level: 'general', target: null } : { level: 'model', target: model };
  return { body: { name: 'Desk', description: '', level, target, values } as never };
};
const agent = (text: string) => ({ 'user-agent': text });
const fanvil = (mac: string) => agent(`Fanvil X4U 2.12.16.17 ${mac}`);
const load = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
};
const statusOf = async (url: string) => (await load(url)).status;

/** Creates a company with a template and a phone that has its configuration; null is a model that nobody knows. */
async function configured(mac: string, model: string | null = 'X4U') {
  const own = newActor();
  const id = uuidv7();
  await tell(own, id, mac, { model: model ?? 'Q9' });
  const values = { 'time.server': 'ntp.example', 'network.vlan': 7 };
  const made = await call(own)(addConfigTemplate, template(values, model));
  const config = await eventually(() => {
    expect(told.get(id)).toBeDefined();
    return told.get(id)!;
  });
  const address = await call(own)(getDeviceConfigAddress, { params: { id } });
  return { own, id, made, config, address };
}

test('a phone loads its file by its address in the syntax of its maker, and is told when nothing changed [EDGE-01/fanvil]', async () => {
  const { own, id, address, config } = await configured('0c383e000101');
  expect(address.file).toBe(`${address.folder}0c383e000101.cfg`);
  const first = await load(address.file!, fanvil('0c383e000101'));
  expect([first.status, first.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
  expect(first.headers['content-length']).toBe(String(Buffer.byteLength(first.text)));
  expect(first.text).toContain('<SNTPServer>ntp.example</SNTPServer>');
  // The token in its address can have any letters.
  expect(first.text.replace(/<FlashFileName>.*/, '')).not.toMatch(/vlan|>7</i);
  expect((await load(`${address.folder}0C383E000101.CFG`)).text).toBe(first.text);
  const again = await load(address.file!, { 'if-none-match': String(first.headers['etag']) });
  expect([again.status, again.text]).toEqual([304, '']);
  const plain = await load(`${address.folder}0c383e000101.txt`);
  expect(plain.text).toMatch(/^# [0-9a-f]+\ntime\.server = ntp\.example\nnetwork\.vlan = 7\n$/);
  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
  await eventually(async () =>
    expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({
      withoutName: ['network.vlan'],
      loadedVersion: config.version,
    }),
  );
});

/** Starts a phone of another maker than Fanvil: it asks for these names, and the last one is its file. */
async function started(mac: string, model: string, names: readonly string[], own: string, foreign: string) {
  const { own: actor, id, address } = await configured(mac, model);
  for (const name of names.slice(0, -1)) expect(await statusOf(address.folder + name), name).toBe(404);
  expect(address.file).toBe(address.folder + names.at(-1));
  const loaded = async () => (await call(actor)(getDeviceConfig, { params: { id } })).loadedAt !== null;
  const other = await load(address.file!, agent(foreign));
  expect([other.status, await loaded()]).toEqual([200, false]);
  const file = await load(address.file!, agent(own));
  expect(file.text).toBe(other.text);
  await eventually(async () => expect(await loaded()).toBe(true));
  return file;
}

test('a Yealink phone finds its file behind the names that it asks for first [EDGE-01/yealink]', async () => {
  const mac = '805ec0000112';
  const names = [`${mac}.boot`, 'y000000000000.boot', 'y000000000108.cfg', `${mac}.cfg`];
  const own = 'Yealink SIP-T46U 108.86.0.90 80:5E:C0:00:01:12';
  const { text, headers } = await started(mac, 'SIP-T46U', names, own, `Fanvil X4U 2.12.16.17 ${mac}`);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(
    /^#!version:1\.0\.0\.1\n(?:action_url\.\w+ = http.+\n){8}local_time\.ntp_server1 = ntp\.example\n/,
  );
});

test('a Grandstream phone finds its file behind the name that it asks for first [EDGE-01/grandstream]', async () => {
  const mac = 'c074ad000113';
  const own = `Grandstream Model HW GRP2614 V1.1A SW 1.0.13.46 DevId ${mac}`;
  const names = [`cfg${mac}`, 'cfggrp2614.xml', 'cfg.xml', `${mac}.cfg`, `cfg${mac}.xml`];
  const { text, headers } = await started(mac, 'GRP2614', names, own, `Yealink SIP-T46U 108.86.0.90 ${mac}`);
  expect(headers['content-type']).toBe('text/xml; charset=utf-8');
  expect(text).toContain('    <P30>ntp.example</P30>\n    <P51>7</P51>\n');
});

test('a phone of an unknown model gets the syntax that its User-Agent names with its MAC [EDGE-01/agent]', async () => {
  const mac = '020000000114';
  const { address } = await configured(mac, null);
  expect(address.file).toBeNull();
  const statusFor = async (text: string) => (await load(`${address.folder}${mac}.cfg`, agent(text))).status;
  expect(await statusFor('Yealink Q9 1.0.0.1 020000000999')).toBe(404);
  expect(await statusFor(`Grandstream Model HW Q9 SW 1.0.0.1 DevId ${mac}`)).toBe(404);
  expect(await statusFor(`Yealink Q9 1.0.0.1 ${mac}`)).toBe(200);
});

test('a load over HTTP is reported once for each version, as a device on the link does itself', async () => {
  const { own, id, made, address, config } = await configured('0c383e000102');
  const ofDevice = () => reports.filter((r) => r.deviceId === id).map((r) => r.payload.configVersion);
  // A person who opens the address is no phone.
  expect((await load(address.file!, { 'user-agent': 'Mozilla/5.0' })).status).toBe(200);
  expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ loadedAt: null, loadedVersion: null });
  await load(address.file!, fanvil('0c383e000102'));
  await load(address.file!, fanvil('0C:38:3E:00:01:02'));
  await eventually(() => expect(ofDevice()).toEqual([config.version]));
  const { name, description } = made;
  await call(own)(editConfigTemplate, { body: { id: made.id, name, description, values: { 'network.vlan': 8 } } });
  await eventually(() => expect(told.get(id)!.version).not.toBe(config.version));
  await load(address.file!, fanvil('0c383e000102'));
  await eventually(() => expect(ofDevice()).toEqual([config.version, told.get(id)!.version]));
});

test('an address opens no other file and no other device, and ends with the secret and the owner [EDGE-02/address]', async () => {
  const { own, id, address } = await configured('0c383e000103');
  const other = await configured('0c383e000104');
  const forged = `${address.folder.slice(0, -2)}A/0c383e000103.cfg`;
  for (const url of [
    `${address.folder}0c383e000104.cfg`,
    `${address.folder}0c383e000103.xml`,
    `${address.folder}..%2f0c383e000103.cfg`,
    forged === address.file ? `${address.folder.slice(0, -2)}B/0c383e000103.cfg` : forged,
    `/api/f/config/${'A'.repeat(86)}/0c383e000103.cfg`,
    '/api/f/config/x/0c383e000103.cfg',
  ])
    expect(await statusOf(url), url).toBe(404);
  await tell(own, id, '0c383e000103', { enabled: false });
  await eventually(async () => expect(await statusOf(address.file!)).toBe(404));
  await tell(own, id, '0c383e000103');
  await eventually(async () => expect(await statusOf(address.file!)).toBe(200));
  await tell(own, id, '0c383e000103', { secretMark: 'mark2' });
  await eventually(async () => expect(await statusOf(address.file!)).toBe(404));
  const renewed = await call(own)(getDeviceConfigAddress, { params: { id } });
  expect([renewed.file === address.file, await statusOf(renewed.file!)]).toEqual([false, 200]);
  await tell(own, id, '0c383e000103', { secretMark: 'mark2', ownerEpoch: 2 });
  await eventually(async () => expect(await statusOf(renewed.file!)).toBe(404));
  expect(await statusOf(other.address.file!)).toBe(200);
});

test('the link of a command gives what it named although the template changed, and ends with time and owner', async () => {
  const { own, id, made, config } = await configured('0c383e000105');
  const grant: DownloadGrant = {
    companyId: own.companyId,
    deviceId: id,
    ownerEpoch: 1,
    taskId: uuidv7(),
    commandId: uuidv7(),
    fileId: config.contentId,
    beginBy: Date.now() + 60_000,
    until: Date.now() + 60_000,
  };
  const link = (more: Partial<DownloadGrant> = {}, signedWith = service.contextKey) =>
    fillPath(loadDeviceConfig.path, {
      token: downloadToken(downloadKey(signedWith), { ...grant, ...more }),
      file: config.fileName,
    });
  await call(own)(editConfigTemplate, {
    body: { id: made.id, name: made.name, description: '', values: { 'network.vlan': 9 } },
  });
  await eventually(() => expect(told.get(id)!.version).not.toBe(config.version));
  const { status, text } = await load(link());
  expect([status, Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]).toEqual([
    200,
    config.size,
    config.sha256,
  ]);
  const elsewhere = await configured('0c383e000106');
  for (const [why, url] of Object.entries({
    late: link({ beginBy: Date.now() - 2_000 }),
    owner: link({ ownerEpoch: 2 }),
    company: link({ companyId: elsewhere.own.companyId }),
    'content of another company': link({ fileId: elsewhere.config.contentId }),
    'unknown content': link({ fileId: uuidv7() }),
    signature: link({}, Buffer.alloc(32)),
  }))
    expect(await statusOf(url), why).toBe(404);
});

test('a line registers the account that it was given, and is switched off when it loses it [CFG-01/lines]', async () => {
  const own = newActor();
  const id = uuidv7();
  const mac = '0c383e000107';
  const server = await call(own)(addSipServer, {
    body: {
      name: 'PBX',
      address: 'pbx.example',
      port: 5060,
      transport: 'udp',
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    },
  });
  const fields = { name: 'Ann', number: '201', displayName: 'Ann', serverId: server.id };
  const account = await call(own)(addSipAccount, { body: { ...fields, authPassword: 'wallaby-93' } });
  const withLine = { accounts: [{ line: 2, accountId: account.id, status: 'unregistered' }] };
  await tell(own, id, mac, withLine);
  const textOf = async () => {
    const { folder } = await call(own)(getDeviceConfigAddress, { params: { id } });
    return (await load(`${folder}${mac}.txt`)).text;
  };
  await eventually(async () => expect(await textOf()).toContain('account.2.password = wallaby-93\n'));
  const text = await textOf();
  expect(text).toContain('account.2.enable = 1\n');
  expect(text).toContain('account.2.user = 201\n');
  expect(text).toContain('account.2.server = pbx.example\n');
  const { lines, values } = await call(own)(getDeviceConfig, { params: { id } });
  expect([lines, values]).toEqual([
    [{ line: 2, account: { id: account.id, name: 'Ann', number: '201' }, server: 'PBX' }],
    [],
  ]);
  const first = await eventually(() => {
    expect(told.get(id)).toBeDefined();
    return told.get(id)!;
  });
  expect(JSON.stringify(first)).not.toContain('wallaby');
  const stored = await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query<{ text: string }>('select x::text as text from config_content x'),
  );
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0]!.text).not.toMatch(/wallaby|"201"|pbx\.example/);

  // A registration changes nothing; a password and a server do.
  await tell(own, id, mac, { accounts: [{ line: 2, accountId: account.id, status: 'registered' }] });
  await call(own)(editSipAccount, { body: { id: account.id, ...fields, authPassword: 'quokka-17' } });
  await eventually(async () => expect(await textOf()).toContain('account.2.password = quokka-17\n'));
  const { updatedAt: _, accounts: __, assigned: ___, unassigned: ____, devices: _____, ...edited } = server;
  await call(own)(editSipServer, { body: { ...edited, address: 'pbx2.example' } });
  await eventually(async () => expect(await textOf()).toContain('account.2.server = pbx2.example\n'));
  await tell(own, id, mac, { accounts: [] });
  await eventually(async () => expect(await textOf()).toMatch(/^# [0-9a-f]+\naccount\.2\.enable = 0\n$/));
  expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ lines: [], emptied: [2] });
  // The same content has the same version again.
  await call(own)(editSipServer, { body: { ...edited, address: 'pbx.example' } });
  await call(own)(editSipAccount, { body: { id: account.id, ...fields, authPassword: 'wallaby-93' } });
  await tell(own, id, mac, withLine);
  await eventually(() => expect(told.get(id)!.version).toBe(first.version));
  // The syntax of some makers has names for a few lines only.
  const accounts = [6, 7].map((line) => ({ ...withLine.accounts[0], line }));
  await tell(own, id, mac, { model: 'GXV3370', accounts });
  await eventually(async () =>
    expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ linesWithoutName: [7] }),
  );
});

test('a template of an organization, site, group or device is for these devices, and follows them [CFG-01/levels]', async () => {
  const own = newActor();
  const [id, campus, house, group] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const { companyId } = own;
  const site = (siteId: string, parentId: string | null, at: number) =>
    bus.publish([
      toRecord(
        orgSite,
        siteId,
        {
          id: siteId,
          companyId,
          parentId,
          name: siteId === campus ? 'Campus' : 'House',
          segments: [],
          autoAssign: false,
        },
        envelope('site', { companyId, version: at }),
      ),
    ]);
  await bus.publish([
    toRecord(
      deviceGroupState,
      group,
      { id: group, companyId, orgId: own.orgId, name: 'Desks' },
      envelope('group', { companyId, version: 1 }),
    ),
  ]);
  await site(campus, null, 1);
  await site(house, campus, 1);
  await tell(own, id, '0c383e000108', { siteId: house, groupIds: [group] });
  const add = (level: 'site' | 'group' | 'device', target: string, vlan: number) =>
    eventually(() =>
      call(own)(addConfigTemplate, {
        body: { name: `${level} ${vlan}`, description: '', level, target, values: { 'network.vlan': vlan } },
      }),
    );
  const vlan = async () => {
    const { values } = await call(own)(getDeviceConfig, { params: { id } });
    return values.flatMap((v) => [v.value, ...v.overridden.map((o) => o.value)]);
  };
  await eventually(() => call(own)(getDeviceConfig, { params: { id } }));
  expect(await add('site', campus, 3)).toMatchObject({ targetName: 'Campus', devices: 1 });
  await add('site', house, 4);
  expect(await add('group', group, 6)).toMatchObject({ targetName: 'Desks', devices: 1 });
  expect(await add('device', id, 8)).toMatchObject({ targetName: 'Phone', devices: 1 });
  expect(await vlan()).toEqual([8, 6, 4, 3]);
  await site(house, null, 2);
  await eventually(async () => expect(await vlan()).toEqual([8, 6, 4]));
  await tell(own, id, '0c383e000108', { siteId: campus, groupIds: [] });
  await eventually(async () => expect(await vlan()).toEqual([8, 3]));
  const unknown = { level: 'device' as const, target: uuidv7(), values: { 'network.vlan': 1 } };
  await expect(
    call(own)(addConfigTemplate, { body: { name: 'Nobody', description: '', ...unknown } }),
  ).rejects.toMatchObject({ error: 'configTemplate.targetMissing' });
});

test('a device whose last template was deleted has no configuration, also after an upgrade [CFG-01/ended]', async () => {
  const { own, id, made, config, address } = await configured('0c383e000112');
  const one = () => call(own)(getDeviceConfig, { params: { id } });
  await call(own)(deleteConfigTemplate, { query: { id: made.id } });
  await eventually(() => expect(told.has(id)).toBe(false));
  expect(await one()).toMatchObject({ version: null, values: [], lines: [], emptied: [] });
  expect(await statusOf(address.file!)).toBe(404);
  await call(own)(restoreConfigTemplates, { body: { ids: [made.id] } });
  await eventually(() => expect(told.get(id)?.version).toBe(config.version));
  // Some makers apply a file only when its version is higher than that of the last one.
  expect(revisions.get(id)).toBe(3);
  // Earlier releases kept an empty configuration. The upgrade makes the device due (upgrade.it.ts).
  await transaction(service.database, companySession(own.companyId), async () => {
    await currentSql().query('delete from config_template where id = $1', [made.id]);
    await currentSql().query('insert into config_due (id, company_id, since) values ($1, $2, now())', [
      id,
      own.companyId,
    ]);
  });
  service.app.get(DeviceConfigLoop).wake();
  await eventually(() => expect(told.has(id)).toBe(false));
  expect(await one()).toMatchObject({ version: null });
});

test('a password that no key opens leaves its device as it is, and the others get theirs', async () => {
  const { own, id, config } = await configured('0c383e000109');
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await call(own)(addSipServer, {
    body: { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const account = await call(own)(addSipAccount, {
    body: { name: 'Ann', number: '201', displayName: 'Ann', serverId: server.id, authPassword: 'wallaby-93' },
  });
  await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query(`update sip_account set auth_password = '1.AAAA' where id = $1`, [account.id]),
  );
  const other = uuidv7();
  await tell(own, id, '0c383e000109', { accounts: [{ line: 1, accountId: account.id, status: 'unregistered' }] });
  await tell(own, other, '0c383e000110');
  await eventually(() => expect(told.get(other)?.version).toBe(config.version));
  expect(told.get(id)!.version).toBe(config.version);
});

test('a content is kept as long as a command may name it, also after it was replaced', async () => {
  const { own, id, made, config } = await configured('0c383e000111');
  const inOwn = (sql: string, values: unknown[] = []) =>
    transaction(service.database, companySession(own.companyId), () => currentSql().query(sql, values));
  await inOwn(`update config_content set used_at = now() - interval '9 days'`);
  const edit = (vlan: number) =>
    call(own)(editConfigTemplate, {
      body: { id: made.id, name: made.name, description: '', values: { 'network.vlan': vlan } },
    });
  const retention = service.app.get(ConfigContentRetention);
  const kept = async () =>
    (await inOwn('select 1 as one from config_content where id = $1', [config.contentId])).rowCount;
  await retention.forget();
  expect(await kept()).toBe(1);
  await edit(8);
  await eventually(() => expect(told.get(id)!.version).not.toBe(config.version));
  await retention.forget();
  expect(await kept()).toBe(1);
  await inOwn(`update config_content set used_at = now() - interval '4 days'`);
  await retention.forget();
  expect(await kept()).toBe(0);
});
