import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addConfigTemplate, getDeviceConfig, getDeviceConfigAddress } from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { LoadNotes } from '../device-config/load-notes.ts';
import { ask, type PhoneRequest } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { PhoneGuard } from './phone-guard.ts';

const [xml, text] = ['text/xml; charset=utf-8', 'text/plain; charset=utf-8'];

const master = '000000000000.cfg';

interface Phone {
  maker: string;
  model: string;
  mac: string;
  agent: string;
  /** The names that the phone asks for when it starts, in its order, and whether Carillon has the file. */
  asked: readonly (readonly [file: string, status: 200 | 404])[];
  type: string;
  /** The time server in the maker's syntax. */
  server: string;
}

/** Written from what the makers document and from recorded requests, not from the tables of the platform. */
const phones: readonly Phone[] = [
  {
    ...{ maker: 'Fanvil', model: 'X4U', mac: '0c383e00e101', agent: 'Fanvil X4U 2.12.16.17 0c383e00e101' },
    asked: [
      ['0c383e00e101.cfg', 200],
      ['fanvil_x4u_hwv1_0.txt', 404],
    ],
    ...{ type: xml, server: '<SNTPServer>ntp.example</SNTPServer>' },
  },
  {
    ...{ maker: 'Yealink', model: 'SIP-T46U', mac: '805ec000e102' },
    agent: 'Yealink SIP-T46U  108.86.0.90 80:5e:c0:00:e1:02',
    asked: [
      ['805ec000e102.boot', 404],
      ['y000000000000.boot', 404],
      ['y000000000108.cfg', 404],
      ['805ec000e102.cfg', 200],
    ],
    ...{ type: text, server: 'local_time.ntp_server1 = ntp.example\n' },
  },
  {
    ...{ maker: 'Grandstream', model: 'GRP2614', mac: 'c074ad00e103' },
    agent: 'Grandstream Model HW GRP2614 V1.1A SW 1.0.13.46 DevId c074ad00e103',
    asked: [
      ['cfgc074ad00e103', 404],
      ['cfgc074ad00e103.xml', 200],
    ],
    ...{ type: xml, server: '<P30>ntp.example</P30>' },
  },
  {
    ...{ maker: 'Snom', model: 'D785', mac: '00041300e104' },
    agent: 'Mozilla/4.0 (compatible; snomD785-SIP 10.1.33.33 2010.12-00004-g9ba52f5 00041300E104 SXM:0 UXM:0)',
    asked: [
      ['snomD785.htm', 404],
      ['snomD785-00041300E104.htm', 200],
      ['00041300E104.xml', 200],
    ],
    ...{ type: xml, server: '<ntp_server perm="">ntp.example</ntp_server>' },
  },
  {
    ...{ maker: 'Poly', model: 'VVX 450', mac: '64167f00e105' },
    agent: 'FileTransport PolycomVVX-VVX_450-UA/6.4.6.2494 Type/Application',
    asked: [
      ['64167f00e105.cfg', 404],
      [master, 200],
      ['64167f00e105-config.cfg', 200],
      ['64167f00e105-license.cfg', 404],
    ],
    ...{ type: xml, server: ' tcpIpApp.sntp.address="ntp.example"\n' },
  },
  {
    ...{ maker: 'Akuvox', model: 'SP-R50P', mac: '0c110500e106', agent: 'Akuvox SP-R50P 50.0.6.111' },
    asked: [['0C110500E106.cfg', 200]],
    ...{ type: text, server: 'Config.Settings.SNTP.NTPServer1 = ntp.example\n' },
  },
  {
    ...{ maker: 'Htek', model: 'UC926', mac: '001fc100e107', agent: 'Htek UC926 2.0.4.2 00:1f:c1:00:e1:07' },
    asked: [
      ['cfg0010.xml', 404],
      ['cfg001fc100e107', 404],
      ['cfg001fc100e107.xml', 200],
    ],
    ...{ type: xml, server: '<P30>ntp.example</P30>' },
  },
];

