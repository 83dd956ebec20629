// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addSipAccount,
  addSipServer,
  alarmKinds,
  assignAccount,
  getDeviceConfig,
  getDeviceConfigAddress,
  letInPhones,
  listAlarms,
  listConfigRequests,
  listWaitingPhones,
} from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import type { PostgresBus } from '@carillon/messaging';
import { notificationService } from '@carillon/notification/module';
import { provisioningService } from '@carillon/provisioning/module';
import type { ServiceDefinition } from '@carillon/service';
import { devicePlaces, eventually, newActor, testBus, testService, type TestedService } from '@carillon/testing';

/** The first access of a phone with the real services: device, provisioning, and notification for the alarm. */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const [mac, password] = ['805ec0000e01', 'wallaby-93'];
const folder = mkdtempSync(join(tmpdir(), 'first-access-'));
const own = newActor();
let bus: PostgresBus;
let devices: TestedService;
let provisioning: TestedService;
let notification: TestedService;
/** PEM of the server's certificate, and certificates of phones by the name in them. */
let ca: string;
let certificateOf: (name: string) => Promise<{ cert: string; key: string }>;

const named = (commonName: string) => [{ name: 'commonName', value: commonName }];
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  const server = await generate(named('localhost'));
  const maker = await generate(named('Maker CA'), { extensions: [{ name: 'basicConstraints', cA: true }] });
  ca = server.cert;
  certificateOf = async (name) => {
    const pair = await generate(named(name), { ca: { key: maker.private, cert: maker.cert } });
    return { cert: pair.cert, key: pair.private };
  };
  bus = await testBus('first_access_services');
  devices = await testService(deviceService as unknown as ServiceDefinition, bus);
  notification = await testService(notificationService as unknown as ServiceDefinition, bus, { mailKey: key });
  provisioning = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: key,
    phoneTlsCertificate: file('cert.pem', server.cert),
    phoneTlsKey: file('key.pem', server.private),
    phoneClientCa: file('ca.pem', maker.cert),
    firstRequestsPerMinute: 15,
  });
});
afterAll(async () => {
  await Promise.all([devices?.close(), provisioning?.close(), notification?.close()]);
  await bus?.close();
  rmSync(folder, { recursive: true });
});

/** Adds a phone with an account on its line, which has a password. */
async function addPhone(): Promise<string> {
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const call = provisioning.as(own);
  const { id: serverId } = await call(addSipServer, {
    body: { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const account = await call(addSipAccount, {
    body: { name: 'Ann', number: '201', serverId, authPassword: password },
  });
  const body = { ...(await devicePlaces(bus, devices)(own)), mac, name: 'Hall', model: 'SIP-T46U', sn: 'S-1' };
  const { device } = await devices.as(own)(addDevice, { body });
  await eventually(() =>
    devices.as(own)(assignAccount, { body: { deviceId: device.id, accountId: account.id, line: 1 } }),
  );
  await eventually(async () =>
    expect(await call(getDeviceConfig, { params: { id: device.id } })).toMatchObject({
      lines: [{ line: 1 }],
      version: expect.any(String) as string,
    }),
  );
  return device.id;
}

/** A Yealink phone over HTTPS. */
class Phone {
  /** Requests that it made. */
  asked = 0;
  /** Folder of the address that its file told it last. */
  folder = '/';
  constructor(
    private readonly port: number,
    private readonly certificate?: { cert: string; key: string },
    private readonly from?: string,
  ) {}

  async asks(path = `${this.folder}${mac}.cfg`, says = mac): Promise<{ status: number; text: string }> {
    this.asked += 1;
    const options = {
      host: '127.0.0.1',
      port: this.port,
      path,
      ca,
      servername: 'localhost',
      agent: false,
      localAddress: this.from,
    };
    const headers = { 'user-agent': `Yealink SIP-T46U 108.86.0.90 ${says}` };
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      request({ ...options, headers, ...this.certificate }, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve({ status: response.statusCode!, text }));
      })
        .on('error', reject)
        .end();
    });
    const seen = /^static\.auto_provision\.server\.url = (\S+)$/m.exec(answer.text)?.[1];
    if (seen !== undefined) this.folder = new URL(seen).pathname;
    return answer;
  }
}

