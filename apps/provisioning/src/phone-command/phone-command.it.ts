import { generate } from 'selfsigned';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  addSipAccount,
  addSipServer,
  getDeviceConfig,
  getDeviceConfigAddress,
  linkReport,
  linkResult,
  linkSession,
  phoneCommand,
  type EventData,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { LoadNotes } from '../device-config/load-notes.ts';
import { ask } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { SipPeer, type SipPeerOptions } from '../testing/sip-peer.ts';
import { tellDevice } from '../testing/tell-device.ts';

let bus: PostgresBus;
let service: TestedService;
let phonePeer: SipPeer;
const peers: SipPeer[] = [];
const answers: EventData<typeof linkResult>[] = [];
const sessions: { type: string; data: EventData<typeof linkSession> }[] = [];
const known: EventData<typeof linkReport, 'phone'>[] = [];

/** Phones have addresses of their own, so that all of them can listen on one port. */
const phoneAddress = '127.0.0.31';

beforeAll(async () => {
  bus = await testBus('phone_command_bus');
  phonePeer = await SipPeer.start({ transport: 'udp', address: phoneAddress });
  service = await startProvisioning(bus, {
    phoneSipPort: phonePeer.port,
    phoneSilenceMs: 600_000,
    outboundAllowed: '127.0.0.0/8, localhost',
  });
  await bus.fanout({
    topics: [linkResult.name, linkSession.name, linkReport.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { type } = record.headers as { type: string };
        const data = JSON.parse(record.value!) as never;
        if (type === 'result' || type === 'back') answers.push(data);
        else if (type === 'online' || type === 'offline') sessions.push({ type, data });
        else if (type === 'phone') known.push(data);
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
  await Promise.all([phonePeer, ...peers].map((peer) => peer?.close()));
});

async function sipServer(options: Omit<SipPeerOptions, 'port'>): Promise<SipPeer> {
  const peer = await SipPeer.start({ account: { user: '201', password: 'wallaby-93' }, ...options });
  peers.push(peer);
  return peer;
}

interface Phone {
  mac: string;
  model: string;
  agent: string;
  fileOf: (mac: string) => string;
  /** Address that it asks from. */
  from: string;
  server?: { peer: SipPeer; name?: string };
}
const yealink = { model: 'SIP-T46U', agent: 'Yealink SIP-T46U  108.86.0.90', fileOf: (mac: string) => `${mac}.cfg` };
const fanvil = { model: 'X4U', agent: 'Fanvil X4U 2.12.16.17', fileOf: (mac: string) => `${mac}.cfg` };

/** Creates a company with a phone that has an account, and lets the phone ask for its file once. */
async function phoneWith({ mac, model, agent, fileOf, from, server }: Phone) {
  const own = newActor();
  const id = uuidv7();
  const call = service.as(own);
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const { peer, name = '127.0.0.1' } = server ?? {};
  const at = { address: name, port: peer?.port ?? 5060, transport: peer?.options.transport ?? ('udp' as const) };
  const { id: serverId } = await call(addSipServer, { body: { name: 'PBX', ...at, ...none } });
  const body = { name: 'Account 201', number: '201', serverId, authPassword: 'wallaby-93' };
  const { id: accountId } = await call(addSipAccount, { body });
  const accounts = [{ line: 1, accountId, status: 'unregistered' as const }];
  await tellDevice(bus, own, id, { mac, model, secretMark: 'mark1', accounts });
  const values = { 'time.server': 'ntp.example' };
  await call(addConfigTemplate, { body: { name: 'All', description: '', level: 'general', target: null, values } });
  const headers = { 'user-agent': `${agent} ${mac}` };
  const get = (path: string) => ask(phonePortOf(service), path, { headers, from });
  const { folder } = await eventually(async () => {
    const address = await call(getDeviceConfigAddress, { params: { id } });
    expect((await get(`${address.folder}${fileOf(mac)}`)).text).toContain('201');
    // A load that is stored later would end the first command.
    await service.app.get(LoadNotes).onApplicationShutdown();
    const { version, loadedVersion, values } = await call(getDeviceConfig, { params: { id } });
    expect([loadedVersion, values.length]).toEqual([version, 1]);
    return address;
  });
  const order = async (action: string, command = uuidv7()) => {
    const data = {
      deviceId: id,
      mac,
      ownerEpoch: 1,
      id: command,
      action,
      args: {},
      expiresAt: Date.now() + 86_400_000,
    };
    await bus.publish([
      toRecord(phoneCommand, id, data, envelope('command', { companyId: own.companyId, orgId: own.orgId })),
    ]);
    return command;
  };
  const answersTo = (command: string) =>
    answers.flatMap((a) =>
      'payload' in a && a.payload.id === command
        ? [`${a.payload.status}${a.payload.code ? ` ${a.payload.code}` : ''}`]
        : [],
    );
  return {
    id,
    order,
    answersTo,
    load: () => get(`${folder}${fileOf(mac)}`),
    boot: () => get(`${folder}event/boot?ip=${from}`),
    session: () => sessions.filter((s) => s.data.deviceId === id).at(-1),
    backs: () => answers.flatMap((a) => ('boot' in a && a.deviceId === id ? [a] : [])),
  };
}

test('a phone is online when it uses its own address, and says its firmware and what it can do [DEV-10/online]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000201', from: '127.0.0.41' });
  await eventually(() =>
    expect(phone.session()).toMatchObject({ type: 'online', data: { gateway: 'phones', address: '127.0.0.41' } }),
  );
  expect(known.find(({ deviceId }) => deviceId === phone.id)).toMatchObject({
    payload: { firmware: '108.86.0.90', capabilities: ['channel.http', 'configUpdate', 'reboot'] },
  });
  // What a User-Agent says is bounded.
  const agent = `Grandstream Model HW GRP2614 SW ${'1'.repeat(300)} DevId`;
  const long = { model: 'GRP2614', agent, fileOf: (mac: string) => `cfg${mac}.xml` };
  const { id } = await phoneWith({ ...long, mac: 'c074ad000202', from: '127.0.0.45' });
  await eventually(() => expect(known.find(({ deviceId }) => deviceId === id)?.payload.firmware).toBe('1'.repeat(64)));
});

