import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addRedirectService,
  deleteRedirectService,
  editRedirectService,
  getDeviceRedirect,
  listRedirectDevices,
  listRedirectServices,
  message,
  retryRedirects,
  testRedirectService,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import {
  redirectAccount,
  scriptedRedirect,
  type RedirectFailure,
  type RedirectScript,
  type ScriptedRedirect,
} from '@carillon/testing/scripted-redirect';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

const phoneUrl = 'https://phones.example.com:8081';
let bus: PostgresBus;
let service: TestedService;
let makers: ScriptedRedirect;
let settings: Record<string, unknown>;
/** Ids of published notices by company, and whether they ended. */
const notices = new Map<string, Map<string, boolean>>();
const models: Record<RedirectScript, string> = {
  fanvilFdps: 'X7A',
  yealinkRps: 'SIP-T46U',
  yealinkYmcs: 'SIP-T46U',
  snomSraps: 'D785',
  snomXmlRpc: 'D785',
};
let serial = 0;
const newMac = () => `0c383ea${String(++serial).padStart(5, '0')}`;

beforeAll(async () => {
  makers = await scriptedRedirect();
  bus = await testBus('redirect_service_bus');
  settings = {
    phoneUrl,
    outboundAllowed: `127.0.0.1:${makers.port}`,
    redirectTickMs: 20,
    redirectRetryMs: 50,
    redirectTimeoutMs: 2_000,
  };
  service = await startProvisioning(bus, settings);
  await bus.fanout({
    topics: [message.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { id, companyId, data } = fromRecord(message, record)!;
        const own = notices.get(companyId!) ?? new Map<string, boolean>();
        notices.set(companyId!, own);
        if (data) own.set('id' in data ? data.id : id, 'id' in data);
      }
      return Promise.resolve();
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
  await makers?.stop();
});
beforeEach(() => {
  for (const kind of Object.keys(models) as RedirectScript[]) makers.fail(kind, undefined);
});

const add = (as: Actor, kind: RedirectScript, more: Record<string, unknown> = {}) =>
  service.as(as)(addRedirectService, {
    body: { kind, address: makers.addresses[kind], enabled: true, ...redirectAccount, ...more } as never,
  });
async function device(as: Actor, kind: RedirectScript, mac = newMac()) {
  const id = uuidv7();
  await publishDevice(bus, as, id, { mac, model: models[kind], name: `Phone ${mac}` });
  return { id, mac };
}
const stateOf = (as: Actor, id: string) => service.as(as)(getDeviceRedirect, { params: { id } });
const expectState = (as: Actor, id: string, state: object) =>
  eventually(async () => expect(await stateOf(as, id)).toMatchObject(state));
const words = (key: Parameters<typeof errorText>[0], values = {}) => errorText(key, 'en_US', values);

test.each(['yealinkYmcs', 'snomXmlRpc'] as const)(
  '%s: a device that existed first is registered once, and removed again [EDGE-09/kinds]',
  async (kind) => {
    const own = newActor();
    const { id, mac } = await device(own, kind);
    await eventually(async () => expect(await stateOf(own, id)).toBeNull());
    const { id: serviceId } = await add(own, kind);
    await expectState(own, id, { kind, state: 'registered', address: `${phoneUrl}/` });
    // A process that died after its call left a lease that runs out.
    await platform(service.database, 'test', () =>
      currentSql().query(
        `update redirect_device set state = 'waiting', tries = 1, next_at = now(), leased_until = now() where mac = $1`,
        [mac],
      ),
    );
    await expectState(own, id, { state: 'registered' });
    expect(makers.phones[kind].get(mac)).toBe(`${phoneUrl}/`);
    await publishDevice(bus, own, id, null);
    await eventually(() => expect(makers.phones[kind].has(mac)).toBe(false));
    await eventually(async () =>
      expect((await service.as(own)(listRedirectDevices, { query: { id: serviceId } })).total).toBe(0),
    );
  },
);

test('a replaced MAC reaches the maker, and a renewed secret does not [EDGE-09/change]', async () => {
  const own = newActor();
  await add(own, 'fanvilFdps');
  const { id, mac } = await device(own, 'fanvilFdps');
  await expectState(own, id, { state: 'registered' });
  const before = makers.calls.length;
  await publishDevice(bus, own, id, { mac, model: 'X7A', name: 'Other', secretMark: 'renewed' });
  const other = newMac();
  await publishDevice(bus, own, id, { mac: other, model: 'X7A', secretMark: 'renewed' });
  await eventually(() =>
    expect([...makers.phones.fanvilFdps.keys()].filter((m) => m === mac || m === other)).toEqual([other]),
  );
  expect(makers.calls.slice(before).map(({ name }) => name)).toEqual(
    expect.arrayContaining([`deRegisterDevice ${mac}`, `registerDevice ${other}`]),
  );
  expect(makers.calls.slice(before)).toHaveLength(2);
});

test('another address of this server is registered when its process starts [EDGE-09/address]', async () => {
  const [own, ownBus] = [newActor(), await testBus('redirect_address_bus')];
  const first = await startProvisioning(ownBus, settings);
  const { userName, secret } = redirectAccount;
  const body = { kind: 'yealinkRps' as const, address: makers.addresses.yealinkRps, enabled: true, userName, secret };
  await first.as(own)(addRedirectService, { body });
  const mac = newMac();
  await publishDevice(ownBus, own, uuidv7(), { mac, model: 'SIP-T46U' });
  await eventually(() => expect(makers.phones.yealinkRps.get(mac)).toBe(`${phoneUrl}/`));
  await first.close();
  const second = await startProvisioning(ownBus, { ...settings, phoneUrl: 'https://new.example.com' }, first);
  await eventually(() => expect(makers.phones.yealinkRps.get(mac)).toBe('https://new.example.com/'));
  await second.close();
  await ownBus.close();
});

test('an account’s secret is in no answer, log or row, and goes to no other address', async () => {
  const own = newActor();
  const lines: string[] = [];
  setLogDestination({ write: (line) => void lines.push(line) });
  const call = service.as(own);
  const answer = await add(own, 'yealinkRps');
  expect(answer).toMatchObject({ secretSet: true, enabled: true, userName: redirectAccount.userName });
  const list = await call(listRedirectServices);
  const address = makers.addresses.yealinkRps;
  const { userName } = redirectAccount;
  const body = { id: answer.id, address, userName, enabled: true };
  await call(editRedirectService, { body });
  await call(testRedirectService, { body: { id: answer.id, kind: 'yealinkRps', address, userName } });
  for (const changed of [{ userName: 'thief' }, { address: `${address}/other` }]) {
    const wrong = { ...body, ...changed };
    await expect(call(editRedirectService, { body: wrong })).rejects.toMatchObject({
      error: 'redirectService.secretEmpty',
    });
    const { enabled: _, ...place } = wrong;
    await expect(call(testRedirectService, { body: { ...place, kind: 'yealinkRps' } })).rejects.toMatchObject({
      error: 'redirectService.secretEmpty',
    });
  }
  // A service that repeats the secret in its error.
  makers.fail('yealinkRps', (response) =>
    response.end(
      `<methodResponse><params><param><value><array><data><value><boolean>0</boolean></value>
        <value>no ${redirectAccount.secret}</value></data></array></value></param></params></methodResponse>`,
    ),
  );
  const { id } = await device(own, 'yealinkRps');
  await expectState(own, id, { state: 'failed', msg: words('redirectService.refused', { reason: 'no …' }) });
  const rows = await platform(service.database, 'test', () =>
    currentSql().query<{ all: string }>(
      `
        select string_agg(s::text, '') || (select string_agg(r::text, '') from redirect_device r) as all
        from redirect_service s
      `,
    ),
  );
  setLogDestination(undefined);
  const seen = [JSON.stringify([answer, list]), lines.join(''), rows.rows[0]!.all];
  expect(seen.map((text) => text.includes(redirectAccount.secret))).toEqual([false, false, false]);
});

test('an account is for one maker, for users who see all, at an allowed address, and for its own company', async () => {
  const own = newActor();
  const { id } = await add(own, 'snomSraps');
  const { id: deviceId } = await device(own, 'snomSraps');
  await expectState(own, deviceId, { state: 'registered' });
  const refused = (work: Promise<unknown>, key: Parameters<typeof errorText>[0], values = {}) =>
    expect(work).rejects.toMatchObject({ error: key, message: words(key, values) });
  await refused(add(own, 'snomXmlRpc'), 'redirectService.makerTaken');
  const narrow = { ...own, orgIds: [own.orgId] };
  await refused(add(narrow, 'yealinkRps'), 'redirectService.narrowed');
  await refused(add(own, 'yealinkRps', { address: 'https://10.0.0.9/x' }), 'redirectService.targetRefused');
  await refused(add(own, 'yealinkRps', { address: 'http://rps.example.com/x' }), 'redirectService.httpsNeeded');
  const example = 'https://rps.yealink.com/xmlrpc';
  for (const address of ['ftp://rps.example.com', 'https://u:p@rps.example.com', 'rps'])
    await refused(add(own, 'yealinkRps', { address }), 'redirectService.addressWrong', { example });

  const other = newActor();
  const stranger = service.as(other);
  expect((await stranger(listRedirectServices)).services).toEqual([]);
  expect(await stateOf(other, deviceId)).toBeNull();
  expect((await stranger(listRedirectDevices, { query: { id } })).records).toEqual([]);
  const { userName } = redirectAccount;
  const body = { id, address: makers.addresses.snomSraps, userName };
  await refused(stranger(testRedirectService, { body: { ...body, kind: 'snomSraps' } }), 'common.notFound');
  await refused(stranger(editRedirectService, { body: { ...body, enabled: false } }), 'common.notFound');
  await refused(stranger(deleteRedirectService, { query: { id } }), 'common.notFound');
  await refused(stranger(retryRedirects, { body: { id } }), 'common.notFound');
  await refused(stranger(retryRedirects, { body: { deviceIds: [deviceId] } }), 'common.notFound');

  // What is registered stays there when the account is deleted.
  await service.as(own)(deleteRedirectService, { query: { id } });
  expect(await stateOf(own, deviceId)).toBeNull();
});

test('a MAC that another account owns stops with its reason until a user retries [EDGE-09/stop]', async () => {
  const own = newActor();
  const { id: serviceId } = await add(own, 'yealinkRps');
  const mac = newMac();
  makers.taken.add(mac);
  const { id } = await device(own, 'yealinkRps', mac);
  await expectState(own, id, { state: 'failed', msg: words('redirectService.ownedByOther'), retryAt: null });
  const tried = () => makers.calls.filter(({ name }) => name.endsWith(mac)).length;
  const before = tried();
  // The account works for other devices meanwhile.
  const second = await device(own, 'yealinkRps');
  await expectState(own, second.id, { state: 'registered' });
  expect(tried()).toBe(before);
  makers.taken.delete(mac);
  const { records } = await service.as(own)(listRedirectDevices, { query: { id: serviceId, state: 'failed' } });
  expect(records).toMatchObject([{ deviceId: id, mac, wanted: true, retryAt: null }]);
  expect(await service.as(own)(retryRedirects, { body: { deviceIds: [id] } })).toEqual({ count: 1 });
  await expectState(own, id, { state: 'registered', msg: null });
});

test('a device that goes to another company is registered there, whichever of the two comes first', async () => {
  const [giver, taker] = [newActor(), newActor()];
  for (const as of [giver, taker]) await add(as, 'yealinkYmcs');
  const { id, mac } = await device(giver, 'yealinkYmcs');
  await expectState(giver, id, { state: 'registered' });
  // Both use one account of their reseller: the new company comes first, and the former one then takes the MAC off.
  const later = uuidv7();
  await publishDevice(bus, taker, later, { mac, model: 'SIP-T46U' });
  await expectState(taker, later, { state: 'registered' });
  const before = makers.calls.length;
  await publishDevice(bus, giver, id, null);
  const since = (path: string) => makers.calls.slice(before).filter(({ name }) => name.endsWith(path)).length;
  await eventually(() => expect([since('delDevices') > 0, since('addDevicesByMac') > 0]).toEqual([true, true]));
  await eventually(() => expect(makers.phones.yealinkYmcs.get(mac)).toBe(`${phoneUrl}/`));
  await expectState(taker, later, { state: 'registered' });
});

test('a wrong secret stops all calls of the account until it is mended', async () => {
  const own = newActor();
  let asked = 0;
  makers.fail('fanvilFdps', (response) => {
    asked++;
    response.writeHead(401).end();
  });
  const { id } = await add(own, 'fanvilFdps', { secret: 'Wrong-Secret-1' });
  const all = [];
  for (let n = 0; n < 6; n++) all.push(await device(own, 'fanvilFdps'));
  await eventually(async () => {
    const [found] = (await service.as(own)(listRedirectServices)).services;
    expect(found).toMatchObject({ retryAt: null, failure: { msg: words('redirectService.credentialsWrong') } });
  });
  for (const { id: deviceId } of all)
    await expectState(own, deviceId, { msg: words('redirectService.credentialsWrong') });
  // Another device asks for a call in vain.
  all.push(await device(own, 'fanvilFdps'));
  await expectState(own, all.at(-1)!.id, { msg: words('redirectService.credentialsWrong') });
  expect(asked).toBeLessThanOrEqual(4);
  makers.fail('fanvilFdps', undefined);
  const { address, userName, secret } = { ...redirectAccount, address: makers.addresses.fanvilFdps };
  const body = { kind: 'fanvilFdps' as const, address, userName, secret: 'Wrong-Secret-2' };
  await expect(service.as(own)(testRedirectService, { body })).rejects.toMatchObject({
    error: 'redirectService.credentialsWrong',
  });
  expect(await service.as(own)(testRedirectService, { body: { ...body, secret } })).toBeNull();
  await service.as(own)(editRedirectService, { body: { id, address, userName, secret, enabled: true } });
  for (const { id: deviceId, mac } of all) {
    await expectState(own, deviceId, { state: 'registered' });
    expect(makers.phones.fanvilFdps.has(mac)).toBe(true);
  }
  // Each attempt had a notice, and all have ended.
  await eventually(() => expect(new Set(notices.get(own.companyId)!.values())).toEqual(new Set([true])));
  // Another account knows none of them.
  await service.as(own)(editRedirectService, { body: { id, address, userName: 'another', secret, enabled: true } });
  for (const { id: deviceId } of all) await expectState(own, deviceId, { since: null });
});

const hostile: [string, RedirectFailure, Parameters<typeof errorText>[0]][] = [
  [
    'redirects to an internal address',
    (r) => r.writeHead(302, { location: '/fdps' }).end(),
    'redirectService.answerWrong',
  ],
  ['never ends', (r) => r.writeHead(200).write('<methodResponse'), 'redirectService.tooSlow'],
  ['is huge', (r) => r.end('<methodResponse>'.repeat(10_000)), 'redirectService.answerWrong'],
  ['is no XML', (r) => r.end('\u0000{}'), 'redirectService.answerWrong'],
  ['breaks off', (r) => r.destroy(), 'redirectService.unreachable'],
];
test('an answer that redirects, hangs, is huge or nonsense fails one company only [EDGE-09/hostile]', async () => {
  const [own, other] = [newActor(), newActor()];
  await add(own, 'snomXmlRpc');
  await add(other, 'fanvilFdps');
  for (const [, how, key] of hostile) {
    makers.fail('snomXmlRpc', how);
    const { id } = await device(own, 'snomXmlRpc');
    await expectState(own, id, { state: 'failed', msg: words(key) });
    const { id: well } = await device(other, 'fanvilFdps');
    await expectState(other, well, { state: 'registered' });
    makers.fail('snomXmlRpc', undefined);
    await service.as(own)(retryRedirects, { body: { deviceIds: [id] } });
    await expectState(own, id, { state: 'registered', msg: null });
  }
  // A signed call goes to the host of the account only.
  const third = newActor();
  let asked = 0;
  makers.fail('fanvilFdps', () => void asked++);
  makers.fail('snomSraps', (response, url) =>
    response.end(
      url.includes('/settings/')
        ? JSON.stringify([{ uuid: 'x', param_name: 'setting_server' }])
        : JSON.stringify({ links: { company: `http://localhost:${makers.port}/fdps` } }),
    ),
  );
  await add(third, 'snomSraps');
  const { id } = await device(third, 'snomSraps');
  await expectState(third, id, { state: 'failed', msg: words('redirectService.answerWrong') });
  expect(asked).toBe(0);
});

test('a service has at most four calls at a time, and an outage costs one at a time', async () => {
  const [own, other] = [newActor(), newActor()];
  await add(other, 'fanvilFdps');
  const { id } = await add(own, 'yealinkRps', { enabled: false });
  const all = [];
  for (let n = 0; n < 8; n++) all.push(await device(own, 'yealinkRps'));
  for (const { id: deviceId } of all) await expectState(own, deviceId, { state: 'waiting', enabled: false });
  const open: (() => void)[] = [];
  makers.fail('yealinkRps', (response) => void open.push(() => response.writeHead(503).end()));
  const { userName } = redirectAccount;
  const body = { id, address: makers.addresses.yealinkRps, userName, enabled: true };
  await service.as(own)(editRedirectService, { body });
  await eventually(() => expect(open.length).toBeGreaterThanOrEqual(4));
  // Calls of another company begin and end meanwhile.
  const { id: well } = await device(other, 'fanvilFdps');
  await expectState(other, well, { state: 'registered' });
  expect(open).toHaveLength(4);
  for (const end of open.splice(0)) end();
  await eventually(() => expect(open).toHaveLength(1));
  makers.fail('yealinkRps', undefined);
  for (const end of open.splice(0)) end();
  for (const { id: deviceId } of all) await expectState(own, deviceId, { state: 'registered' });
});
