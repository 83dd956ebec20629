import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addSipAccount,
  addSipServer,
  alarmKinds,
  assignAccount,
  getDevice,
  getDeviceConfig,
  getDeviceConfigAddress,
  listAlarms,
  listDevices,
  type DeviceRecord,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** Phones without MQTT: simulated phones that only load their file and call the action URLs in it. */
const count = 24;
let platform: Platform;
let phones: DeviceRecord[];

beforeAll(async () => {
  platform = await Platform.start({
    name: 'phone-event',
    devices: count,
    online: 1,
    args: ['--behaviour', `offline=${count - 1},normal=1`],
  });
  const { records } = await platform.call(listDevices, { query: { limit: 200, sort: 'mac' } });
  const offline = (await platform.devices()).filter((d) => d.behaviour === 'offline').map((d) => d.mac);
  phones = records.filter(({ mac }) => offline.includes(mac));
});
afterAll(() => platform?.close());

/** Gives a phone of a maker an account on line 1, and returns how it starts. */
async function phoneOf(maker: string, address: string) {
  const models = suppliedModels.filter((m) => m.series.startsWith(`${maker} `) && m.type !== 'egs').map((m) => m.name);
  const { id, mac } = phones.find((d) => models.includes(d.model))!;
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await platform.call(addSipServer, {
    body: { name: `PBX of ${maker}`, address, port: 5060, transport: 'udp', ...none },
  });
  const account = await platform.call(addSipAccount, {
    body: { name: `Ann ${maker}`, number: '2011', serverId: server.id, authPassword: 'wallaby-93' },
  });
  await eventually(() => platform.call(assignAccount, { body: { deviceId: id, accountId: account.id, line: 1 } }));
  await eventually(async () =>
    expect(await platform.call(getDeviceConfig, { params: { id } })).toMatchObject({
      version: expect.any(String) as string,
      lines: [{ line: 1 }],
    }),
  );
  const { origin, folder } = await platform.call(getDeviceConfigAddress, { params: { id } });
  const boot = (failing: number[] = []) => platform.simulator('/boot', { mac, folder: origin + folder, failing });
  const seen = () => platform.call(getDevice, { params: { id } });
  return { boot, seen, line: (status: string) => ({ line: 1, account: '2011', server: address, status }) };
}

it('a Yealink phone whose line fails has an alarm until it registers, and is never online [EDGE-03/yealink]', async () => {
  const { boot, seen, line } = await phoneOf('Yealink', 'yealink.example');
  const alarm = async () => {
    const { records } = await platform.call(listAlarms, { query: { limit: 100 } });
    return records.find(({ causeName }) => causeName === 'yealink.example');
  };
  expect(await boot([1])).toMatchObject({
    called: [
      { event: 'boot', status: 200 },
      { event: 'failed', line: 1, status: 200 },
    ],
  });
  await eventually(async () => expect(await seen()).toMatchObject({ lines: [line('failed')], state: 'offline' }));
  await eventually(async () =>
    expect(await alarm()).toMatchObject({ type: alarmKinds.registrationFailed, state: 'open', open: 1 }),
  );

  expect(await boot()).toMatchObject({ called: [{ event: 'boot' }, { event: 'registered', line: 1, status: 200 }] });
  await eventually(async () => expect(await seen()).toMatchObject({ lines: [line('registered')], state: 'offline' }));
  await eventually(async () => expect(await alarm()).toMatchObject({ state: 'ended', open: 0 }));
});

it('the line of a Grandstream phone is registered when the phone says so by its URL [EDGE-03/grandstream]', async () => {
  const { boot, seen, line } = await phoneOf('Grandstream', 'grandstream.example');
  expect(await boot()).toMatchObject({ called: [{ event: 'boot' }, { event: 'registered', line: 1, status: 200 }] });
  await eventually(async () => expect(await seen()).toMatchObject({ lines: [line('registered')], state: 'offline' }));
});
