import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addSipAccount,
  addSipAccountExport,
  addSipAccountImport,
  addSipServer,
  addSipServerImport,
  addSite,
  assignAccount,
  commitSipAccountImport,
  commitSipServerImport,
  deleteDevices,
  deleteSipServer,
  editSipAccount,
  editSipServer,
  getProvisioningExport,
  getProvisioningExportFile,
  getSipAccount,
  getSipAccountImport,
  getSipServer,
  getSipServerImport,
  listDeviceLines,
  listDevices,
  listSipAccounts,
  listSipServers,
  sipAccountImport,
  sipServerImport,
  unassignAccount,
  type RouteInput,
} from '@carillon/contracts';
import { devicePlace, eventually, inPieces, rowsOfSheet, sheetFile } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.start({ name: 'sip', devices: 5 });
  await platform.allOnline(5);
});
afterAll(() => platform?.close());

type Server = RouteInput<typeof addSipServer>['body'];
type Account = RouteInput<typeof addSipAccount>['body'];
const server = (name: string, more: Partial<Server> = {}): Server => ({
  name,
  address: 'pbx.zz.example',
  port: 5061,
  transport: 'tls',
  domain: 'zz.example',
  proxyAddress: 'proxy.zz.example',
  proxyPort: 5062,
  backupAddress: 'backup.zz.example',
  backupPort: 5063,
  ...more,
});
/** Creates a file with the columns of the template. */
const sheet = (fields: Readonly<Record<string, { title: { en_US: string } }>>, rows: Record<string, string>[]) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return inPieces(
    sheetFile([names.map((name) => fields[name]!.title.en_US), ...rows.map((row) => names.map((n) => row[n] ?? ''))]),
  );
};
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

it('a SIP server has all fields, counts its accounts and is imported from a sheet [ACC-01]', async () => {
  const { call } = platform;
  const found = async (search: string) => (await call(listSipServers, { query: { search } })).records;
  // The address may be a URL.
  const made = await call(addSipServer, { body: server('Zz PBX', { address: 'sip:pbx.zz.example' }) });
  const { id } = made;
  const counts = { accounts: 0, assigned: 0, unassigned: 0, devices: 0 };
  expect(made).toEqual({ id, ...server('Zz PBX'), ...counts, updatedAt: made.updatedAt });
  expect(await found('Zz PBX')).toEqual([made]);

  for (const number of ['7001', '7002'])
    await call(addSipAccount, { body: { name: `Zz ${number}`, number, serverId: id } });
  const [account] = (await call(listSipAccounts, { query: { search: '7001' } })).records;
  const [device] = (await call(listDevices, { query: { limit: 1 } })).records;
  await eventually(() => call(assignAccount, { body: { deviceId: device!.id, accountId: account!.id, line: 5 } }));
  await eventually(async () =>
    expect(await call(getSipServer, { params: { id } })).toMatchObject({ accounts: 2, assigned: 1, unassigned: 1 }),
  );

  const changed = server('Zz PBX 2', { port: 5060, transport: 'udp', proxyAddress: null, proxyPort: null, domain: '' });
  expect(await call(editSipServer, { body: { id, ...changed } })).toMatchObject({ id, ...changed });
  expect(await found('Zz PBX')).toMatchObject([{ id, ...changed, accounts: 2, assigned: 1, unassigned: 1 }]);

  expect(await refusal(call(deleteSipServer, { query: { id } }))).toBe('sipServer.inUse');
  expect((await found('Zz PBX')).map((s) => s.id)).toEqual([id]);
  const chosen = await call(addSipServer, { body: server('Zz chosen') });
  const place = { ...(await devicePlace(call)), serverId: chosen.id };
  const { device: its } = await eventually(() =>
    call(addDevice, { body: { ...place, mac: '0c383e5e0001', name: 'Zz chosen', model: 'X7A', sn: 'ZC1' } }),
  );
  await eventually(async () => expect(await found('Zz chosen')).toMatchObject([{ accounts: 0, devices: 1 }]));
  expect(await refusal(call(deleteSipServer, { query: { id: chosen.id } }))).toBe('sipServer.inUse');
  await call(deleteDevices, { query: { ids: [its.id] } });
  await eventually(() => call(deleteSipServer, { query: { id: chosen.id } }));
  expect(await found('Zz chosen')).toEqual([]);

  const { import: read } = await call(addSipServerImport, {
    body: {
      name: 'servers.xlsx',
      file: sheet(sipServerImport, [
        { name: 'Zz imported', address: 'new.zz.example', port: '5070', transport: 'TCP' },
        { name: 'Zz PBX 2', address: 'moved.zz.example', port: '', transport: '' },
      ]),
    },
  });
  const params = { id: read!.id };
  await eventually(async () =>
    expect(await call(getSipServerImport, { params })).toMatchObject({
      status: 'checked',
      counts: { add: 1, update: 1 },
    }),
  );
  expect(await found('Zz imported')).toEqual([]);
  await call(commitSipServerImport, { params });
  await eventually(async () => expect((await call(getSipServerImport, { params })).status).toBe('done'));
  expect(await found('Zz imported')).toMatchObject([{ address: 'new.zz.example', port: 5070, transport: 'tcp' }]);
  expect(await found('moved.zz')).toMatchObject([{ id, ...changed, address: 'moved.zz.example', accounts: 2 }]);
});

