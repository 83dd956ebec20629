import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addSipAccount,
  addSipServer,
  assignAccount,
  getDevice,
  getDeviceConfig,
  getFirstAccess,
  listUnclaimedPhones,
  openFirstAccess,
  permissionKeys,
} from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import type { PostgresBus } from '@carillon/messaging';
import { provisioningService } from '@carillon/provisioning/module';
import type { ServiceDefinition } from '@carillon/service';
import { modelOf } from '@carillon/simulator/model';
import { settleOverHttp } from '@carillon/simulator/provisioned';
import {
  deliver,
  devicePlaces,
  eventually,
  newActor,
  testBus,
  testService,
  type TestedService,
} from '@carillon/testing';
import { sold, type Sold } from './testing/sold-phone.ts';

/** Phones that know only the server, with the real services: device knows what is online, provisioning has the files. */
const dataKey = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const folder = mkdtempSync(join(tmpdir(), 'zero-touch-'));
let bus: PostgresBus;
let devices: TestedService;
/** Two processes of one service: phones reach the second one over HTTPS. */
let plain: TestedService;
let secure: TestedService;
let places: ReturnType<typeof devicePlaces>;
let ca: string;

const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  bus = await testBus('zero_touch_bus');
  devices = await testService(deviceService as unknown as ServiceDefinition, bus);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  ca = cert;
  const definition = provisioningService as unknown as ServiceDefinition;
  plain = await testService(definition, bus, { dataKey });
  const tls = { phoneTlsCertificate: inFolder('cert.pem', cert), phoneTlsKey: inFolder('key.pem', key) };
  secure = await testService(definition, bus, { dataKey, ...tls }, { beside: plain });
  places = devicePlaces(bus, devices);
});
afterAll(async () => {
  await secure?.close();
  await plain?.close();
  await devices?.close();
  await bus?.close();
  rmSync(folder, { recursive: true });
});

/** The phones of all makers, with another MAC for each way that they come. */
const comingBy = (part: string): Sold[] => sold.map((one) => ({ ...one, mac: one.mac.replace('f20', part) }));
const own = newActor();
const numberOf = (mac: string): string => `5${mac.slice(-3).replaceAll(/[a-f]/g, '9')}`;

/** Adds a phone to the company with an account on its line, and lets in the next phone with its MAC. */
async function added({ mac, model, maker }: Sold, serverId: string): Promise<string> {
  const body = { ...(await places(own)), mac, name: `${maker} ${mac}`, model, sn: mac };
  const { device } = await devices.as(own)(addDevice, { body });
  const params = { id: device.id };
  const config = () => plain.as(own)(getDeviceConfig, { params });
  const { version: withoutLine } = await eventually(async () => {
    const found = await config();
    expect(found.version).not.toBeNull();
    return found;
  });
  const account = await plain.as(own)(addSipAccount, {
    body: { name: `Account ${mac}`, number: numberOf(mac), serverId, authPassword: 'wallaby-93' },
  });
  const assigned = { deviceId: device.id, accountId: account.id, line: 1 };
  await eventually(() => devices.as(own)(assignAccount, { body: assigned }));
  // The line is there at once, and the version with it a moment later.
  await eventually(async () => {
    const { lines, version } = await config();
    expect([lines.length, version === withoutLine]).toEqual([1, false]);
  });
  await plain.as(own)(openFirstAccess, { body: { ids: [device.id] } });
  return device.id;
}

/** Starts a phone that knows only the server of a process. Returns how it started at each address, and its values. */
async function settled({ mac, model }: Sold, service: TestedService, deviceId: string) {
  const { server } = await service.as(own)(getFirstAccess, { params: { id: deviceId } });
  const phone = {
    mac,
    model: modelOf(mac, model),
    firmware: '1.2.3',
    ip: '127.0.0.9',
    ca,
    kept: undefined,
    failing: [],
  };
  return { server, ...(await settleOverHttp(`${server}/`, phone)) };
}

/** What a phone asks for at its own address, with the answers. */
function asks({ maker, mac, asked }: Sold): (readonly [file: string, status: number])[] {
  // It has the name from its configuration.
  if (maker === 'Snom') return [[`${mac.toUpperCase()}.xml`, 200]];
  const { mac: sample } = sold.find((one) => one.maker === maker)!;
  const named = (file: string) => file.replace(sample, mac).replace(sample.toUpperCase(), mac.toUpperCase());
  return asked.map(([file, status]) => [named(file), status]);
}

it('a phone that knows only the server is online or in the pool, by HTTP or HTTPS [DEV-10]', async () => {
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp' as const, ...none };
  const { id: serverId } = await plain.as(own)(addSipServer, { body: server });
  const template = { name: 'All', description: '', level: 'general' as const, target: null };
  await plain.as(own)(addConfigTemplate, { body: { ...template, values: { 'time.server': 'ntp.example' } } });
  const operator = plain.as({ ...newActor(), permissions: permissionKeys });
  for (const [service, scheme, part, unknown] of [
    [plain, 'http', 'f25', 'f27'],
    [secure, 'https', 'f26', 'f28'],
  ] as const) {
    let id = '';
    for (const one of comingBy(part)) {
      id = await added(one, serverId);
      const { server: address, starts, file } = await settled(one, service, id);
      expect(address).toMatch(new RegExp(`^${scheme}://127\\.0\\.0\\.1:\\d+$`));
      // At the phone's own address: the files that all phones of its maker have, then its own.
      const asked = starts.at(-1)!.asked.map((request) => [request.file, request.status]);
      const { maker } = one;
      expect(asked, maker).toEqual(asks(one));
      const line = [one.switched[0], numberOf(one.mac), 'wallaby-93'];
      expect(
        one.names.map((name) => file?.values[name]),
        maker,
      ).toEqual(['ntp.example', ...line]);
      await eventually(async () => {
        const { version } = await plain.as(own)(getDeviceConfig, { params: { id } });
        const seen = await devices.as(own)(getDevice, { params: { id } });
        expect(seen, maker).toMatchObject({ state: 'online', channel: 'http', configVersion: version });
      });
    }
    const stranger = comingBy(unknown)[1]!;
    const { starts } = await settled(stranger, service, id);
    expect(starts.at(-1)!.asked.every(({ status }) => status === 404)).toBe(true);
    expect(await operator(listUnclaimedPhones, {})).toContainEqual(
      expect.objectContaining({ mac: stranger.mac, maker: 'Yealink', times: 1 }),
    );
  }
});

it('a phone of the pool goes to the company that claims it with its label [DEV-10/claim]', async () => {
  const chief = { ...newActor(), permissions: permissionKeys };
  const phone = comingBy('f29')[1]!;
  const label = { mac: phone.mac, sn: 'SN-29', claimCode: 'POOL-2929-CODE' };
  const body = { ...(await places(own)), mac: '0c383ef29fff', name: 'Other', model: phone.model, sn: 'SN-1' };
  const { device } = await devices.as(own)(addDevice, { body });
  await eventually(() => settled(phone, plain, device.id));
  const pool = async () => (await plain.as(chief)(listUnclaimedPhones, {})).map(({ mac }) => mac);
  expect(await pool()).toContain(phone.mac);
  await deliver(devices.as(chief), [label]);
  const buyer = newActor();
  const place = await places(buyer);
  const claim = { ...place, ...label, name: 'Bought', model: phone.model };
  const { device: bought } = await devices.as(buyer)(addDevice, { body: claim });
  await eventually(async () => expect(await pool()).not.toContain(phone.mac));
  expect(await plain.as(buyer)(getFirstAccess, { params: { id: bought.id } })).toMatchObject({ openUntil: null });
});