let bus: PostgresBus;
let service: TestedService;
let secure: TestedService;
let ca: string;
const folder = mkdtempSync(join(tmpdir(), 'carillon-makers-'));

const start = (values: Record<string, unknown> = {}, beside?: TestedService) => startProvisioning(bus, values, beside);
beforeAll(async () => {
  bus = await testBus('phone_makers_bus');
  service = await start({});
  const pair = await generate([{ name: 'commonName', value: 'localhost' }]);
  ca = pair.cert;
  const [phoneTlsCertificate, phoneTlsKey] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  writeFileSync(phoneTlsCertificate, pair.cert);
  writeFileSync(phoneTlsKey, pair.private);
  secure = await start({ phoneTlsCertificate, phoneTlsKey }, service);
});
afterAll(async () => {
  await secure?.close();
  await service?.close();
  await bus?.close();
  rmSync(folder, { recursive: true });
});

/** A phone of a model and a MAC that nobody knows, which only its User-Agent tells apart. */
const unknown = { mac: '02000000e108', model: 'Q9' };

/** Adds the phones to a company whose one template is for all of them; returns the address of each. */
async function added() {
  const own = newActor();
  const call = service.as(own);
  const all = [...phones, unknown];
  const ids = new Map(all.map(({ mac }) => [mac, uuidv7()]));
  for (const { mac, model } of all) await publishDevice(bus, own, ids.get(mac)!, { mac, model, secretMark: 'mark1' });
  await call(addConfigTemplate, {
    body: { name: 'All', description: '', level: 'general', target: null, values: { 'time.server': 'ntp.example' } },
  });
  const address = (mac: string) => call(getDeviceConfigAddress, { params: { id: ids.get(mac)! } });
  for (const { mac } of phones)
    await eventually(async () =>
      expect((await ask(phonePortOf(service), (await address(mac)).file!)).status).toBe(200),
    );
  const loadedAt = async (mac: string) => (await call(getDeviceConfig, { params: { id: ids.get(mac)! } })).loadedAt;
  return { address, loadedAt };
}

