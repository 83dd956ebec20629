import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client } from 'ldapts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addLdapServer,
  audit,
  deleteLdapServer,
  deleteMissingLdapAccounts,
  orgCompany,
  editLdapServer,
  getLdapServer,
  getPhonebookLinks,
  listLdapAccounts,
  listLdapServers,
  listPhonebookDevices,
  renewPhonebookLinks,
  restoreLdapServers,
  syncLdapServer,
  testLdapServer,
  withdrawPhonebookLinks,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';
import { testLdap, type Person, type TestLdap } from '@carillon/testing/ldap';
import { provisioningService } from '../provisioning.module.ts';
import { tellDevice } from '../testing/tell-device.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
let bus: PostgresBus;
let service: TestedService;
let ldap: TestLdap;
const stranger = newActor();
const audited: { action: string; result: string; companyId: string; text: string }[] = [];

/** 10,000 entries, so that every sync reads 20 pages. */
const many = 10_000;
const person = (at: number): Person => ({
  cn: `Person ${String(at).padStart(5, '0')}`,
  telephoneNumber: `+49 30 ${at}`,
  mail: `p${at}@example.com`,
  departmentNumber: at % 2 === 0 ? 'Sales' : 'Support',
  manager: `uid=p0,ou=people,dc=example,dc=com`,
});

beforeAll(async () => {
  ldap = await testLdap(Object.fromEntries(Array.from({ length: many }, (_, at) => [`p${at}`, person(at)])));
  bus = await testBus('ldap_bus');
  service = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: key,
    outboundAllowed: `localhost:${ldap.port},localhost:${ldap.tlsPort}`,
    ldapTickMs: 100,
    ldapLeaseSeconds: 2,
  });
  await bus.fanout({
    topics: ['audit.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, companyId } = fromRecord(audit, record)!;
        audited.push({ ...data!, companyId: companyId!, text: String(record.value) });
      }
    },
  });
}, 180_000);
afterAll(async () => {
  await service?.close();
  await bus?.close();
  await ldap?.stop();
});

const place = (more: object = {}) => ({
  host: ldap.host,
  port: ldap.tlsPort,
  security: 'ldaps' as const,
  checkCertificate: true,
  ca: ldap.ca,
  userName: ldap.user,
  base: ldap.base,
  filter: '(objectClass=person)',
  attributes: {
    name: 'cn',
    number: 'telephoneNumber',
    mailbox: 'mail',
    department: 'departmentNumber',
    supervisor: 'manager',
    adAccount: 'uid',
  },
  ...more,
});
const fields = (name: string, more: object = {}) => ({
  ...place(),
  name,
  enabled: true,
  cycle: 'off' as const,
  time: '02:00',
  weekday: 1,
  ...more,
});
const call = (as: Actor) => service.as(as);
const add = (as: Actor, name: string, more: object = {}) =>
  call(as)(addLdapServer, { body: { ...fields(name), password: ldap.password, ...more } });
const attempt = (as: Actor, more: object = {}) =>
  call(as)(testLdapServer, { body: { ...place(), password: ldap.password, ...more } });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const ended = (as: Actor, id: string, status: string, withinMs = 60_000) =>
  eventually(async () => {
    const server = await call(as)(getLdapServer, { params: { id } });
    expect([server.sync?.status, server.sync?.msg]).toEqual([status, status === 'success' ? null : expect.any(String)]);
    return server;
  }, withinMs);
const synced = async (as: Actor, id: string) => {
  await call(as)(syncLdapServer, { body: { id } });
  return ended(as, id, 'success');
};
const accounts = async (as: Actor, query: object = {}) =>
  call(as)(listLdapAccounts, { query: { limit: 200, ...query } as never });
const inCompany = async (as: Actor, sql: string, values: unknown[] = []) =>
  (
    await transaction(service.database, companySession(as.companyId), () =>
      currentSql().query<Record<string, unknown>>(sql, values),
    )
  ).rows;
const ports = (server: Server): number => (server.address() as AddressInfo).port;

