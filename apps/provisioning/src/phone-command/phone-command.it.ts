import { generate } from 'selfsigned';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentSql, Database, inCompany, uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import {
  phoneAddress,
  phoneWith as commanded,
  startPhones,
  type CommandedPhone,
  type PhoneRig,
} from '../testing/commanded-phone.ts';
import { startProvisioning } from '../testing/provisioning.ts';

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhones('phone_command_bus');
});
afterAll(() => rig?.close());

const phoneWith = (phone: CommandedPhone) => commanded(rig, phone);
const yealink = { model: 'SIP-T46U', agent: 'Yealink SIP-T46U  108.86.0.90', fileOf: (mac: string) => `${mac}.cfg` };
const fanvil = { model: 'X4U', agent: 'Fanvil X4U 2.12.16.17', fileOf: (mac: string) => `${mac}.cfg` };

test('a phone that uses its own address is online, with firmware and capabilities [DEV-10/online]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000201', from: '127.0.0.41' });
  await eventually(() =>
    expect(phone.session()).toMatchObject({ type: 'online', data: { gateway: 'phones', address: '127.0.0.41' } }),
  );
  expect(rig.known.find(({ deviceId }) => deviceId === phone.id)).toMatchObject({
    payload: {
      firmware: '108.86.0.90',
      capabilities: [
        ...['channel.http', 'configUpdate', 'reboot', 'firmwareUpgrade', 'resourceUpgrade'],
        ...['ringtone', 'image', 'languagePack'].map((kind) => `channel.http.${kind}`),
      ],
    },
  });
  // What a User-Agent says is bounded.
  const agent = `Grandstream Model HW GRP2614 SW ${'1'.repeat(300)} DevId`;
  const long = { model: 'GRP2614', agent, fileOf: (mac: string) => `cfg${mac}.xml` };
  const { id } = await phoneWith({ ...long, mac: 'c074ad000202', from: '127.0.0.45' });
  await eventually(() =>
    expect(rig.known.find(({ deviceId }) => deviceId === id)?.payload.firmware).toBe('1'.repeat(64)),
  );
});

test('a NOTIFY makes a phone fetch or restart, and its own action completes it [EDGE-06/notify]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000202', from: phoneAddress });
  const update = await phone.order('configUpdate');
  await eventually(() => expect(phone.answersTo(update)).toEqual(['accepted phoneTelling', 'progress']));
  expect(rig.phonePeer.requests.at(-1)).toMatchObject({ uri: `sip:201@${phoneAddress}:${rig.phonePeer.port}` });
  expect(rig.phonePeer.requests.at(-1)!.headers.get('event')).toBe('check-sync;reboot=false');
  await phone.load();
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('success'));
  // The task service repeats what it is not sure of: it is answered again, and not done again.
  const { length } = rig.phonePeer.requests;
  await phone.order('configUpdate', update);
  await eventually(() => expect(phone.answersTo(update)).toHaveLength(4));
  const restart = await phone.order('reboot');
  await eventually(() => expect(phone.answersTo(restart)).toEqual(['accepted phoneTelling', 'progress']));
  expect(rig.phonePeer.requests.slice(length).map(({ headers }) => headers.get('event'))).toEqual([
    'check-sync;reboot=true',
  ]);
  const before = phone.session()!.data.epoch;
  await phone.boot();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'reboot', firmware: '108.86.0.90' }]));
  expect(phone.backs()[0]!.epoch).toBeGreaterThan(before);
  await phone.boot();
  await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['reboot', 'power']));
});

/** Events of the NOTIFYs that came to the address of the phones. */
const notified = () => rig.phonePeer.requests.map(({ headers }) => headers.get('event'));

test('a command that may cut a call is told to the phone when its call has ended [TASK-11/http]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000204', from: phoneAddress });
  await phone.call('start');
  const { length } = notified();
  const image = { url: 'https://files.example/f/t/46.rom', version: '108.87.0.1' };
  const toInstall = { args: { ...image, whenIdle: true } };
  const update = await phone.order('configUpdate', uuidv7(), { args: { whenIdle: true } });
  const upgrade = await phone.order('firmwareUpgrade', uuidv7(), toInstall);
  for (const command of [update, upgrade])
    await eventually(() => expect(phone.answersTo(command)).toEqual(['accepted phoneTelling', 'accepted busy']));
  expect((await phone.load()).text).not.toContain(image.url);
  // A repeated command goes on waiting.
  await phone.order('firmwareUpgrade', upgrade, toInstall);
  await eventually(() => expect(phone.answersTo(upgrade).slice(2)).toEqual(['accepted busy']));
  const urgent = await phone.order('reboot', uuidv7(), { args: { whenIdle: false } });
  await eventually(() => expect(phone.answersTo(urgent)).toEqual(['accepted phoneTelling', 'progress']));
  expect(notified().slice(length)).toEqual(['check-sync;reboot=true']);
  await phone.call('end');
  await eventually(() => expect(phone.answersTo(upgrade).at(-1)).toBe('progress phoneTold'));
  expect((await phone.load()).text).toContain(image.url);
});