test('a NOTIFY in its maker’s form makes a phone fetch or restart, and each is done by what it then does [EDGE-06/notify]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000202', from: phoneAddress });
  const update = await phone.order('configUpdate');
  await eventually(() => expect(phone.answersTo(update)).toEqual(['accepted phoneTelling', 'progress']));
  expect(phonePeer.requests.at(-1)).toMatchObject({ uri: `sip:201@${phoneAddress}:${phonePeer.port}` });
  expect(phonePeer.requests.at(-1)!.headers.get('event')).toBe('check-sync;reboot=false');
  await phone.load();
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('success'));
  // The task service repeats what it is not sure of: it is answered again, and not done again.
  const { length } = phonePeer.requests;
  await phone.order('configUpdate', update);
  await eventually(() => expect(phone.answersTo(update)).toHaveLength(4));
  const restart = await phone.order('reboot');
  await eventually(() => expect(phone.answersTo(restart)).toEqual(['accepted phoneTelling', 'progress']));
  expect(phonePeer.requests.slice(length).map(({ headers }) => headers.get('event'))).toEqual([
    'check-sync;reboot=true',
  ]);
  const before = phone.session()!.data.epoch;
  await phone.boot();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'reboot', firmware: '108.86.0.90' }]));
  expect(phone.backs()[0]!.epoch).toBeGreaterThan(before);
  await phone.boot();
  await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['reboot', 'power']));
});

test('a phone whose maker has no URL for its start has restarted when it asks again [EDGE-06/notify]', async () => {
  const phone = await phoneWith({ ...fanvil, mac: '0c383e000203', from: phoneAddress });
  const restart = await phone.order('reboot');
  await eventually(() => expect(phone.answersTo(restart)).toEqual(['accepted phoneTelling', 'progress']));
  expect(phone.backs()).toEqual([]);
  await phone.load();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'reboot', firmware: '2.12.16.17' }]));
});

test('a phone behind a NAT is told by the SIP server of its account, over UDP, TCP and TLS [EDGE-06/notify]', async () => {
  const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  setDefaultCACertificates([...getCACertificates('default'), pem.cert]);
  const own = { cert: pem.cert, key: pem.private };
  for (const [index, transport] of (['udp', 'tcp', 'tls'] as const).entries()) {
    const peer = await sipServer({ transport, ...(transport === 'tls' ? { own } : {}) });
    const server = { peer, ...(transport === 'tls' ? { name: 'localhost' } : {}) };
    // Nothing listens at this address.
    const phone = await phoneWith({ ...yealink, mac: `805ec000021${index}`, from: '127.0.0.42', server });
    const update = await phone.order('configUpdate');
    await eventually(() => expect(phone.answersTo(update), transport).toEqual(['accepted phoneTelling', 'progress']));
    expect(peer.requests).toHaveLength(2);
    expect(peer.requests[1]!.uri).toBe(`sip:201@${server.name ?? '127.0.0.1'}`);
    expect(peer.requests[1]!.headers.get('proxy-authorization')).not.toContain('wallaby-93');
  }
});

test('a phone that nobody reaches does not restart, and updates when it asks the next time', async () => {
  const peer = await sipServer({ transport: 'udp', account: { user: '201', password: 'another' } });
  const phone = await phoneWith({ ...yealink, mac: '805ec0000221', from: '127.0.0.43', server: { peer } });
  const [restart, update] = [await phone.order('reboot'), await phone.order('configUpdate')];
  await eventually(() => expect(phone.answersTo(restart).at(-1)).toBe('fail phoneUnreached'));
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('progress phoneWaits'));
  await phone.load();
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('success'));
  await phone.boot();
  await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['power']));
});

test('a phone that is silent for too long is offline, and online again when it asks', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000231', from: '127.0.0.44' });
  await eventually(() => expect(phone.session()?.type).toBe('online'));
  const { epoch } = phone.session()!.data;
  const other = await startProvisioning(bus, { phoneSilenceMs: 1_000 }, service);
  try {
    await eventually(() => expect(phone.session()).toMatchObject({ type: 'offline', data: { reason: 'lost', epoch } }));
  } finally {
    await other.close();
  }
  await phone.load();
  await eventually(() => expect(phone.session()?.type).toBe('online'));
  expect(phone.session()!.data.epoch).toBeGreaterThan(epoch);
});
