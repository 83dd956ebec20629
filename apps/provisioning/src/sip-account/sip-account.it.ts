import { expect, test } from 'vitest';
import {
  addSipServer,
  deleteSipAccounts,
  deleteSipServer,
  editSipAccount,
  editSipServer,
  getSipAccount,
  getSipServer,
  listSipAccounts,
  listSipServers,
  orgOrganization,
  orgTransfer,
  restoreSipAccounts,
  restoreSipServers,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { CompanySecrets } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { publishDevice } from '../testing/publish-device.ts';
import { placeOf } from './sip-account.service.ts';
import { plain, startSipAccounts } from './sip-account-test.ts';

const { bus, service, published, own, stranger, call, newServer, newAccount } = await startSipAccounts();

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const otherKey = 'c29tZSBvdGhlciBrZXksIG5vdCB0aGUgZmlyc3QgMTIzNDU';
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields?: { path: string; error: string }[] }) => [
      e.error,
      ...(e.fields ?? []).map((f) => `${f.path}: ${f.error}`),
    ],
  );
const inCompany = async (sql: string, values: unknown[] = []) =>
  (
    await transaction(service.database, companySession(own.companyId), () =>
      currentSql().query<Record<string, string | null>>(sql, values),
    )
  ).rows;

test('a SIP server is added, edited, found, deleted when unused, and restored [ACC-01/server]', async () => {
  const made = await call()(addSipServer, {
    body: {
      name: 'Main PBX',
      address: ' SIP:PBX.Example.com ',
      port: 5061,
      transport: 'tls',
      domain: 'voice.example.com',
      proxyAddress: '10.0.0.7',
      proxyPort: 5080,
      backupAddress: '[2001:db8::7]',
      backupPort: null,
    },
  });
  expect(made).toMatchObject({
    name: 'Main PBX',
    address: 'pbx.example.com',
    port: 5061,
    transport: 'tls',
    domain: 'voice.example.com',
    proxyAddress: '10.0.0.7',
    proxyPort: 5080,
    backupAddress: '[2001:db8::7]',
    backupPort: null,
    accounts: 0,
    assigned: 0,
    unassigned: 0,
  });
  for (const search of ['main', 'pbx.ex', 'voice', '10.0.0.7', 'db8::7'])
    expect((await call()(listSipServers, { query: { search } })).records.map((s) => s.id)).toEqual([made.id]);
  expect((await call()(listSipServers, { query: { search: '%' } })).total).toBe(0);
  expect((await call()(listSipServers, { query: { transport: ['udp'] } })).total).toBe(0);
  expect(await refusal(newServer('mAIN pbx'))).toEqual(['sipServer.nameTaken', 'name: sipServer.nameTaken']);
  expect(
    await refusal(call()(addSipServer, { body: { ...plain, name: 'P', address: 'a.example', proxyPort: 5060 } })),
  ).toEqual(['sipServer.portWithoutAddress', 'proxyAddress: sipServer.portWithoutAddress']);
  for (const address of ['http://pbx', 'pbx.example.com:5060', 'a b', '', '-x'])
    expect(await refusal(call()(addSipServer, { body: { ...plain, name: 'P', address } }))).toEqual([
      'common.invalid',
      'address: common.hostName',
    ]);
  const edited = await call()(editSipServer, {
    body: { ...plain, id: made.id, name: 'Main', address: 'pbx2.example.com' },
  });
  expect(edited).toMatchObject({ name: 'Main', address: 'pbx2.example.com', proxyAddress: null, domain: '' });

  const account = await newAccount(made.id, '2001');
  expect(await call()(getSipServer, { params: { id: made.id } })).toMatchObject({
    accounts: 1,
    assigned: 0,
    unassigned: 1,
  });
  expect(await refusal(call()(deleteSipServer, { query: { id: made.id } }))).toEqual(['sipServer.inUse']);
  await call()(deleteSipAccounts, { query: { ids: [account.id] } });
  const device = uuidv7();
  await publishDevice(bus, own, device, { serverId: made.id });
  await eventually(async () =>
    expect(await call()(getSipServer, { params: { id: made.id } })).toMatchObject({ accounts: 0, devices: 1 }),
  );
  expect(await refusal(call()(deleteSipServer, { query: { id: made.id } }))).toEqual(['sipServer.inUse']);
  await publishDevice(bus, own, device, null);
  await eventually(() => call()(deleteSipServer, { query: { id: made.id } }));
  expect(await refusal(call()(getSipServer, { params: { id: made.id } }))).toEqual(['common.notFound']);
  expect(await call()(restoreSipServers, { body: { ids: [made.id] } })).toEqual({ restored: 1 });
  expect(await call()(getSipServer, { params: { id: made.id } })).toMatchObject({ name: 'Main', accounts: 0 });
  // A user of some organizations would change what accounts of other organizations register with.
  const narrow = { ...own, orgIds: [own.orgId] };
  expect(
    await Promise.all([
      refusal(newServer('Theirs', narrow)),
      refusal(call(narrow)(editSipServer, { body: { ...plain, id: made.id, name: 'X', address: 'x.example' } })),
      refusal(call(narrow)(deleteSipServer, { query: { id: made.id } })),
      refusal(call(narrow)(restoreSipServers, { body: { ids: [made.id] } })),
    ]),
  ).toEqual([['sipServer.narrowed'], ['sipServer.narrowed'], ['sipServer.narrowed'], ['sipServer.narrowed']]);
});