test('phones of seven makers load one configuration in their order and syntax over HTTP(S) [EDGE-01]', async () => {
  const { address, loadedAt } = await added();
  const proven = vi.spyOn(PhoneGuard.prototype, 'prove');
  const noted = vi.spyOn(LoadNotes.prototype, 'note');
  for (const { maker, mac, agent, asked, type, server } of phones) {
    const { folder: at, file } = await address(mac);
    const headers = { 'user-agent': agent };
    const get = (name: string, more: PhoneRequest = {}) =>
      ask(phonePortOf(service), at + name, { ...more, headers: { ...headers, ...more.headers } });
    expect(
      asked.map(([name]) => (at + name).toLowerCase()),
      maker,
    ).toContain(file!.toLowerCase());

    // A browser and the phone of another maker get the file, but have not loaded it.
    for (const foreign of ['Mozilla/5.0 (X11; Linux x86_64)', phones.find((p) => p.maker !== maker)!.agent])
      expect(
        (await get(asked.find(([, status]) => status === 200)![0], { headers: { 'user-agent': foreign } })).status,
      ).toBe(200);
    for (const name of [phones.find((p) => p.mac !== mac)!.asked.at(-1)![0], 'nobody.cfg'])
      expect((await get(name)).status).toBe(404);

    for (const [port, more] of [
      [phonePortOf(service), {}],
      [phonePortOf(secure), { ca }],
    ] as const)
      for (const [name, status] of asked)
        expect([name, (await ask(port, at + name, { headers, ...more })).status]).toEqual([name, status]);

    const whole = await get(asked.filter(([, status]) => status === 200).at(-1)![0]);
    expect(whole.text, maker).toContain(server);
    expect(whole.headers).toMatchObject({ 'content-type': type, 'accept-ranges': 'bytes' });
    const own = file!.slice(at.length);
    const head = await get(own, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', whole.headers.etag]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    const part = await get(own, { headers: { range: 'bytes=2-9' } });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(2, 10)]);
    expect((await get(own, { headers: { 'if-none-match': whole.headers.etag } })).status).toBe(304);
    await eventually(async () => expect(await loadedAt(mac), maker).not.toBeNull());
    // What counts: its own files over both ports, the whole file once more, and that it did not change.
    const loads = 2 * asked.filter(([name, status]) => status === 200 && name !== master).length + 2;
    expect(
      noted.mock.calls.filter(([one]) => one.mac === mac),
      maker,
    ).toHaveLength(loads);
  }
  noted.mockRestore();
  // The User-Agent that names its MAC identifies the maker of a phone that nothing else identifies.
  const asHtek = (mac: string) => ({ 'user-agent': `Htek Q9 2.0.4.2 ${mac}` });
  const { folder: of } = await address(unknown.mac);
  const found = (headers: object) =>
    ask(phonePortOf(service), `${of}cfg${unknown.mac}.xml`, { headers: { ...headers } });
  await eventually(async () => expect((await found(asHtek(unknown.mac))).text).toContain('<hl_provision'));
  for (const headers of [{}, asHtek('02000000e1ff'), { 'user-agent': `Yealink Q9 1.0.0.1 ${unknown.mac}` }])
    expect((await found(headers)).status).toBe(404);

  proven.mockClear();
  // A name that no device has is refused before the database is asked whose token it is.
  const { folder: at } = await address(phones[0]!.mac);
  for (const name of ['y000000000108.cfg', 'snomD785.htm', 'cfg0010.xml', 'cfg.xml', 'fanvil_x4u_hwv1_0.txt'])
    expect((await ask(phonePortOf(service), at + name)).status).toBe(404);
  expect(proven).not.toHaveBeenCalled();
  proven.mockRestore();
});

test('a Snom or Poly phone that names no MAC has loaded its file; one that names another MAC has not', async () => {
  const { address, loadedAt } = await added();
  const snom = (end: string) => `Mozilla/4.0 (compatible; snom710-SIP 8.7.3.19 1.1.5-IFX-05.01.12${end})`;
  const poly = (end: string) => `FileTransport PolyCCX-CCX_500-UA/9.4.1.0508${end} Type/Application`;
  for (const [mac, foreign, none] of [
    ['00041300e104', snom(' 00041300E1FF'), snom('')],
    ['64167f00e105', poly(' (SN:64167f00e1ff)'), poly('')],
  ] as const) {
    const { file } = await address(mac);
    const load = async (agent: string) =>
      (await ask(phonePortOf(service), file!, { headers: { 'user-agent': agent } })).status;
    const noted = vi.spyOn(LoadNotes.prototype, 'note');
    expect([await load(foreign), await load(none)]).toEqual([200, 200]);
    await eventually(async () => expect(await loadedAt(mac)).not.toBeNull());
    expect(noted).toHaveBeenCalledTimes(1);
    noted.mockRestore();
  }
});

test('a Poly phone’s master names its file and nothing of the device, and no other maker’s phone has it', async () => {
  const { address, loadedAt } = await added();
  const load = async (mac: string, agent: string) => {
    const { folder: at } = await address(mac);
    return ask(phonePortOf(service), at + master, { headers: { 'user-agent': agent } });
  };
  const { mac, agent } = phones.find(({ maker }) => maker === 'Poly')!;
  const { status, text: body } = await load(mac, agent);
  expect([status, body.match(/CONFIG_FILES="([^"]+)"/)?.[1]]).toEqual([200, '[PHONE_MAC_ADDRESS]-config.cfg']);
  expect(body).not.toMatch(/64167f|ntp|http/);
  expect((await load(phones[0]!.mac, agent)).status).toBe(404);
  expect(await loadedAt(mac)).toBeNull();
});