it('a SIP account has all fields, its lines and state, and never shows its passwords [ACC-02]', async () => {
  const { call } = platform;
  const said: string[] = [];
  const seen = <T>(answer: T): T => (said.push(JSON.stringify(answer)), answer);
  const { id: serverId } = await call(addSipServer, { body: server('Zz accounts') });
  const site = await call(addSite, {
    body: { name: 'Zz site', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const secrets = ['auth', 'proxy', 'voicemail', 'imported'].map((field) => `Zz-secret-${field}-2b1f77e0`);
  const fields = {
    name: 'Zz reception',
    number: '7100',
    displayName: 'Front desk',
    serverId,
    siteId: site.id,
    authUser: 'auth7100',
    proxyUser: 'proxy7100',
    voicemailNumber: '*97',
  } satisfies Account;
  const passwords = { authPassword: secrets[0], proxyPassword: secrets[1], voicemailPassword: secrets[2] };
  // The service learns of the site a moment later.
  const made = seen(await eventually(() => call(addSipAccount, { body: { ...fields, ...passwords } })));
  const { id } = made;
  const { serverId: _, siteId: __, ...plain } = fields;
  const shown = {
    ...plain,
    server: { id: serverId, name: 'Zz accounts' },
    site: { id: site.id, name: 'Zz site' },
    fcs: false,
    closed: false,
    authPasswordSet: true,
    proxyPasswordSet: true,
    voicemailPasswordSet: true,
  };
  expect(made).toEqual({
    id,
    orgId: made.orgId,
    ...shown,
    status: 'unassigned',
    devices: [],
    updatedAt: made.updatedAt,
  });
  const edited = seen(await call(editSipAccount, { body: { id, ...fields, displayName: 'Reception' } }));
  expect(edited).toMatchObject({ ...shown, displayName: 'Reception' });

  const devices = (await call(listDevices, { query: { limit: 2 } })).records;
  for (const [device, line] of [
    [devices[0]!, 2],
    [devices[1]!, 1],
  ] as const) {
    await eventually(() => call(assignAccount, { body: { deviceId: device.id, accountId: id, line } }));
    await platform.simulator('/state', {
      mac: device.mac,
      lines: [1, 2].map((n) => ({ line: n, status: 'registered', account: '7100' })),
    });
  }
  const assigned = [
    { deviceId: devices[0]!.id, device: devices[0]!.name, mac: devices[0]!.mac, line: 2 },
    { deviceId: devices[1]!.id, device: devices[1]!.name, mac: devices[1]!.mac, line: 1 },
  ];
  await eventually(async () => {
    const now = seen(await call(getSipAccount, { params: { id } }));
    expect(now.status).toBe('registered');
    expect(now.devices).toHaveLength(2);
    expect(now.devices).toEqual(expect.arrayContaining(assigned));
  });
  const lines = seen(await call(listDeviceLines, { query: { deviceId: devices[0]!.id } }));
  expect(lines.find(({ line }) => line === 2)?.account).toMatchObject({ id, number: '7100', server: 'Zz accounts' });
  await call(unassignAccount, { query: { deviceId: devices[1]!.id, line: 1 } });
  await eventually(async () => expect((await call(getSipAccount, { params: { id } })).devices).toEqual([assigned[0]]));

  const { import: read } = await call(addSipAccountImport, {
    body: {
      name: 'accounts.xlsx',
      file: sheet(sipAccountImport, [
        { number: '7101', server: 'Zz accounts', name: 'Zz imported', authUser: 'auth7101', authPassword: secrets[3]! },
        { number: '7102', server: 'Nowhere', name: 'Zz wrong', authUser: '', authPassword: '' },
      ]),
    },
  });
  const params = { id: seen(read)!.id };
  await eventually(async () =>
    expect(seen(await call(getSipAccountImport, { params }))).toMatchObject({
      status: 'checked',
      counts: { add: 1, wrong: 1 },
    }),
  );
  await call(commitSipAccountImport, { params });
  await eventually(async () => expect((await call(getSipAccountImport, { params })).status).toBe('done'));
  const listed = seen((await call(listSipAccounts, { query: { search: '71', sort: 'number' } })).records);
  expect(listed).toMatchObject([
    { ...shown, displayName: 'Reception' },
    { number: '7101', name: 'Zz imported', authUser: 'auth7101', authPasswordSet: true, proxyPasswordSet: false },
  ]);

  const keys = ['number', 'name', 'server', 'site', 'authUser', 'authPassword', 'devices'] as const;
  const columns = keys.map((key) => ({ key, title: key }));
  const order = seen(await call(addSipAccountExport, { body: { filter: { search: '71' }, sort: 'number', columns } }));
  await eventually(async () =>
    expect((await call(getProvisioningExport, { params: { id: order.id } })).status).toBe('success'),
  );
  const answer = await fetch(platform.ready.url + getProvisioningExportFile.path.replace('{id}', order.id), {
    headers: { 'carillon-auth': platform.authorization },
  });
  const rows = rowsOfSheet(Buffer.from(await answer.arrayBuffer()));
  seen(rows);
  expect(rows.map((row) => row.slice(0, 5))).toEqual([
    keys.slice(0, 5),
    ['7100', 'Zz reception', 'Zz accounts', 'Zz site', 'auth7100'],
    ['7101', 'Zz imported', 'Zz accounts', '', 'auth7101'],
  ]);

  // Another field of the account is stored in clear text, which proves that the search works.
  const stored = filesOf(platform.folder);
  const holds = (text: string) => stored.filter((file) => bytesOf(file).includes(text));
  expect(holds('auth7100')).not.toEqual([]);
  for (const secret of secrets) {
    expect(said.join('\n')).not.toContain(secret);
    expect(holds(secret)).toEqual([]);
  }
});

/** Returns every file of an installation: tables, write-ahead logs and the files of its processes. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns an empty buffer when PostgreSQL has removed the file in between. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}