test('SIP servers are sorted by each column, page by page, with the exact count', async () => {
  const names = ['Zulu', 'alpha', 'Mike'];
  const made: { id: string }[] = [];
  for (const name of names) made.push(await newServer(name));
  await newAccount(made[2]!.id, '1');
  const listed = async (sort: string) =>
    (await call()(listSipServers, { query: { search: 'example.com', sort: sort as 'name', limit: 200 } })).records
      .map((s) => s.name)
      .filter((name) => names.includes(name));
  expect(await listed('name')).toEqual(['alpha', 'Mike', 'Zulu']);
  expect(await listed('-name')).toEqual(['Zulu', 'Mike', 'alpha']);
  expect((await listed('-accounts'))[0]).toBe('Mike');
  for (const sort of ['address', 'port', 'transport', 'assigned', 'unassigned', 'updatedAt'])
    expect((await listed(sort)).toSorted()).toEqual(names.toSorted());
  const { total } = await call()(listSipServers, { query: {} });
  const pages = await Promise.all(
    Array.from({ length: total }, (_, i) => call()(listSipServers, { query: { page: i + 1, limit: 1 } })),
  );
  expect(new Set(pages.flatMap((p) => p.records.map((s) => s.id))).size).toBe(total);
  expect(pages.every((p) => p.total === total)).toBe(true);
});

test('passwords are bound to their row and appear in no answer, list, event or log [ACC-02/passwords]', async () => {
  const server = await newServer('Sealed');
  const secrets = { authPassword: 'Auth-Secret-77', proxyPassword: 'Proxy-Secret-77', voicemailPassword: '7777-Voice' };
  const words = Object.values(secrets);
  const account = await newAccount(server.id, '3001', { authUser: 'auth3001', proxyUser: 'p', ...secrets });
  expect(account).toMatchObject({
    authUser: 'auth3001',
    authPasswordSet: true,
    proxyPasswordSet: true,
    voicemailPasswordSet: true,
  });
  const answers = [
    account,
    await call()(getSipAccount, { params: { id: account.id } }),
    await call()(listSipAccounts, { query: { search: '3001' } }),
    await call()(editSipAccount, {
      body: { id: account.id, name: 'Renamed', number: '3001', serverId: server.id, authUser: 'auth3001' },
    }),
  ];
  const rows = await inCompany('select * from sip_account where id = $1', [account.id]);
  const keys = await inCompany('select * from data_key');
  await eventually(() => expect(published.filter((m) => m.text?.includes('Renamed')).length).toBeGreaterThanOrEqual(2));
  const everything = JSON.stringify([answers, rows, keys, published]);
  expect(words.filter((word) => everything.includes(word))).toEqual([]);

  // They can be opened with the installation's key.
  const { auth_password: auth, proxy_password: proxy } = rows[0]!;
  const opened = (place: string, sealed: string, installation = key) =>
    runAs(systemContext(own.companyId), () =>
      transaction(service.database, companySession(own.companyId), () =>
        new CompanySecrets(Buffer.from(installation, 'base64url')).open(place, sealed),
      ),
    );
  expect(await opened(placeOf('authPassword', account.id), auth!)).toBe(secrets.authPassword);
  // But not for another row or column, with another installation's key, or after a change.
  await expect(opened(placeOf('authPassword', uuidv7()), auth!)).rejects.toThrow('cannot be opened');
  await expect(opened(placeOf('authPassword', account.id), proxy!)).rejects.toThrow('cannot be opened');
  await expect(opened(placeOf('authPassword', account.id), auth!, otherKey)).rejects.toThrow('another installation');
  await expect(opened(placeOf('authPassword', account.id), `${auth!.slice(0, -2)}AA`)).rejects.toThrow();
  // The same password has two different ciphertexts.
  const twin = await newAccount(server.id, '3002', { authPassword: secrets.authPassword });
  const [other] = await inCompany('select auth_password from sip_account where id = $1', [twin.id]);
  expect(other!['auth_password']).not.toBe(auth);

  // An absent password stays; null removes it.
  const body = { id: account.id, name: 'Renamed', number: '3001', serverId: server.id };
  expect(await call()(editSipAccount, { body: { ...body, proxyPassword: null } })).toMatchObject({
    authPasswordSet: true,
    proxyPasswordSet: false,
    voicemailPasswordSet: true,
  });
  await call()(editSipAccount, { body: { ...body, authPassword: 'New-Secret-88' } });
  const [changed] = await inCompany('select auth_password from sip_account where id = $1', [account.id]);
  expect(await opened(placeOf('authPassword', account.id), changed!['auth_password']!)).toBe('New-Secret-88');
});