test('a phone whose call never ends fails the command when its task gives up [TASK-11/http]', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000205', from: phoneAddress });
  await phone.call('start');
  const { length } = notified();
  const lost = await phone.order('reboot', uuidv7(), { args: { whenIdle: true }, ms: 12_000 });
  await eventually(() => expect(phone.answersTo(lost).slice(1)).toEqual(['accepted busy', 'fail busy']));
  expect(notified()).toHaveLength(length);
  // The start of a phone ends its calls.
  const restart = await phone.order('reboot', uuidv7(), { args: { whenIdle: true } });
  await eventually(() => expect(phone.answersTo(restart).at(-1)).toBe('accepted busy'));
  await phone.boot();
  await eventually(() => expect(phone.answersTo(restart).at(-1)).toBe('progress'));
});

test('a phone whose maker has no URL for its start has restarted when it asks again [EDGE-06/notify]', async () => {
  const phone = await phoneWith({ ...fanvil, mac: '0c383e000203', from: phoneAddress });
  const restart = await phone.order('reboot');
  await eventually(() => expect(phone.answersTo(restart)).toEqual(['accepted phoneTelling', 'progress']));
  expect(phone.backs()).toEqual([]);
  await phone.load();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'reboot', firmware: '2.12.16.17' }]));
});

test('a phone behind a NAT is told by its SIP server over UDP, TCP and TLS [EDGE-06/notify]', async () => {
  const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  setDefaultCACertificates([...getCACertificates('default'), pem.cert]);
  const own = { cert: pem.cert, key: pem.private };
  for (const [index, transport] of (['udp', 'tcp', 'tls'] as const).entries()) {
    const peer = await rig.sipServer({ transport, ...(transport === 'tls' ? { own } : {}) });
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
  const peer = await rig.sipServer({ transport: 'udp', account: { user: '201', password: 'another' } });
  const phone = await phoneWith({ ...yealink, mac: '805ec0000221', from: '127.0.0.43', server: { peer } });
  const [restart, update] = [await phone.order('reboot'), await phone.order('configUpdate')];
  await eventually(() => expect(phone.answersTo(restart).at(-1)).toBe('fail phoneUnreached'));
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('progress phoneWaits'));
  await phone.load();
  await eventually(() => expect(phone.answersTo(update).at(-1)).toBe('success'));
  await phone.boot();
  await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['power']));
});

test('a process of the release before stores a command without the columns of this one', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000222', from: phoneAddress });
  const id = uuidv7();
  await inCompany(rig.service.app.get(Database), phone.own.companyId, () =>
    currentSql().query(
      `
        insert into phone_command (id, company_id, device_id, mac, owner_epoch, epoch, action, state, expires_at,
          created_at)
        values ($1, $2, $3, $4, 1, 0, 'reboot', 'new', now() + interval '1 hour', now())
      `,
      [id, phone.own.companyId, phone.id, '805ec0000222'],
    ),
  );
  await eventually(() => expect(phone.answersTo(id)).toEqual(['progress']));
});

test('a phone that is silent for too long is offline, and online again when it asks', async () => {
  const phone = await phoneWith({ ...yealink, mac: '805ec0000231', from: '127.0.0.44' });
  await eventually(() => expect(phone.session()?.type).toBe('online'));
  const { epoch } = phone.session()!.data;
  const other = await startProvisioning(rig.bus, { phoneSilenceMs: 1_000 }, rig.service);
  try {
    await eventually(() => expect(phone.session()).toMatchObject({ type: 'offline', data: { reason: 'lost', epoch } }));
  } finally {
    await other.close();
  }
  await phone.load();
  await eventually(() => expect(phone.session()?.type).toBe('online'));
  expect(phone.session()!.data.epoch).toBeGreaterThan(epoch);
});
