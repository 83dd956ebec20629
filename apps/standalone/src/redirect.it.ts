import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addRedirectService,
  allocateDevices,
  deleteDevices,
  getDeviceRedirect,
  listMessages,
  listNotices,
  listRedirectServices,
} from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import type { PostgresBus } from '@carillon/messaging';
import { notificationService } from '@carillon/notification/module';
import { provisioningService } from '@carillon/provisioning/module';
import type { ServiceDefinition } from '@carillon/service';
import {
  companyRecord,
  devicePlaces,
  eventually,
  newActor,
  testBus,
  testService,
  type TestedService,
} from '@carillon/testing';
import {
  redirectAccount,
  scriptedRedirect,
  type RedirectScript,
  type ScriptedRedirect,
} from '@carillon/testing/scripted-redirect';

/** Redirect services with the real services: device adds and deletes, provisioning calls, notification tells. */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const server = 'https://phones.example.com:8081/';
let bus: PostgresBus;
let devices: TestedService;
let provisioning: TestedService;
let notification: TestedService;
let makers: ScriptedRedirect;
let places: ReturnType<typeof devicePlaces>;

beforeAll(async () => {
  bus = await testBus('redirect_bus');
  makers = await scriptedRedirect();
  devices = await testService(deviceService as unknown as ServiceDefinition, bus);
  notification = await testService(notificationService as unknown as ServiceDefinition, bus, { mailKey: key });
  provisioning = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: key,
    phoneUrl: 'https://phones.example.com:8081',
    outboundAllowed: `127.0.0.1:${makers.port}`,
    redirectTickMs: 20,
    redirectRetryMs: 50,
  });
  places = devicePlaces(bus, devices);
});
afterAll(async () => {
  await devices?.close();
  await provisioning?.close();
  await notification?.close();
  await bus?.close();
  await makers?.stop();
});

const sold = [
  { kind: 'fanvilFdps', model: 'X7A', mac: '0c383ee09001', at: `${server}$mac.cfg` },
  { kind: 'yealinkRps', model: 'SIP-T46U', mac: '805ec0e09001', at: server },
  { kind: 'snomSraps', model: 'D785', mac: '000413e09001', at: server },
] as const satisfies { kind: RedirectScript; model: string; mac: string; at: string }[];

/** Adds a phone to the company of an actor, and returns its device's id. */
async function add(own: ReturnType<typeof newActor>, { mac, model }: { mac: string; model: string }): Promise<string> {
  const body = { ...(await places(own)), mac, name: `Phone ${mac}`, model, sn: mac };
  return (await devices.as(own)(addDevice, { body })).device.id;
}

it('an added device is registered, a removed one taken off, and a failure retried [EDGE-09]', async () => {
  const own = newActor();
  const call = provisioning.as(own);
  for (const { kind } of sold)
    await call(addRedirectService, {
      body: { kind, address: makers.addresses[kind], enabled: true, ...redirectAccount },
    });
  const ids = new Map<string, string>();
  for (const phone of sold) ids.set(phone.mac, await add(own, phone));
  for (const { kind, mac, at } of sold) {
    await eventually(() => expect(makers.phones[kind].get(mac)).toBe(at));
    await eventually(async () =>
      expect(await call(getDeviceRedirect, { params: { id: ids.get(mac)! } })).toMatchObject({
        kind,
        state: 'registered',
        address: server,
        since: expect.any(String),
        msg: null,
      }),
    );
  }

  // A failing maker makes a notice for the device, and delays no other maker.
  const notices = () => notification.as(own)(listNotices);
  makers.fail('yealinkRps', (response) => response.writeHead(503).end());
  const late = { kind: 'yealinkRps' as const, model: 'SIP-T46U', mac: '805ec0e09002' };
  await add(own, late);
  await add(own, { model: 'X7A', mac: '0c383ee09002' });
  await eventually(() => expect(makers.phones.fanvilFdps.has('0c383ee09002')).toBe(true));
  await eventually(async () => expect(await notices()).toMatchObject([{ type: -3, total: 1, date: null }]));
  const { records } = await notification.as(own)(listMessages, { query: {} as never });
  expect(records.map(({ type, title, content }) => [type, title, content])).toEqual([
    [
      -3,
      'Device sync to Yealink RPS failed',
      'Phone 805ec0e09002 was not synced to Yealink RPS. The redirect service is not available at the moment.',
    ],
  ]);
  makers.fail('yealinkRps', undefined);
  await eventually(() => expect(makers.phones.yealinkRps.get(late.mac)).toBe(server));
  await eventually(async () => expect(await notices()).toEqual([]));
  const after = await notification.as(own)(listMessages, { query: {} as never });
  expect(after.records.map(({ read, content }) => [read, content.endsWith('This no longer applies.')])).toEqual([
    [true, true],
  ]);

  // A maker that fails to take a phone off is noticed as well, and told again.
  makers.fail('snomSraps', (response) => response.writeHead(503).end());
  await devices.as(own)(deleteDevices, { query: { ids: [...ids.values()] } });
  await eventually(async () => expect(await notices()).toMatchObject([{ type: -3, total: 1, date: null }]));
  expect(makers.phones.snomSraps.has(sold[2].mac)).toBe(true);
  makers.fail('snomSraps', undefined);
  await eventually(async () => expect(await notices()).toEqual([]));
  for (const { kind, mac } of sold) await eventually(() => expect(makers.phones[kind].has(mac)).toBe(false));
  const counts = async () => (await call(listRedirectServices)).services.map(({ kind, devices: n }) => [kind, n]);
  await eventually(async () =>
    expect(Object.fromEntries(await counts())).toEqual({
      fanvilFdps: { registered: 1, waiting: 0, failed: 0 },
      yealinkRps: { registered: 1, waiting: 0, failed: 0 },
      snomSraps: { registered: 0, waiting: 0, failed: 0 },
    }),
  );
});

it('a phone that is given to a channel leaves the account of its giver [EDGE-09/handover]', async () => {
  const [own, channel] = [newActor(), newActor()];
  await bus.publish([companyRecord(own, 'Own', []), companyRecord(channel, 'Channel', [own])]);
  const body = { kind: 'yealinkRps' as const, address: makers.addresses.yealinkRps, enabled: true, ...redirectAccount };
  await provisioning.as(own)(addRedirectService, { body });
  const phone = { model: 'SIP-T46U', mac: '805ec0e09003' };
  const id = await add(own, phone);
  await eventually(() => expect(makers.phones.yealinkRps.get(phone.mac)).toBe(server));
  const order = { target: { ids: [id] }, channelId: channel.companyId, confirmed: true };
  await eventually(() => devices.as(own)(allocateDevices, { body: order }));
  await eventually(() => expect(makers.phones.yealinkRps.has(phone.mac)).toBe(false));
});
