import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addLdapServer,
  getLdapServer,
  listLdapAccounts,
  phonebookFiles,
  renewPhonebookLinks,
  syncLdapServer,
  testLdapServer,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import type { PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';
import { scriptedLdap, type ScriptedEntry, type ScriptedLdap } from '@carillon/testing/scripted-ldap';
import { provisioningService } from '../provisioning.module.ts';
import { publishDevice } from '../testing/publish-device.ts';

const base = 'dc=example,dc=com';
const entryOf = (
  uid: string,
  cn: string,
  telephoneNumber: string,
  more: Record<string, string> = {},
): ScriptedEntry => ({
  dn: `uid=${uid},${base}`,
  attributes: { cn, telephoneNumber, ...more },
});
const people = (from: number, to: number): ScriptedEntry[] =>
  Array.from({ length: to - from + 1 }, (_, n) =>
    entryOf(`u${from + n}`, `Person ${from + n}`, `+4930${100_000 + from + n}`),
  );
/** A directory of 520 entries in two pages. */
const whole = { pages: [{ entries: people(1, 500), hasMore: true }, { entries: people(501, 520) }] };

let bus: PostgresBus;
let service: TestedService;
let plain: ScriptedLdap;
let secure: ScriptedLdap;

beforeAll(async () => {
  plain = await scriptedLdap(whole);
  secure = await scriptedLdap(whole, { isTls: true });
  bus = await testBus('scripted_ldap_bus');
  service = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8',
    outboundAllowed: `localhost:${plain.port},localhost:${secure.port}`,
    ldapTickMs: 100,
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
  await plain?.stop();
  await secure?.stop();
});

const ways = [
  ['without encryption', () => plain, 'none'],
  ['over LDAPS', () => secure, 'ldaps'],
] as const;
const settings = (directory: ScriptedLdap, security: 'none' | 'ldaps') => ({
  host: 'localhost',
  port: directory.port,
  security,
  checkCertificate: false,
  ca: null,
  userName: `cn=reader,${base}`,
  password: 'Reader-Secret-1',
  base,
  filter: '',
  attributes: {
    name: 'cn',
    number: 'telephoneNumber',
    mailbox: '',
    department: '',
    supervisor: 'manager',
    adAccount: '',
  },
});
const serverOf = async (own: Actor, directory = plain, security: 'none' | 'ldaps' = 'none') =>
  (
    await service.as(own)(addLdapServer, {
      body: {
        name: 'Scripted',
        enabled: true,
        cycle: 'off',
        time: '02:00',
        weekday: 1,
        ...settings(directory, security),
      },
    })
  ).id;
/** Syncs and returns how it ended. */
const synced = async (own: Actor, id: string) => {
  await service.as(own)(syncLdapServer, { body: { id } });
  return eventually(async () => {
    const { sync, accounts } = await service.as(own)(getLdapServer, { params: { id } });
    expect(['success', 'fail']).toContain(sync?.status);
    return { ...sync!, accounts };
  }, 30_000);
};
const accountsOf = async (own: Actor) =>
  (await service.as(own)(listLdapAccounts, { query: { limit: 200, sort: 'name' } })).records;

test('reads on behind a page without entries', async () => {
  const own = newActor();
  const id = await serverOf(own);
  plain.play(whole);
  expect(await synced(own, id)).toMatchObject({ status: 'success', added: 520 });
  plain.play({ pages: [{ entries: people(1, 500), hasMore: true }, { hasMore: true }, { entries: people(501, 520) }] });
  expect(await synced(own, id)).toMatchObject({ status: 'success', read: 520, added: 0, removed: 0 });
});

test.each(ways)('%s: a refused page keeps all accounts and says why', async (_, directory, security) => {
  const own = newActor();
  directory().play(whole);
  const id = await serverOf(own, directory(), security);
  await synced(own, id);
  const message = 'the cookie is not known';
  directory().play({
    pages: [
      { entries: people(1, 500), hasMore: true },
      { code: 2, message },
    ],
  });
  expect(await synced(own, id)).toMatchObject({ status: 'fail', msg: expect.stringContaining(message) });
  expect((await service.as(own)(listLdapAccounts, { query: {} })).total).toBe(520);
});

test.each(ways)(
  '%s: a directory that shuts down is not available, and not badly encrypted',
  async (_, directory, security) => {
    const own = newActor();
    directory().play({ bind: { code: 52, message: 'the server is shutting down' }, pages: [{}] });
    const id = await serverOf(own, directory(), security);
    expect(await synced(own, id)).toMatchObject({ status: 'fail', msg: errorText('ldapServer.unavailable', 'en_US') });
    const body = { ...settings(directory(), security), search: '' };
    await expect(service.as(own)(testLdapServer, { body })).rejects.toMatchObject({ error: 'ldapServer.unavailable' });
  },
);

test('finds supervisors by names that are long, escaped or spelled in another way', async () => {
  const own = newActor();
  const long = `uid=office-north,${'ou=Department of Very Long Names and Other Matters,'.repeat(3)}${base}`;
  plain.play({
    pages: [
      {
        entries: [
          { dn: long, attributes: { cn: 'Office North', telephoneNumber: '100' } },
          { dn: `CN=Büro\\, Ost,OU=x,${base}`, attributes: { cn: 'Büro, Ost', telephoneNumber: '103' } },
          entryOf('w', 'Workshop', '101', { manager: long }),
          entryOf('h1', 'Hall 1', '102', { manager: 'CN=B\\C3\\BCro S\\C3\\BCd,OU=x' }),
          entryOf('h2', 'Hall 2', '104', { manager: 'cn=b\\c3\\bcro\\2c ost, ou=x, dc=example, dc=com' }),
        ],
      },
    ],
  });
  await synced(own, await serverOf(own));
  expect(Object.fromEntries((await accountsOf(own)).map(({ name, supervisor }) => [name, supervisor]))).toEqual({
    'Office North': '',
    'Büro, Ost': '',
    Workshop: 'Office North',
    'Hall 1': 'Büro Süd',
    'Hall 2': 'Büro, Ost',
  });
});

test('a phonebook has numbers that can be dialed, and counts the accounts that it leaves out', async () => {
  const own = newActor();
  const numbers = ['+49 (0)30 123456', 'n/a', '０３０１２３', 'ask Bob'];
  plain.play({ pages: [{ entries: numbers.map((number, n) => entryOf(`n${n}`, `Name ${n}`, number)) }] });
  const id = await serverOf(own);
  await synced(own, id);
  const device = uuidv7();
  await publishDevice(bus, own, device, { accounts: [] });
  const { links, leftOut } = await eventually(() => service.as(own)(renewPhonebookLinks, { body: { id: device } }));
  expect(leftOut).toBe(2);
  for (const file of phonebookFiles) {
    const { body } = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url: links![file] });
    expect([...body.matchAll(/>(\+?\d{5,})</g)].map(([, number]) => number)).toEqual(['+4930123456', '030123']);
  }
  expect(await synced(own, id)).toMatchObject({ status: 'success', added: 0, changed: 0, removed: 0 });
});
