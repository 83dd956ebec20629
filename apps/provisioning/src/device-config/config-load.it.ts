import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  editConfigTemplate,
  fillPath,
  getDeviceConfig,
  getDeviceConfigAddress,
  loadDeviceConfig,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { downloadKey, downloadToken, type DownloadGrant } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { startDeviceConfigs } from './device-config-test.ts';

const { service, reports, published, call, publish, load, statusOf, configured } = await startDeviceConfigs();
const agent = (text: string) => ({ 'user-agent': text });
const fanvil = (mac: string) => agent(`Fanvil X4U 2.12.16.17 ${mac}`);

test('a phone loads its file in its maker’s syntax, and 304 when nothing changed [EDGE-01/fanvil]', async () => {
  const { own, id, address, config } = await configured('0c383e000101');
  expect(address.file).toBe(`${address.folder}0c383e000101.cfg`);
  const first = await load(address.file!, fanvil('0c383e000101'));
  expect([first.status, first.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
  expect(first.headers['content-length']).toBe(String(Buffer.byteLength(first.text)));
  expect(first.text).toContain('<SNTPServer>ntp.example</SNTPServer>');
  // The token in its address can have any letters.
  expect(first.text.replace(/<FlashFileName>.*/, '')).not.toMatch(/vlan|>7</i);
  expect((await load(`${address.folder}0C383E000101.CFG`)).text).toBe(first.text);
  const again = await load(address.file!, { 'if-none-match': String(first.headers['etag']) });
  expect([again.status, again.text]).toEqual([304, '']);
  const plain = await load(`${address.folder}0c383e000101.txt`);
  expect(plain.text).toMatch(/^# [0-9a-f]+\ntime\.server = ntp\.example\nnetwork\.vlan = 7\n$/);
  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
  await eventually(async () =>
    expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({
      withoutName: ['network.vlan'],
      loadedVersion: config.version,
    }),
  );
});

/** Starts a phone of another maker than Fanvil: it asks for these names, and the last one is its file. */
async function started(mac: string, model: string, names: readonly string[], own: string, foreign: string) {
  const { own: actor, id, address } = await configured(mac, model);
  for (const name of names.slice(0, -1)) expect(await statusOf(address.folder + name), name).toBe(404);
  expect(address.file).toBe(address.folder + names.at(-1));
  const loaded = async () => (await call(actor)(getDeviceConfig, { params: { id } })).loadedAt !== null;
  const other = await load(address.file!, agent(foreign));
  expect([other.status, await loaded()]).toEqual([200, false]);
  const file = await load(address.file!, agent(own));
  expect(file.text).toBe(other.text);
  await eventually(async () => expect(await loaded()).toBe(true));
  return file;
}

test('a Yealink phone finds its file behind the names that it asks for first [EDGE-01/yealink]', async () => {
  const mac = '805ec0000112';
  const names = [`${mac}.boot`, 'y000000000000.boot', 'y000000000108.cfg', `${mac}.cfg`];
  const own = 'Yealink SIP-T46U 108.86.0.90 80:5E:C0:00:01:12';
  const { text, headers } = await started(mac, 'SIP-T46U', names, own, `Fanvil X4U 2.12.16.17 ${mac}`);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(
    /^#!version:1\.0\.0\.1\n(?:action_url\.\w+ = http.+\n){8}local_time\.ntp_server1 = ntp\.example\n/,
  );
});

test('a Grandstream phone finds its file behind the name that it asks for first [EDGE-01/grandstream]', async () => {
  const mac = 'c074ad000113';
  const own = `Grandstream Model HW GRP2614 V1.1A SW 1.0.13.46 DevId ${mac}`;
  const names = [`cfg${mac}`, 'cfggrp2614.xml', 'cfg.xml', `${mac}.cfg`, `cfg${mac}.xml`];
  const { text, headers } = await started(mac, 'GRP2614', names, own, `Yealink SIP-T46U 108.86.0.90 ${mac}`);
  expect(headers['content-type']).toBe('text/xml; charset=utf-8');
  expect(text).toContain('    <P30>ntp.example</P30>\n    <P51>7</P51>\n');
});

test('a phone of an unknown model gets the syntax that its User-Agent names with its MAC [EDGE-01/agent]', async () => {
  const mac = '020000000114';
  const { address } = await configured(mac, null);
  expect(address.file).toBeNull();
  const statusFor = async (text: string) => (await load(`${address.folder}${mac}.cfg`, agent(text))).status;
  expect(await statusFor('Yealink Q9 1.0.0.1 020000000999')).toBe(404);
  expect(await statusFor(`Grandstream Model HW Q9 SW 1.0.0.1 DevId ${mac}`)).toBe(404);
  expect(await statusFor(`Yealink Q9 1.0.0.1 ${mac}`)).toBe(200);
});

test('a load over HTTP is reported once for each version, as a device on the link does itself', async () => {
  const { own, id, made, address, config } = await configured('0c383e000102');
  const ofDevice = () => reports.filter((r) => r.deviceId === id).map((r) => r.payload.configVersion);
  // A person who opens the address is no phone.
  expect((await load(address.file!, { 'user-agent': 'Mozilla/5.0' })).status).toBe(200);
  expect(await call(own)(getDeviceConfig, { params: { id } })).toMatchObject({ loadedAt: null, loadedVersion: null });
  await load(address.file!, fanvil('0c383e000102'));
  await load(address.file!, fanvil('0C:38:3E:00:01:02'));
  await eventually(() => expect(ofDevice()).toEqual([config.version]));
  const { name, description } = made;
  await call(own)(editConfigTemplate, { body: { id: made.id, name, description, values: { 'network.vlan': 8 } } });
  await eventually(() => expect(published.get(id)!.version).not.toBe(config.version));
  await load(address.file!, fanvil('0c383e000102'));
  await eventually(() => expect(ofDevice()).toEqual([config.version, published.get(id)!.version]));
});

test('an address opens no other file or device, and ends with the secret and the owner [EDGE-02/address]', async () => {
  const { own, id, address } = await configured('0c383e000103');
  const other = await configured('0c383e000104');
  const forged = `${address.folder.slice(0, -2)}A/0c383e000103.cfg`;
  for (const url of [
    `${address.folder}0c383e000104.cfg`,
    `${address.folder}0c383e000103.xml`,
    `${address.folder}..%2f0c383e000103.cfg`,
    forged === address.file ? `${address.folder.slice(0, -2)}B/0c383e000103.cfg` : forged,
    `/api/f/config/${'A'.repeat(86)}/0c383e000103.cfg`,
    '/api/f/config/x/0c383e000103.cfg',
  ])
    expect(await statusOf(url), url).toBe(404);
  await publish(own, id, '0c383e000103', { enabled: false });
  await eventually(async () => expect(await statusOf(address.file!)).toBe(404));
  await publish(own, id, '0c383e000103');
  await eventually(async () => expect(await statusOf(address.file!)).toBe(200));
  await publish(own, id, '0c383e000103', { secretMark: 'mark2' });
  await eventually(async () => expect(await statusOf(address.file!)).toBe(404));
  const renewed = await call(own)(getDeviceConfigAddress, { params: { id } });
  expect([renewed.file === address.file, await statusOf(renewed.file!)]).toEqual([false, 200]);
  await publish(own, id, '0c383e000103', { secretMark: 'mark2', ownerEpoch: 2 });
  await eventually(async () => expect(await statusOf(renewed.file!)).toBe(404));
  expect(await statusOf(other.address.file!)).toBe(200);
});

test('the link of a command serves what it named, and ends with time and owner', async () => {
  const { own, id, made, config } = await configured('0c383e000105');
  const grant: DownloadGrant = {
    companyId: own.companyId,
    deviceId: id,
    ownerEpoch: 1,
    taskId: uuidv7(),
    commandId: uuidv7(),
    fileId: config.contentId,
    beginBy: Date.now() + 60_000,
    until: Date.now() + 60_000,
  };
  const link = (more: Partial<DownloadGrant> = {}, signedWith = service.contextKey) =>
    fillPath(loadDeviceConfig.path, {
      token: downloadToken(downloadKey(signedWith), { ...grant, ...more }),
      file: config.fileName,
    });
  await call(own)(editConfigTemplate, {
    body: { id: made.id, name: made.name, description: '', values: { 'network.vlan': 9 } },
  });
  await eventually(() => expect(published.get(id)!.version).not.toBe(config.version));
  const { status, text } = await load(link());
  expect([status, Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]).toEqual([
    200,
    config.size,
    config.sha256,
  ]);
  const elsewhere = await configured('0c383e000106');
  for (const [why, url] of Object.entries({
    late: link({ beginBy: Date.now() - 2_000 }),
    owner: link({ ownerEpoch: 2 }),
    company: link({ companyId: elsewhere.own.companyId }),
    'content of another company': link({ fileId: elsewhere.config.contentId }),
    'unknown content': link({ fileId: uuidv7() }),
    signature: link({}, Buffer.alloc(32)),
  }))
    expect(await statusOf(url), why).toBe(404);
});