it('a phone enters once by its first token; what it, a thief and a guesser ask is logged [EDGE-02]', async () => {
  const id = await addPhone();
  const call = provisioning.as(own);
  const address = async () => call(getDeviceConfigAddress, { params: { id } });
  const port = Number(new URL((await address()).origin!).port);
  const phone = new Phone(port);

  // Without a token it gets an address to ask at, and nothing of the device.
  const first = await phone.asks();
  expect([first.status, first.text.includes(password), first.text.includes('201')]).toEqual([200, false, false]);
  const firstFolder = phone.folder;
  expect((await phone.asks()).status).toBe(404);
  const [waiting] = await eventually(async () => {
    const found = await call(listWaitingPhones, {});
    expect(found).toMatchObject([{ device: { id } }]);
    return found;
  });
  await call(letInPhones, { body: { askIds: [waiting!.id] } });

  // The first token opens the file, which has the second one, until that is used, and is dead from then on.
  for (let n = 0; n < 2; n++) {
    const { status, text } = await phone.asks(`${firstFolder}${mac}.cfg`);
    expect([status, text.includes(password), phone.folder === firstFolder]).toEqual([200, true, false]);
  }
  const loaded = await phone.asks();
  expect([loaded.status, loaded.text.includes(password)]).toEqual([200, true]);
  expect((await phone.asks(`${firstFolder}${mac}.cfg`)).status).toBe(404);

  const lasting = phone.folder;

  // A certificate opens the file of the MAC that it names, and no other.
  const withOwn = new Phone(port, await certificateOf('80:5E:C0:00:0E:01'));
  const thief = new Phone(port, await certificateOf('805ec0000e02'));
  for (const one of [withOwn, thief]) one.folder = phone.folder;
  expect((await withOwn.asks()).status).toBe(200);
  expect((await thief.asks()).status).toBe(404);

  // The log has every request, the refused ones too; the first one was told apart by the MAC alone.
  const logged = async () => {
    const log = await call(listConfigRequests, { params: { id } });
    const byOutcome = Map.groupBy(log, ({ outcome }) => outcome);
    return new Map([...byOutcome].map(([outcome, all]) => [outcome, all.reduce((sum, { times }) => sum + times, 0)]));
  };
  await eventually(async () => {
    expect(Object.fromEntries(await logged())).toEqual({ firstAddress: 1, loaded: 4, otherDevice: 1, waiting: 2 });
    expect(phone.asked + withOwn.asked + thief.asked).toBe(1 + 4 + 1 + 2);
  });

  // One MAC after the other is refused after a few, without a token and with the first one of each MAC.
  const bare = new Phone(port, undefined, '127.0.0.81');
  const tokenless: number[] = [];
  const guessOf = (n: number) => `805ec0aa00${10 + n}`;
  for (let n = 0; n < 40; n++) tokenless.push((await bare.asks(`/${guessOf(n)}.cfg`, guessOf(n))).status);
  expect([...new Set(tokenless)]).toEqual([200, 429]);
  const guesser = new Phone(port, undefined, '127.0.0.82');
  const guessed: number[] = [];
  for (let n = 0; n < 12; n++) {
    await guesser.asks(`/${guessOf(n)}.cfg`, guessOf(n));
    guessed.push((await guesser.asks(`${guesser.folder}${guessOf(n)}.cfg`, guessOf(n))).status);
  }
  expect([...new Set(guessed)]).toEqual([404, 429]);

  // Too many requests without a token are refused, and the device whose MAC they name has them in its log.
  const unknown: number[] = [];
  for (let n = 0; n < 40; n++) unknown.push((await phone.asks(`/${mac}.cfg`)).status);
  const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
  expect([...new Set(unknown)]).toEqual([200, 429]);
  await eventually(async () => {
    const log = await logged();
    const asked = [1 + countOf(unknown, 200), countOf(unknown, 429)];
    expect([log.get('firstAddress'), log.get('tooMany')]).toEqual(asked);
  });

  // Names of other devices, which belong to someone who tries one MAC after the other.
  const tried: number[] = [];
  for (let n = 0; n < 40; n++) tried.push((await phone.asks(`${lasting}805ec00010${10 + (n % 20)}.cfg`)).status);
  expect([...new Set(tried)]).toEqual([404, 429]);
  await eventually(async () => {
    const log = await logged();
    const refused = countOf(unknown, 429) + countOf(tried, 429);
    expect([log.get('otherFile'), log.get('tooMany')]).toEqual([countOf(tried, 404), refused]);
  });
  await eventually(async () => {
    const { records } = await notification.as(own)(listAlarms, { query: { type: [alarmKinds.tamper] } });
    expect(records).toMatchObject([{ objectId: id, objectName: 'Hall', count: 1 }]);
  });
});
