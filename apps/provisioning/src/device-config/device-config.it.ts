import { expect, test } from 'vitest';
import {
  addConfigTemplate,
  addSipAccount,
  addSipServer,
  deleteConfigTemplate,
  deviceGroupState,
  editConfigTemplate,
  editSipAccount,
  editSipServer,
  getDeviceConfig,
  getDeviceConfigAddress,
  orgSite,
  restoreConfigTemplates,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { ConfigContentRetention } from './config-content.retention.ts';
import { DeviceConfigLoop } from './device-config.loop.ts';
import { startDeviceConfigs } from './device-config-test.ts';

const { bus, service, revisions, published, call, publish, load, statusOf, configured } = await startDeviceConfigs();

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
  await publish(own, id, mac, withLine);
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
    expect(published.get(id)).toBeDefined();
    return published.get(id)!;
  });
  expect(JSON.stringify(first)).not.toContain('wallaby');
  const stored = await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query<{ text: string }>('select x::text as text from config_content x'),
  );
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0]!.text).not.toMatch(/wallaby|"201"|pbx\.example/);

  // A registration changes nothing; a password and a server do.
  await publish(own, id, mac, { accounts: [{ line: 2, accountId: account.id, status: 'registered' }] });
  await call(own)(editSipAccount, { body: { id: account.id, ...fields, authPassword: 'quokka-17' } });
  await eventually(async () => expect(await textOf()).toContain('account.2.password = quokka-17\n'));
  const { updatedAt: _, accounts: __, assigned: ___, unassigned: ____, devices: _____, ...edited } = server;
  await call(own)(editSipServer, { body: { ...edited, address: 'pbx2.example' } });
  await eventually(async () => expect(await textOf()).toContain('account.2.server = pbx2.example\n'));
  await publish(own, id, mac, { accounts: [] });
  await eventually(async () => expect(await textOf()).toMatch(/^# [0-9a-f]+\naccount\.2\.enable = 0\n$/));
  expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ lines: [], emptied: [2] });
  // The same content has the same version again.
  await call(own)(editSipServer, { body: { ...edited, address: 'pbx.example' } });
  await call(own)(editSipAccount, { body: { id: account.id, ...fields, authPassword: 'wallaby-93' } });
  await publish(own, id, mac, withLine);
  await eventually(() => expect(published.get(id)!.version).toBe(first.version));
  // The syntax of some makers has names for a few lines only.
  const accounts = [6, 7].map((line) => ({ ...withLine.accounts[0], line }));
  await publish(own, id, mac, { model: 'GXV3370', accounts });
  await eventually(async () =>
    expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ linesWithoutName: [7] }),
  );
});

test('a template of an organization, site, group or device follows its devices [CFG-01/levels]', async () => {
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
  await publish(own, id, '0c383e000108', { siteId: house, groupIds: [group] });
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
  await publish(own, id, '0c383e000108', { siteId: campus, groupIds: [] });
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
  await eventually(() => expect(published.has(id)).toBe(false));
  expect(await one()).toMatchObject({ version: null, values: [], lines: [], emptied: [] });
  expect(await statusOf(address.file!)).toBe(404);
  await call(own)(restoreConfigTemplates, { body: { ids: [made.id] } });
  await eventually(() => expect(published.get(id)?.version).toBe(config.version));
  // Some makers apply a file only when its version is higher than that of the last one.
  expect(revisions.get(id)).toBe(3);
  // Earlier releases kept an empty configuration. The upgrade makes the device due (device-upgrade.it.ts).
  await transaction(service.database, companySession(own.companyId), async () => {
    await currentSql().query('delete from config_template where id = $1', [made.id]);
    await currentSql().query('insert into config_due (id, company_id, since) values ($1, $2, now())', [
      id,
      own.companyId,
    ]);
  });
  service.app.get(DeviceConfigLoop).wake();
  await eventually(() => expect(published.has(id)).toBe(false));
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
  await publish(own, id, '0c383e000109', { accounts: [{ line: 1, accountId: account.id, status: 'unregistered' }] });
  await publish(own, other, '0c383e000110');
  await eventually(() => expect(published.get(other)?.version).toBe(config.version));
  expect(published.get(id)!.version).toBe(config.version);
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
  await eventually(() => expect(published.get(id)!.version).not.toBe(config.version));
  await retention.forget();
  expect(await kept()).toBe(1);
  await inOwn(`update config_content set used_at = now() - interval '4 days'`);
  await retention.forget();
  expect(await kept()).toBe(0);
});