test('a test shows ten mapped entries over LDAPS and StartTLS with checked certificates, or an error [ACC-04]', async () => {
  const own = newActor();
  for (const way of [{}, { security: 'starttls', port: ldap.port }, { security: 'none', port: ldap.port, ca: null }]) {
    const { entries } = await attempt(own, { ...way, search: 'Person 0000' });
    expect(entries).toHaveLength(10);
    expect(entries[1]).toEqual({
      dn: 'uid=p1,ou=people,dc=example,dc=com',
      name: 'Person 00001',
      number: '+49 30 1',
      mailbox: 'p1@example.com',
      department: 'Support',
      supervisor: 'Person 00000',
      adAccount: 'p1',
    });
  }
  for (const [way, error] of [
    [{ password: 'wrong' }, 'ldapServer.credentialsWrong'],
    [{ ca: null }, 'ldapServer.certificateWrong'],
    [{ ca: null, security: 'starttls', port: ldap.port }, 'ldapServer.certificateWrong'],
    [{ base: 'dc=nobody,dc=org' }, 'ldapServer.baseWrong'],
    [{ base: 'no dn' }, 'ldapServer.baseWrong'],
    [{ security: 'none' }, 'ldapServer.unreachable'],
    [{ filter: '(cn=*' }, 'ldapServer.filterWrong'],
    [{ ca: 'none' }, 'ldapServer.certificateFormat'],
  ] as const)
    expect([way, await refusal(attempt(own, way))]).toEqual([way, error]);
  // An encryption that the port does not support.
  expect(['ldapServer.tlsFailed', 'ldapServer.unreachable']).toContain(
    await refusal(attempt(own, { port: ldap.port })),
  );
  // With checks switched off, an unknown certificate is accepted.
  expect((await attempt(own, { ca: null, checkCertificate: false })).entries).toHaveLength(10);
  await eventually(() =>
    expect(audited.filter((a) => a.companyId === own.companyId && a.action === 'ldapServer.test')).toHaveLength(11),
  );
});

test('a schedule is in the named zone, otherwise in the one that the user sees, and keeps it while unchanged [ACC-04/schedule]', async () => {
  const lagos = newActor({ timezoneId: 17, countryId: 566 });
  const stated = fields('Zones', { enabled: true, cycle: 'day', time: '02:00' });
  const { id, ...made } = await call(lagos)(addLdapServer, { body: { ...stated, password: 'x' } });
  expect(made.timeZone).toBe('Africa/Lagos');
  expect(made.nextSyncAt).toContain('T01:00:00');
  const edit = (as: Actor, change: object) => call(as)(editLdapServer, { body: { ...stated, ...change, id } });
  const berlin = { ...lagos, countryId: 276 };
  expect(await edit(berlin, {})).toMatchObject({ timeZone: 'Africa/Lagos', nextSyncAt: made.nextSyncAt });
  expect((await edit(berlin, { time: '03:00' })).timeZone).toBe('Europe/Berlin');
  const named = await edit(berlin, { timeZone: 'Asia/Kolkata' });
  expect([named.timeZone, named.nextSyncAt!.slice(11, 16)]).toEqual(['Asia/Kolkata', '20:30']);
  // An hourly cycle takes the minutes of the time.
  const hourly = await edit(berlin, { cycle: 'hour', time: '02:40', timeZone: 'Europe/Berlin' });
  expect([hourly.cycle, hourly.nextSyncAt!.slice(14, 16)]).toEqual(['hour', '40']);
  expect(Date.parse(hourly.nextSyncAt!) - Date.now()).toBeLessThanOrEqual(3_600_000);
  for (const timeZone of ['Berlin', '+02:00', ''])
    expect(await refusal(edit(berlin, { timeZone }))).toBe('common.fieldValue');
});

