import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client } from 'ldapts';
import { expect, test } from 'vitest';
import {
  addLdapServer,
  deleteLdapServer,
  orgCompany,
  editLdapServer,
  getLdapServer,
  getPhonebookLinks,
  listPhonebookDevices,
  renewPhonebookLinks,
  syncLdapServer,
  testLdapServer,
  withdrawPhonebookLinks,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { publishDevice } from '../testing/publish-device.ts';
import { many, refusal, startLdapServers } from './ldap-server-test.ts';

const { ldap, bus, service, audited, stranger, place, fields, call, add, attempt, ended, synced, accounts, inCompany } =
  await startLdapServers();
const ports = (server: Server): number => (server.address() as AddressInfo).port;

test('a test shows ten entries over LDAPS and StartTLS, or an error [ACC-04]', async () => {
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

test('a schedule keeps its zone, by default the one that the user sees [ACC-04/schedule]', async () => {
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

const publish = (as: Actor, id: string, { gone = false, enabled = true, secretMark = 'first' } = {}) =>
  publishDevice(
    bus,
    as,
    id,
    gone ? null : { name: 'Front desk', mac: '0c383e0000aa', enabled, secretMark, accounts: [] },
  );

test('phones load the phonebook by their own link, which is renewed or revoked [ACC-05/phonebook]', async () => {
  const own = newActor();
  const { id: serverId } = await add(own, 'Phonebook', { filter: '(cn=Person 0000*)' });
  await synced(own, serverId);
  const id = uuidv7();
  await publish(own, id);
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
  await publish(own, id);
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
  const publishCompany = (status: string) =>
    bus.publish([
      toRecord(
        orgCompany,
        own.companyId,
        { id: own.companyId, name: 'Own', path: `/${own.companyId}/`, type: 'reseller', status },
        envelope('company', { companyId: own.companyId, version: ++companyVersion }),
      ),
    ]);
  await answers(200);
  await publish(own, id, { enabled: false });
  await answers(404);
  await publish(own, id);
  await answers(200);
  await publishCompany('disabled');
  await answers(404);
  await publishCompany('normal');
  await answers(200);
  await publish(own, id, { secretMark: 'second' });
  await answers(404);
  expect((await call(own)(getPhonebookLinks, { params: { id } })).links).toBeNull();
  ({ links } = await renew());
  await answers(200);
  await publish(own, id, { secretMark: 'second', gone: true });
  await answers(404);
}, 180_000);
