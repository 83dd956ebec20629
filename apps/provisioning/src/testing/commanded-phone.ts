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
import { expect } from 'vitest';
import { LoadNotes } from '../device-config/load-notes.ts';
import { ask } from './phone-client.ts';
import { phonePortOf, startProvisioning } from './provisioning.ts';
import { SipPeer, type SipPeerOptions } from './sip-peer.ts';
import { publishDevice } from './publish-device.ts';

/** Phones have addresses of their own, so that all of them can listen on one port. */
export const phoneAddress = '127.0.0.31';

export interface CommandedPhone {
  mac: string;
  model: string;
  /** The User-Agent of its requests, without its MAC. */
  agent: string;
  fileOf: (mac: string) => string;
  /** Address that it asks from. */
  from: string;
  server?: { peer: SipPeer; name?: string };
}

/** The service with phones over HTTP, and what it publishes about them. */
export interface PhoneRig {
  bus: PostgresBus;
  service: TestedService;
  /** The phone that listens at {@link phoneAddress}. */
  phonePeer: SipPeer;
  answers: EventData<typeof linkResult>[];
  sessions: { type: string; data: EventData<typeof linkSession> }[];
  known: EventData<typeof linkReport, 'phone'>[];
  sipServer(options: Omit<SipPeerOptions, 'port'>): Promise<SipPeer>;
  close(): Promise<void>;
}

/** Starts the service, and collects what it publishes. */
export async function startPhones(name: string): Promise<PhoneRig> {
  const bus = await testBus(name);
  const phonePeer = await SipPeer.start({ transport: 'udp', address: phoneAddress });
  const service = await startProvisioning(bus, {
    phoneSipPort: phonePeer.port,
    phoneSilenceMs: 600_000,
    outboundAllowed: '127.0.0.0/8, localhost',
  });
  const peers = [phonePeer];
  const rig: Pick<PhoneRig, 'answers' | 'sessions' | 'known'> = { answers: [], sessions: [], known: [] };
  await bus.fanout({
    topics: [linkResult.name, linkSession.name, linkReport.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { type } = record.headers as { type: string };
        const data = JSON.parse(record.value!) as never;
        if (type === 'result' || type === 'back') rig.answers.push(data);
        else if (type === 'online' || type === 'offline') rig.sessions.push({ type, data });
        else if (type === 'phone') rig.known.push(data);
      }
    },
  });
  return {
    bus,
    service,
    phonePeer,
    ...rig,
    async sipServer(options) {
      const peer = await SipPeer.start({ account: { user: '201', password: 'wallaby-93' }, ...options });
      peers.push(peer);
      return peer;
    },
    async close() {
      await service.close();
      await bus.close();
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
}

/** Creates a company with a phone that has an account, and lets the phone ask for its file once. */
export async function phoneWith(rig: PhoneRig, { mac, model, agent, fileOf, from, server }: CommandedPhone) {
  const { bus, service, answers, sessions } = rig;
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
  await publishDevice(bus, own, id, { mac, model, secretMark: 'mark1', accounts });
  const values = { 'time.server': 'ntp.example' };
  await call(addConfigTemplate, { body: { name: 'All', description: '', level: 'general', target: null, values } });
  let says = `${agent} ${mac}`;
  const get = (path: string) => ask(phonePortOf(service), path, { headers: { 'user-agent': says }, from });
  const config = () => call(getDeviceConfig, { params: { id } });
  const { folder } = await eventually(async () => {
    const address = await call(getDeviceConfigAddress, { params: { id } });
    expect((await get(`${address.folder}${fileOf(mac)}`)).text).toContain('201');
    // A load that is stored later would end the first command.
    await service.app.get(LoadNotes).onApplicationShutdown();
    const { version, loadedVersion, values: made } = await config();
    expect([loadedVersion, made.length]).toEqual([version, 1]);
    return address;
  });
  const order = async (
    action: string,
    command = uuidv7(),
    more: { args?: object; taskId?: string; ms?: number; version?: number } = {},
  ) => {
    const { args = {}, taskId, ms = 86_400_000, version } = more;
    const data = {
      ...{ deviceId: id, mac, ownerEpoch: 1, id: command, action, args: args as Record<string, unknown> },
      ...(taskId === undefined ? {} : { taskId }),
      expiresAt: Date.now() + ms,
    };
    await bus.publish([
      toRecord(phoneCommand, id, data, envelope('command', { companyId: own.companyId, orgId: own.orgId, version })),
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
    own,
    config,
    order,
    answersTo,
    /** Changes its User-Agent. */
    run: (other: string) => (says = `${other} ${mac}`),
    ask: (file: string) => get(`${folder}${file}`),
    load: () => get(`${folder}${fileOf(mac)}`),
    boot: () => get(`${folder}event/boot?ip=${from}`),
    /** Tells that call 7 of its account has begun or ended. */
    call: (event: 'start' | 'end') => get(`${folder}event/call-${event}?account=201&call=7`),
    session: () => sessions.filter((s) => s.data.deviceId === id).at(-1),
    backs: () => answers.flatMap((a) => ('boot' in a && a.deviceId === id ? [a] : [])),
  };
}