test('a server follows section 3: a disabled one is not read; tests, paging and schedule work [ACC-04]', async () => {
  const own = newActor();
  const stated = fields('Everything', {
    enabled: false,
    base: `ou=people,${ldap.base}`,
    cycle: 'week',
    time: '03:30',
    weekday: 3,
  });
  const made = await call(own)(addLdapServer, { body: { ...stated, password: ldap.password } });
  const { id } = made;
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ ...stated, passwordSet: true });
  // A disabled server is read neither by hand nor by its schedule.
  expect(made.nextSyncAt).toBeNull();
  expect(await refusal(call(own)(syncLdapServer, { body: { id } }))).toBe('ldapServer.disabled');
  // Enabled: the next time is a Wednesday at half past three.
  const enabled = await call(own)(editLdapServer, { body: { ...stated, id, enabled: true } });
  const at = new Date(enabled.nextSyncAt!);
  expect([at.getUTCDay(), at.toISOString().slice(11, 16), at.getTime() > Date.now()]).toEqual([3, '03:30', true]);
  expect(at.getTime() - Date.now()).toBeLessThanOrEqual(7 * 86_400_000);
  // The test shows what the sync will read: all six attributes by their mapping.
  const tried = await call(own)(testLdapServer, { body: { id, ...place({ base: stated.base }), search: '04711' } });
  const { dn: _, ...entry } = tried.entries[0]!;
  expect(entry).toEqual({
    name: 'Person 04711',
    number: '+49 30 4711',
    mailbox: 'p4711@example.com',
    department: 'Support',
    supervisor: 'p0',
    adAccount: 'p4711',
  });
  // Without paging this directory returns at most a thousand entries.
  const client = new Client({ url: `ldap://127.0.0.1:${ldap.port}` });
  await client.bind(ldap.user, ldap.password);
  await expect(client.search(stated.base, { filter: stated.filter })).rejects.toThrow('0x4');
  await client.unbind();
  expect((await synced(own, id)).accounts).toBe(many);
  expect((await accounts(own, { search: '04711' })).records).toMatchObject([{ ...entry, supervisor: 'Person 00000' }]);
  // It is also read by itself when its time has come.
  await call(own)(deleteLdapServer, { query: { id } });
  const again = await call(own)(addLdapServer, {
    body: { ...stated, enabled: true, filter: '(cn=Person 0000*)', password: ldap.password },
  });
  await inCompany(own, 'update ldap_server set next_sync_at = now() where id = $1', [again.id]);
  expect(await ended(own, again.id, 'success')).toMatchObject({ accounts: 10, nextSyncAt: enabled.nextSyncAt });
}, 180_000);

test('C17: what is searched for is text and no filter, and nobody logs in without a password', async () => {
  const own = newActor();
  const found = async (search: string) => (await attempt(own, { search })).entries.map((e) => e.name);
  await ldap.add('star', { cn: 'Star *)(uid=* \\2a' });
  try {
    expect(await found('*)(uid=*')).toEqual(['Star *)(uid=* \\2a']);
    expect(await found('\\2a')).toEqual(['Star *)(uid=* \\2a']);
    expect(await found('*')).toEqual(['Star *)(uid=* \\2a']);
    expect(await found('(objectClass=*)')).toEqual([]);
  } finally {
    await ldap.remove('star');
  }
  expect(await refusal(attempt(own, { attributes: { ...place().attributes, name: 'cn=*)(uid' } }))).toBe(
    'ldapServer.attributeWrong',
  );
  expect(await refusal(attempt(own, { password: '' }))).toBe('ldapServer.passwordEmpty');
  expect(await refusal(attempt(own, { password: undefined }))).toBe('ldapServer.passwordEmpty');
  expect(await refusal(add(own, 'Empty', { password: undefined }))).toBe('ldapServer.passwordEmpty');
});

test('E4: no test and no sync connects to an address inside that the operator does not allow', async () => {
  const own = newActor();
  let connected = 0;
  const trap = createServer((socket) => {
    connected++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const port = ports(trap);
  try {
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '169.254.169.254',
      '10.0.0.1',
      'localhost',
      '2130706433',
      '017700000001',
      'provisioning',
    ])
      for (const to of [port, 389, 5432])
        expect([host, await refusal(attempt(own, { host, port: to, security: 'none' }))]).toEqual([
          host,
          'ldapServer.targetRefused',
        ]);
    expect(await refusal(attempt(own, { host: 'ldap.example.com', port: 22 }))).toBe('ldapServer.targetRefused');
    const { id } = await add(own, 'Inside', { host: '127.0.0.1', port, security: 'none' });
    await call(own)(syncLdapServer, { body: { id } });
    await ended(own, id, 'fail');
    expect(connected).toBe(0);
  } finally {
    trap.close();
  }
});

