import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSipAccount,
  addSipServer,
  closeFirstAccess,
  deviceModelState,
  getDeviceConfig,
  getDeviceConfigAddress,
  getFirstAccess,
  letInPhones,
  listConfigRequests,
  listUnclaimedPhones,
  listWaitingPhones,
  openFirstAccess,
  permissionKeys,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { ask, type PhoneAnswer, type PhoneRequest } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

const password = 'wallaby-93';
const proxy = '127.0.0.1';
let bus: PostgresBus;
let service: TestedService;

const start = (values: Record<string, unknown> = {}, beside?: TestedService) => startProvisioning(bus, values, beside);

beforeAll(async () => {
  bus = await testBus('first_access_bus');
  service = await start({ trustedProxies: proxy });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/**
 * A Yealink phone that knows only the server's address, or the one that it has loaded since. An address that is not
 * of this machine is said by a proxy.
 */
function phone(mac: string, from: string, more: Pick<PhoneRequest, 'ca' | 'own'> = {}, port = phonePortOf(service)) {
  const isOwn = from.startsWith('127.');
  const headers = {
    'user-agent': `Yealink SIP-T46U 108.86.0.90 ${mac}`,
    ...(isOwn ? {} : { 'x-forwarded-for': from }),
  };
  let folder = '/';
  return {
    /** Asks once, and keeps the address that the file has. */
    async asks(): Promise<PhoneAnswer> {
      const answer = await ask(port, `${folder}${mac}.cfg`, { headers, from: isOwn ? from : proxy, ...more });
      const found = /^static\.auto_provision\.server\.url = (\S+)$/m.exec(answer.text)?.[1];
      if (found !== undefined) folder = new URL(found).pathname;
      return answer;
    },
    knows: () => folder,
    asksAgainAt(known: string) {
      folder = known;
    },
  };
}

/** Creates a company, or uses one, with a Yealink phone that has an account on its line. */
async function deviceWith(mac: string, own: Actor = newActor(), number = '201') {
  const id = uuidv7();
  const call = service.as(own);
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await call(addSipServer, {
    body: { name: `PBX ${number}`, address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const body = { name: `Account ${number}`, number, serverId: server.id, authPassword: password };
  const account = await call(addSipAccount, { body });
  await publishDevice(bus, own, id, {
    mac,
    model: 'SIP-T46U',
    secretMark: 'mark1',
    accounts: [{ line: 1, accountId: account.id, status: 'unregistered' }],
  });
  await eventually(async () => expect((await call(getDeviceConfig, { params: { id } })).version).not.toBeNull());
  const outcomes = async () => (await call(listConfigRequests, { params: { id } })).map((r) => r.outcome).sort();
  return { id, own, call, mac, outcomes, access: () => call(getFirstAccess, { params: { id } }) };
}
/** The folder of an address as a phone gets it. */
const phoneFolder = (folder: string): string => folder.replace('/api/f/config/', '/c/');
/** Publishes a model that demands a certificate, like the device service. */
const publishModel = (companyId: string, name: string) => {
  const id = uuidv7();
  const model = { id, companyId, name, showName: name, internalName: '', series: '', mutualAuth: true };
  return bus.publish([toRecord(deviceModelState, id, model, envelope('model', { companyId, version: 1 }))]);
};
const statusesOf = async (count: number, one: () => Promise<PhoneAnswer>): Promise<number[]> => {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push((await one()).status);
  return all;
};

test('a phone with only the server’s address waits, is let in, and gets its own [EDGE-02/first access]', async () => {
  const device = await deviceWith('805ec0000201');
  const one = phone(device.mac, '127.0.0.61');

  const first = await one.asks();
  expect(first.status).toBe(200);
  expect(first.text.split('\n')).toEqual([
    '#!version:1.0.0.1',
    'sip.notify_reboot_enable = 0',
    'static.auto_provision.power_on = 1',
    'static.auto_provision.repeat.enable = 1',
    'static.auto_provision.repeat.minutes = 60',
    `static.auto_provision.server.url = http://127.0.0.1:${phonePortOf(service)}${one.knows()}`,
    '',
  ]);
  const firstAddress = one.knows();
  expect(await statusesOf(2, one.asks)).toEqual([404, 404]);
  const waiting = await device.call(listWaitingPhones, {});
  expect(waiting).toMatchObject([{ device: { id: device.id, mac: device.mac }, address: '127.0.0.61', times: 2 }]);
  expect((await device.access()).asks).toMatchObject([{ userAgent: `Yealink SIP-T46U 108.86.0.90 ${device.mac}` }]);

  await device.call(letInPhones, { body: { askIds: [waiting[0]!.id] } });
  expect(await device.access()).toMatchObject({ openUntil: expect.any(String) as string, network: '127.0.0.61' });
  // A lost answer is asked for again.
  for (const again of [1, 2]) {
    one.asksAgainAt(firstAddress);
    expect((await one.asks()).text, String(again)).toContain(`account.1.password = ${password}\n`);
  }
  const own = await device.call(getDeviceConfigAddress, { params: { id: device.id } });
  expect(one.knows()).toBe(phoneFolder(own.folder));
  expect((await one.asks()).text).toContain(password);

  one.asksAgainAt(firstAddress);
  expect((await one.asks()).status).toBe(404);
  expect(await device.access()).toMatchObject({ openUntil: null, endedAt: expect.any(String) as string });
  await eventually(async () => expect(await device.outcomes()).toEqual(['firstAddress', 'loaded', 'waiting']));
  const config = await device.call(getDeviceConfig, { params: { id: device.id } });
  expect(config.loadedVersion).toBe(config.version);
});

test('who guesses a MAC learns nothing, not even whether someone has it [EDGE-02/no token]', async () => {
  const device = await deviceWith('805ec0000202');
  await device.call(openFirstAccess, { body: { ids: [device.id] } });
  const form = async (mac: string) => {
    const answer = await phone(mac, '127.0.0.62').asks();
    return [answer.status, answer.text.replace(/\/c\/[\w-]+/, ''), Object.keys(answer.headers)];
  };
  const known = await form(device.mac);
  expect(known[1]).not.toMatch(/wallaby|account|ntp/);
  expect(await form('805ec0ffffff')).toEqual(known);
  const port = phonePortOf(service);
  const agent = { 'user-agent': `Yealink SIP-T46U 108.86.0.90 805ec0fffffe` };
  // Another phone than the one that it names, no phone, and names that phones try.
  for (const [name, headers] of [
    [`${device.mac}.cfg`, agent],
    [`${device.mac}.cfg`, {}],
    [`cfg${device.mac}.xml`, { 'user-agent': `Yealink SIP-T46U 108.86.0.90 ${device.mac}` }],
    [`${device.mac}.txt`, { 'user-agent': `Yealink SIP-T46U 108.86.0.90 ${device.mac}` }],
    [`${device.mac}.boot`, {}],
    ['y000000000000.boot', agent],
    ['..%2f.cfg', agent],
  ] as const)
    expect((await ask(port, `/${name}`, { headers })).status, name).toBe(404);
});

test('a phone is let in from the network that was shown only, and another gets no file with its address', async () => {
  const device = await deviceWith('805ec0000203');
  const [own, foreign] = [phone(device.mac, '127.0.0.63'), phone(device.mac, '127.0.0.64')];
  for (const one of [own, foreign]) expect(await statusesOf(2, one.asks)).toEqual([200, 404]);
  const asks = await device.call(listWaitingPhones, {});
  expect(asks.map(({ address }) => address).sort()).toEqual(['127.0.0.63', '127.0.0.64']);
  await expect(
    device.call(letInPhones, { body: { askIds: asks.map(({ id }) => id) } }),
    // Nothing was let in.
  ).rejects.toMatchObject({ error: 'firstAccess.twice' });
  await device.call(letInPhones, { body: { askIds: [asks.find((a) => a.address === '127.0.0.63')!.id] } });
  expect((await foreign.asks()).status).toBe(404);
  // The address of the other network gives only a new address.
  foreign.asksAgainAt(own.knows());
  const answer = await foreign.asks();
  expect(answer.text).not.toContain(password);
  expect((await foreign.asks()).status).toBe(404);
  expect((await own.asks()).text).toContain(password);
});

test('the next phones at a known network are let in, those of others wait [DEV-10/network]', async () => {
  const first = await deviceWith('805ec0000204');
  await first.call(openFirstAccess, { body: { ids: [first.id] } });
  expect((await first.access()).openUntil).not.toBeNull();
  expect(await statusesOf(3, phone(first.mac, '81.2.69.65').asks)).toEqual([200, 200, 200]);
  const second = await deviceWith('805ec0000205', first.own, '202');
  expect(await statusesOf(3, phone(second.mac, '81.2.69.65').asks)).toEqual([200, 200, 200]);
  expect(await second.call(listWaitingPhones, {})).toEqual([]);
  await eventually(async () => expect(await second.outcomes()).toEqual(['firstAddress', 'loaded']));

  const third = await deviceWith('805ec0000206', first.own, '203');
  expect(await statusesOf(2, phone(third.mac, '81.2.69.66').asks)).toEqual([200, 404]);
  await third.call(closeFirstAccess, { body: { ids: [third.id] } });
  expect(await statusesOf(2, phone(third.mac, '81.2.69.65').asks)).toEqual([200, 404]);
  // A private address may be that of a proxy, which all clients share.
  const [near, next] = [
    await deviceWith('805ec0000210', first.own, '204'),
    await deviceWith('805ec0000211', first.own, '205'),
  ];
  await near.call(openFirstAccess, { body: { ids: [near.id] } });
  expect(await statusesOf(3, phone(near.mac, '10.0.0.7').asks)).toEqual([200, 200, 200]);
  expect(await statusesOf(2, phone(next.mac, '10.0.0.7').asks)).toEqual([200, 404]);
  const other = await deviceWith('805ec0000207');
  expect(await statusesOf(2, phone(other.mac, '81.2.69.65').asks)).toEqual([200, 404]);
});

test('a phone that no company has is in the pool until a company adds it [DEV-10/pool]', async () => {
  const mac = '805ec0000208';
  const operator = service.as({ ...newActor(), permissions: permissionKeys });
  const one = phone(mac, '127.0.0.67');
  const pool = async () => (await operator(listUnclaimedPhones, {})).filter((p) => p.mac === mac);
  expect(await statusesOf(3, one.asks)).toEqual([200, 404, 404]);
  expect(await pool()).toMatchObject([{ maker: 'Yealink', address: '127.0.0.67', times: 2 }]);
  const device = await deviceWith(mac);
  expect(await pool()).toEqual([]);
  await expect(device.call(listUnclaimedPhones, {})).rejects.toMatchObject({ error: 'common.forbidden' });
  // What asked before is not shown to the company: it may have been someone else’s phone.
  expect(await device.call(listWaitingPhones, {})).toEqual([]);
  await device.call(openFirstAccess, { body: { ids: [device.id] } });
  expect((await one.asks()).text).toContain(password);
});

test('a phone whose address ended finds its first access again by itself [EDGE-02/again]', async () => {
  const device = await deviceWith('805ec000020e');
  await device.call(openFirstAccess, { body: { ids: [device.id] } });
  const one = phone(device.mac, '127.0.0.74');
  await statusesOf(3, one.asks);
  const former = one.knows();
  await publishDevice(bus, device.own, device.id, { mac: device.mac, model: 'SIP-T46U', secretMark: 'mark2' });
  await eventually(async () => {
    one.asksAgainAt(former);
    expect((await one.asks()).text).not.toContain(password);
  });
  expect(one.knows()).not.toBe(former);
  expect((await one.asks()).status).toBe(404);
  await device.call(openFirstAccess, { body: { ids: [device.id] } });
  expect((await one.asks()).status).toBe(200);
  const { folder } = await device.call(getDeviceConfigAddress, { params: { id: device.id } });
  expect(one.knows()).toBe(phoneFolder(folder));
  await eventually(async () => expect(await device.outcomes()).toContain('oldAddress'));

  const next = await deviceWith('805ec000020f');
  await next.call(openFirstAccess, { body: { ids: [next.id] } });
  const handed = phone(next.mac, '127.0.0.75');
  await statusesOf(3, handed.asks);
  await publishDevice(bus, next.own, next.id, null);
  const own = handed.knows();
  await eventually(async () => {
    handed.asksAgainAt(own);
    expect((await handed.asks()).text).not.toContain(password);
  });
  const receiver = await deviceWith(next.mac);
  await receiver.call(openFirstAccess, { body: { ids: [receiver.id] } });
  expect(await statusesOf(2, handed.asks)).toEqual([200, 200]);
  await eventually(async () => expect(await receiver.outcomes()).toEqual(['firstAddress', 'loaded']));
});

test('an address that tries many MACs is throttled, and phones that are let in go on [EDGE-02/strangers]', async () => {
  const device = await deviceWith('805ec0000209');
  await device.call(openFirstAccess, { body: { ids: [device.id] } });
  const from = '127.0.0.68';
  const lines: string[] = [];
  setLogDestination({ write: (line) => void lines.push(line) });
  const tried: number[] = [];
  try {
    for (let n = 0; n < 14; n++) {
      const one = phone(`805ec0f000${10 + n}`, from);
      await one.asks();
      tried.push((await one.asks()).status);
    }
  } finally {
    setLogDestination(undefined);
  }
  expect(tried).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429, 429, 429]);
  expect(lines.filter((line) => line.includes('many MACs'))).toHaveLength(1);
  expect((await statusesOf(2, phone(device.mac, from).asks)).at(-1)).toBe(200);
});

test('only phones of the caller’s company are let in, and all or none of a selection [EDGE-02/tenant]', async () => {
  const device = await deviceWith('805ec000020a');
  await statusesOf(2, phone(device.mac, '127.0.0.69').asks);
  const [waiting] = await device.call(listWaitingPhones, {});
  const stranger = service.as(newActor());
  const gone = { body: { askIds: [waiting!.id] } };
  await expect(stranger(letInPhones, gone)).rejects.toMatchObject({ error: 'firstAccess.askGone' });
  for (const route of [openFirstAccess, closeFirstAccess])
    await expect(stranger(route, { body: { ids: [device.id] } })).rejects.toMatchObject({ error: 'common.notFound' });
  await expect(stranger(getFirstAccess, { params: { id: device.id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
  await expect(device.call(letInPhones, { body: { askIds: [waiting!.id, uuidv7()] } })).rejects.toMatchObject({
    error: 'firstAccess.askGone',
  });
  expect((await device.access()).asks).toHaveLength(1);
  await publishDevice(bus, device.own, device.id, null);
  await eventually(async () => expect(await device.call(listWaitingPhones, {})).toEqual([]));
});

test('a certificate that names the MAC opens its own file only [EDGE-02/certificate] [CFG-06/mutual]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'phones-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const named = (commonName: string) => [{ name: 'commonName', value: commonName }];
  try {
    const port = await generate(named('localhost'));
    const maker = await generate(named('Maker CA'), { extensions: [{ name: 'basicConstraints', cA: true }] });
    const foreign = await generate(named('Other CA'), { extensions: [{ name: 'basicConstraints', cA: true }] });
    const signedBy = async (ca: typeof maker, commonName: string) => {
      const pair = await generate(named(commonName), { ca: { key: ca.private, cert: ca.cert } });
      return { cert: pair.cert, key: pair.private };
    };
    const other = await start(
      {
        phoneTlsCertificate: file('cert.pem', port.cert),
        phoneTlsKey: file('key.pem', port.private),
        phoneClientCa: file('ca.pem', maker.cert),
      },
      service,
    );
    try {
      const device = await deviceWith('805ec000020b');
      const neighbour = await deviceWith('805ec000020c');
      const with_ = (mac: string, own: { cert: string; key: string }, from: string) =>
        phone(mac, from, { ca: port.cert, own }, phonePortOf(other));
      const own = with_(device.mac, await signedBy(maker, '80:5E:C0:00:02:0B'), '127.0.0.71');
      expect((await own.asks()).status).toBe(200);
      const stolen = await signedBy(maker, '805ec000020d');
      for (const [ca, name] of [
        [maker, '805ec000020d'],
        [maker, 'Maker Phone'],
        [foreign, device.mac],
      ] as const)
        expect(await statusesOf(2, with_(device.mac, await signedBy(ca, name), '127.0.0.72').asks), name).toEqual([
          200, 404,
        ]);
      expect((await own.asks()).text).toContain(password);
      expect((await own.asks()).status).toBe(200);

      // A model that demands one.
      await publishModel(device.own.companyId, 'SIP-T46U');
      const bare = phone(device.mac, '127.0.0.74', { ca: port.cert }, phonePortOf(other));
      const { folder: known } = await device.call(getDeviceConfigAddress, { params: { id: device.id } });
      await eventually(async () => {
        bare.asksAgainAt(known);
        expect((await bare.asks()).status).toBe(404);
      });
      own.asksAgainAt(known);
      expect((await own.asks()).status).toBe(200);
      await eventually(async () => expect(await device.outcomes()).toContain('noCertificate'));

      const address = await neighbour.call(getDeviceConfigAddress, { params: { id: neighbour.id } });
      const thief = with_(neighbour.mac, stolen, '127.0.0.73');
      thief.asksAgainAt(address.folder);
      expect((await thief.asks()).status).toBe(404);
      const event = (own?: { cert: string; key: string }) =>
        ask(phonePortOf(other), `${address.folder}event/boot?ip=10.0.0.9`, { ca: port.cert, ...(own ? { own } : {}) });
      expect([(await event(stolen)).status, (await event()).status]).toEqual([404, 200]);
      await eventually(async () => expect(await neighbour.outcomes()).toEqual(['event', 'otherDevice', 'otherDevice']));
      await eventually(async () => expect(await device.outcomes()).toContain('otherDevice'));
    } finally {
      await other.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