test('an account is edited with all fields, and its number is unique per server [ACC-02/fields]', async () => {
  const [server, second] = [await newServer('Fields'), await newServer('Fields two')];
  const account = await newAccount(server.id, '4001', {
    displayName: 'Reception',
    authUser: 'u4001',
    voicemailNumber: '*97',
  });
  expect(account).toMatchObject({
    name: 'Account 4001',
    number: '4001',
    displayName: 'Reception',
    server: { id: server.id, name: 'Fields' },
    site: null,
    authUser: 'u4001',
    voicemailNumber: '*97',
    status: 'unassigned',
    devices: [],
    orgId: own.orgId,
  });
  expect(await refusal(newAccount(server.id, '4001'))).toEqual([
    'sipAccount.numberTaken',
    'number: sipAccount.numberTaken',
  ]);
  const elsewhere = await newAccount(second.id, '4001');
  expect(elsewhere.server.name).toBe('Fields two');
  for (const number of ['40 01', 'a@b', 'ü', '4001;x'])
    expect(await refusal(newAccount(server.id, number))).toEqual([
      'sipAccount.numberFormat',
      'number: sipAccount.numberFormat',
    ]);
  expect([
    await refusal(newAccount(uuidv7(), '4002')),
    await refusal(newAccount(server.id, '4002', { siteId: uuidv7() })),
    await refusal(newAccount(server.id, '4002', { orgId: uuidv7() })),
    await refusal(newAccount(server.id, '4002', {}, stranger)),
  ]).toEqual([['common.notFound'], ['common.notFound'], ['common.notFound'], ['common.notFound']]);
  const { total } = await call()(listSipAccounts, { query: { server: [server.id] } });
  expect(total).toBe(1);
  for (const sort of ['name', 'number', 'displayName', 'server', 'site', 'authUser', 'status', 'updatedAt'] as const)
    expect((await call()(listSipAccounts, { query: { server: [server.id, second.id], sort } })).total).toBe(2);
  expect((await call()(listSipAccounts, { query: { site: ['none'], server: [second.id] } })).total).toBe(1);
  // A new name of its server is published with the account.
  await call()(editSipServer, { body: { ...plain, id: server.id, name: 'Fields renamed', address: 'f.example.com' } });
  await eventually(() => expect(published.findLast((m) => m.key === account.id)?.text).toContain('Fields renamed'));
});

test('an account is seen, moved, deleted and restored in its organization only [ACC-02/organization]', async () => {
  const server = await newServer('Organizations');
  const [mine, theirs] = [uuidv7(), uuidv7()];
  await bus.publish(
    [mine, theirs].map((id) =>
      toRecord(
        orgOrganization,
        id,
        { id, companyId: own.companyId, name: id, description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: own.companyId, version: 1 }),
      ),
    ),
  );
  const account = await eventually(() => newAccount(server.id, '5001', { orgId: mine }));
  const narrow = { ...own, orgId: theirs, orgIds: [theirs] };
  const inMine = { ...own, orgId: mine, orgIds: [mine] };
  expect((await call(narrow)(listSipAccounts, { query: { server: [server.id] } })).total).toBe(0);
  expect((await call(inMine)(listSipAccounts, { query: { server: [server.id] } })).total).toBe(1);
  expect([
    await refusal(call(narrow)(getSipAccount, { params: { id: account.id } })),
    await refusal(
      call(narrow)(editSipAccount, { body: { id: account.id, name: 'X', number: '5', serverId: server.id } }),
    ),
    await refusal(call(narrow)(deleteSipAccounts, { query: { ids: [account.id] } })),
    await refusal(newAccount(server.id, '5002', { orgId: mine }, narrow)),
  ]).toEqual([['common.notFound'], ['common.notFound'], ['common.notFound'], ['common.notFound']]);
  await bus.publish([
    toRecord(
      orgTransfer,
      own.companyId,
      { fromId: mine, toId: theirs },
      envelope('transfer', { companyId: own.companyId }),
    ),
  ]);
  await eventually(async () =>
    expect((await call(narrow)(listSipAccounts, { query: { server: [server.id] } })).total).toBe(1),
  );
  expect(await call(narrow)(deleteSipAccounts, { query: { ids: [account.id] } })).toEqual({ deleted: 1 });
  await eventually(() => expect(published.findLast((m) => m.key === account.id)?.name).toBe(null));
  expect(
    await refusal(call({ ...narrow, userId: uuidv7() })(restoreSipAccounts, { body: { ids: [account.id] } })),
  ).toEqual(['common.restoreOver']);
  expect(await call(narrow)(restoreSipAccounts, { body: { ids: [account.id] } })).toEqual({ restored: 1 });
  await eventually(() => expect(published.findLast((m) => m.key === account.id)?.name).toBe('Account 5001'));
  // Versions rise, so that consumers can ignore events that arrive out of order.
  const versions = published.filter((m) => m.key === account.id).map((m) => m.version);
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(versions.length);
});