test('E7: a password is never read back, and goes to no other server than the one that it was given for', async () => {
  const own = newActor();
  const made = await add(own, 'Main directory');
  expect(JSON.stringify(made)).not.toContain(ldap.password);
  expect(made).toMatchObject({ passwordSet: true, accounts: 0, sync: null, nextSyncAt: null });
  const [row] = await inCompany(own, 'select password from ldap_server');
  expect(row!['password']).not.toContain(ldap.password);
  const { id } = made;
  const edit = (more: object = {}) => call(own)(editLdapServer, { body: { id, ...fields('Main directory'), ...more } });
  expect((await edit({ base: `ou=people,${ldap.base}` })).passwordSet).toBe(true);
  expect((await call(own)(testLdapServer, { body: { id, ...place() } })).entries).toHaveLength(10);
  for (const other of [
    { host: 'elsewhere.example.com' },
    { port: ldap.port },
    { security: 'none' },
    { checkCertificate: false },
    { ca: null },
  ]) {
    expect([other, await refusal(call(own)(testLdapServer, { body: { id, ...place(other) } }))]).toEqual([
      other,
      'ldapServer.passwordEmpty',
    ]);
    expect([other, (await edit(other)).passwordSet]).toEqual([other, false]);
    expect(await refusal(call(own)(syncLdapServer, { body: { id } }))).toBe('ldapServer.passwordEmpty');
    expect((await edit({ password: ldap.password })).passwordSet).toBe(true);
  }
  await eventually(() => expect(audited.filter((a) => a.action === 'ldapServer.edit').length).toBeGreaterThan(5));
  expect(audited.some((a) => a.text.includes(ldap.password))).toBe(false);
  // Another company cannot use it.
  expect(await refusal(call(stranger)(testLdapServer, { body: { id, ...place() } }))).toBe('common.notFound');
});

test('X37: a server that hangs is given up within ten seconds, and other calls do not wait for it', async () => {
  const own = newActor();
  const { id } = await add(own, 'Slow');
  ldap.freeze();
  try {
    const began = performance.now();
    const [answer, beside] = await Promise.all([
      refusal(attempt(own)),
      call(own)(getLdapServer, { params: { id } }).then(() => performance.now() - began),
    ]);
    expect(answer).toBe('ldapServer.tooSlow');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(beside).toBeLessThan(2_000);
  } finally {
    ldap.thaw();
  }
}, 240_000);

test('10,000 entries are synced in pages; then only changes are written and missing ones deleted [ACC-04/sync]', async () => {
  const own = newActor();
  const { id } = await add(own, 'Whole directory');
  const first = await synced(own, id);
  expect(first).toMatchObject({
    accounts: many,
    missing: 0,
    sync: { read: many, added: many, changed: 0, removed: 0 },
  });
  const found = await accounts(own, { search: 'p4711@example' });
  expect(found.records).toMatchObject([
    {
      name: 'Person 04711',
      number: '+49 30 4711',
      mailbox: 'p4711@example.com',
      department: 'Support',
      supervisor: 'Person 00000',
      adAccount: 'p4711',
      missing: false,
      server: { id, name: 'Whole directory' },
    },
  ]);
  const stamps = () => inCompany(own, 'select xmin::text as x, id from ldap_account order by id');
  const before = await stamps();
  expect((await synced(own, id)).sync).toMatchObject({ read: many, added: 0, changed: 0, removed: 0 });
  // No row was written, not even an unchanged one.
  expect(await stamps()).toEqual(before);
  await ldap.change('p7', { cn: 'Renamed', telephoneNumber: '700' });
  await ldap.remove('p8', 'p9');
  await ldap.add('new', { cn: 'New one' });
  try {
    expect((await synced(own, id)).sync).toMatchObject({ read: many - 1, added: 1, changed: 1, removed: 2 });
    const after = await stamps();
    expect(after.filter((row) => !before.some((old) => old['id'] === row['id'] && old['x'] === row['x']))).toHaveLength(
      2,
    );
    // The directory's own id identifies an entry after a change of its name.
    expect((await accounts(own, { search: 'Renamed' })).records).toMatchObject([{ number: '700', adAccount: 'p7' }]);
    expect((await accounts(own, { 'department.empty': 'true' })).records.map((a) => a.name)).toEqual(['New one']);
    expect((await accounts(own, { sort: '-name', department: ['Sales'] })).records[0]).toMatchObject({
      name: 'Person 09998',
    });
  } finally {
    await ldap.change('p7', person(7));
    await ldap.add('p8', person(8));
    await ldap.add('p9', person(9));
    await ldap.remove('new');
  }
  // Another company can neither see nor sync it.
  expect((await accounts(stranger)).total).toBe(0);
  expect(await refusal(call(stranger)(syncLdapServer, { body: { id } }))).toBe('common.notFound');
}, 180_000);

test('more than a tenth of missing accounts are kept and reported until a user deletes them', async () => {
  const own = newActor();
  const all = `(&(objectClass=person)(|(cn=Person 0000*)(cn=Person 0001*)))`;
  const { id } = await add(own, 'Careful', { filter: all });
  expect((await synced(own, id)).accounts).toBe(20);
  const narrow = (filter: string) => call(own)(editLdapServer, { body: { id, ...fields('Careful', { filter }) } });
  // Two of twenty are exactly a tenth.
  await narrow(`(&${all}(!(cn=Person 00018))(!(cn=Person 00019)))`);
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 0, sync: { removed: 2 } });
  await narrow('(cn=Person 0000*)');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 8, sync: { read: 10, removed: 0 } });
  expect((await accounts(own, { missing: ['true'] })).total).toBe(8);
  // Entries that are back are no longer missing.
  await narrow('(|(cn=Person 0000*)(cn=Person 00010))');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 7, sync: { changed: 1 } });
  // An empty directory deletes nothing.
  await narrow('(cn=nobody)');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 18, sync: { read: 0, removed: 0 } });
  expect(await refusal(call(stranger)(deleteMissingLdapAccounts, { body: { id } }))).toBe('common.notFound');
  expect(await call(own)(deleteMissingLdapAccounts, { body: { id } })).toEqual({ deleted: 18 });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ accounts: 0, missing: 0 });
}, 180_000);

test("a scheduled sync starts once by itself; a failed one gives its reason in the caller's language", async () => {
  const own = newActor();
  const { id } = await add(own, 'By cycle', { cycle: 'day', filter: '(cn=Person 0000*)' });
  const { nextSyncAt } = await call(own)(getLdapServer, { params: { id } });
  expect(Date.parse(nextSyncAt!)).toBeGreaterThan(Date.now());
  await inCompany(own, `update ldap_server set next_sync_at = now() - interval '1 minute' where id = $1`, [id]);
  const done = await ended(own, id, 'success');
  expect(done).toMatchObject({ accounts: 10, nextSyncAt });
  await call(own)(editLdapServer, { body: { id, ...fields('By cycle'), cycle: 'day', password: 'wrong' } });
  await call(own)(syncLdapServer, { body: { id } });
  expect((await ended(own, id, 'fail')).sync).toMatchObject({
    msg: 'The LDAP server does not accept the username and password.',
  });
  expect((await call({ ...own, language: 'pt_BR' })(getLdapServer, { params: { id } })).sync).toMatchObject({
    msg: 'O servidor LDAP não aceita o nome de usuário e a senha.',
  });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ accounts: 10 });
  await eventually(() =>
    expect(audited.filter((a) => a.companyId === own.companyId && a.action === 'ldapServer.synced')).toMatchObject([
      { result: 'success' },
      { result: 'ldapServer.credentialsWrong' },
    ]),
  );
  await call(own)(editLdapServer, { body: { id, ...fields('By cycle'), cycle: 'day', enabled: false } });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ nextSyncAt: null });
  expect(await refusal(call(own)(syncLdapServer, { body: { id } }))).toBe('ldapServer.disabled');
}, 180_000);

test('another process restarts the sync of a dead one after its lease, and gives up after three attempts', async () => {
  const own = newActor();
  const { id } = await add(own, 'Died', { filter: '(cn=Person 0000*)' });
  const dead = (attempts: number) =>
    inCompany(
      own,
      `
        insert into ldap_sync (
          id, company_id, server_id, status, by_hand, attempts, runner, lease_until, started_at, read, added, changed,
          removed, error_values
        )
        values ($1, $2, $3, 'process', true, $4, $1, now() + interval '1 second', now(), 500, 0, 0, 0, '{}')
        on conflict (server_id) do update
        set id = excluded.id, status = 'process', attempts = $4, ended_at = null, lease_until = excluded.lease_until
      `,
      [uuidv7(), own.companyId, id, attempts],
    );
  await dead(1);
  expect((await call(own)(syncLdapServer, { body: { id } })).sync).toMatchObject({ status: 'process', read: 500 });
  expect(await ended(own, id, 'success')).toMatchObject({ accounts: 10, sync: { read: 10, added: 10 } });
  await dead(3);
  expect((await ended(own, id, 'fail')).sync!.msg).toContain('three times');
}, 180_000);

test('a server is deleted and restored with its accounts and password, by users of all organizations only', async () => {
  const own = newActor();
  const { id } = await add(own, 'Gone and back', { filter: '(cn=Person 0000*)' });
  await synced(own, id);
  await add(own, 'Other');
  expect(await refusal(add(own, 'OTHER'))).toBe('ldapServer.nameTaken');
  const narrowed = { ...own, orgIds: [own.orgId] };
  for (const change of [
    () => add(narrowed, 'Third'),
    () => call(narrowed)(deleteLdapServer, { query: { id } }),
    () => call(narrowed)(syncLdapServer, { body: { id } }),
    () => attempt(narrowed),
  ])
    expect(await refusal(change())).toBe('ldapServer.narrowed');
  expect(await refusal(call(stranger)(deleteLdapServer, { query: { id } }))).toBe('common.notFound');
  await call(own)(deleteLdapServer, { query: { id } });
  expect((await accounts(own)).total).toBe(0);
  expect(await call(own)(restoreLdapServers, { body: { ids: [id] } })).toEqual({ restored: 1 });
  expect(await call(own)(listLdapServers, { query: { search: 'gone' } })).toMatchObject({
    total: 1,
    records: [{ id, accounts: 10, passwordSet: true }],
  });
  expect((await synced(own, id)).sync).toMatchObject({ added: 0, changed: 0, removed: 0 });
}, 180_000);

const tell = (as: Actor, id: string, { gone = false, enabled = true, secretMark = 'first' } = {}) =>
  tellDevice(bus, as, id, gone ? null : { name: 'Front desk', mac: '0c383e0000aa', enabled, secretMark, accounts: [] });

test('phones load the phonebook by a link of their own, which can be renewed and revoked [ACC-05/phonebook]', async () => {
  const own = newActor();
  const { id: serverId } = await add(own, 'Phonebook', { filter: '(cn=Person 0000*)' });
  await synced(own, serverId);
  const id = uuidv7();
  await tell(own, id);
  await eventually(async () =>
    expect(await call(own)(listPhonebookDevices, { query: { search: '0c:38:3e:00:00:aa' } })).toEqual([
      { id, name: 'Front desk', mac: '0c383e0000aa' },
    ]),
  );
  expect(await call(own)(getPhonebookLinks, { params: { id } })).toEqual({ links: null, loadedAt: null, leftOut: 0 });
  const { links } = await call(own)(renewPhonebookLinks, { body: { id } });
  expect(await call(own)(getPhonebookLinks, { params: { id } })).toEqual({ links, loadedAt: null, leftOut: 0 });
  const load = async (url: string) => {
    const answer = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url });
    return { status: answer.statusCode, type: answer.headers['content-type'], text: answer.body };
  };
  const fanvil = await load(links!['fanvil.xml']);
  expect([fanvil.status, fanvil.type]).toEqual([200, 'text/xml; charset=utf-8']);
  expect(fanvil.text).toContain('<FanvilIPPhoneDirectory>');
  expect(fanvil.text).toContain(
    '<DirectoryEntry><Name>Person 00001</Name><Telephone>+49301</Telephone></DirectoryEntry>',
  );
  expect(fanvil.text.match(/<DirectoryEntry>/g)).toHaveLength(10);
  expect((await load(links!['yealink.xml'])).text).toContain('<YealinkIPPhoneDirectory>');
  expect((await load(links!['phonebook.xml'])).text).toContain('<LastName>00001</LastName>');
  const searched = await load(`${links!['yealink.xml']}?search=00007`);
  expect(searched.text.match(/<Name>[^<]*/g)).toEqual(['<Name>Person 00007']);
  expect((await load(`${links!['yealink.xml']}?search=%25`)).text).not.toContain('<Name>');
  expect((await call(own)(getPhonebookLinks, { params: { id } })).loadedAt).not.toBeNull();
  // A user who does not see the device gets no link; the answer is that for an unknown device.
  const elsewhere = { ...own, orgIds: [uuidv7()] };
  for (const actor of [stranger, elsewhere])
    for (const change of [
      () => call(actor)(getPhonebookLinks, { params: { id } }),
      () => call(actor)(renewPhonebookLinks, { body: { id } }),
      () => call(actor)(withdrawPhonebookLinks, { query: { id } }),
    ])
      expect(await refusal(change())).toBe('common.notFound');
  // Changing any letter of it makes it invalid.
  const path = links!['fanvil.xml'];
  const token = path.split('/').at(-2)!;
  for (const at of [0, 10, 22, 30, 50])
    expect(
      (await load(path.replace(token, token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1))))
        .status,
    ).toBe(404);
  for (const wrong of [
    path.replace(token, 'x'),
    path.replace('fanvil.xml', 'constructor'),
    path.replace('fanvil.xml', 'other.xml'),
  ])
    expect((await load(wrong)).status).toBe(404);
  const renewed = (await call(own)(renewPhonebookLinks, { body: { id } })).links!;
  expect((await load(path)).status).toBe(404);
  expect((await load(renewed['fanvil.xml'])).status).toBe(200);
  expect((await call(own)(withdrawPhonebookLinks, { query: { id } })).links).toBeNull();
  expect((await load(renewed['fanvil.xml'])).status).toBe(404);
  const last = (await call(own)(renewPhonebookLinks, { body: { id } })).links!;
  expect([path, renewed['fanvil.xml']]).not.toContain(last['fanvil.xml']);
  expect((await load(last['fanvil.xml'])).status).toBe(200);
  expect(audited.some((a) => a.text.includes(token))).toBe(false);
}, 180_000);

test('a link to the phonebook is closed with its device or company, and ends with the secret', async () => {
  const own = newActor();
  const id = uuidv7();
  await tell(own, id);
  const renew = () => eventually(() => call(own)(renewPhonebookLinks, { body: { id } }));
  let { links } = await renew();
  const answers = (status: number) =>
    eventually(async () => {
      const { statusCode } = await service.app
        .getHttpAdapter()
        .getInstance()
        .inject({ method: 'GET', url: links!['fanvil.xml'] });
      expect(statusCode).toBe(status);
    });
  let companyVersion = 0;
  const tellCompany = (status: string) =>
    bus.publish([
      toRecord(
        orgCompany,
        own.companyId,
        { id: own.companyId, name: 'Own', path: `/${own.companyId}/`, type: 'reseller', status },
        envelope('company', { companyId: own.companyId, version: ++companyVersion }),
      ),
    ]);
  await answers(200);
  await tell(own, id, { enabled: false });
  await answers(404);
  await tell(own, id);
  await answers(200);
  await tellCompany('disabled');
  await answers(404);
  await tellCompany('normal');
  await answers(200);
  await tell(own, id, { secretMark: 'second' });
  await answers(404);
  expect((await call(own)(getPhonebookLinks, { params: { id } })).links).toBeNull();
  ({ links } = await renew());
  await answers(200);
  await tell(own, id, { secretMark: 'second', gone: true });
  await answers(404);
}, 180_000);
