import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addFirmware,
  addResourceFile,
  addSipAccount,
  addSipServer,
  addTask,
  alarmKinds,
  assignAccount,
  editConfigTemplate,
  getDevice,
  getDeviceConfig,
  getDeviceConfigAddress,
  getFirstAccess,
  listAlarms,
  listDevices,
  listTaskDevices,
  openFirstAccess,
  previewTask,
  unassignAccount,
} from '@carillon/contracts';
import { imageOf } from '@carillon/simulator/http-firmware';
import { HttpPhone } from '@carillon/simulator/http-phone';
import { modelOf } from '@carillon/simulator/model';
import { bootOverHttp, settleOverHttp, type ProvisionedFile } from '@carillon/simulator/provisioned';
import { devicePlace, eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { sold, type Sold } from './testing/sold-phone.ts';
import { uploadFile } from './testing/upload.ts';

/** Phones as they are sold, which never had a connection over MQTT: they load over HTTP what a company gives them. */
let platform: Platform;
const description = '';
let serverId: string;
let sipPort: number;

beforeAll(async () => {
  sipPort = await freeDatagramPort();
  const env = { CARILLON_PHONE_SIP_PORT: String(sipPort) };
  platform = await Platform.start({ name: 'phone-maker', devices: 1, env });
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp' as const, ...none };
  serverId = (await platform.call(addSipServer, { body: server })).id;
});
afterAll(() => platform?.close());

/** Returns a UDP port that the system finds free. */
async function freeDatagramPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

const withMac = (one: Sold, part: string): Sold => ({ ...one, mac: one.mac.replace('f20', part) });
const numberOf = (mac: string): string => `20${mac.slice(-2)}`;

/** Adds a phone with an account on line 1, and returns how it starts and what it then has. */
async function added({ maker, model, mac }: Sold) {
  const own = { name: `${maker} phones`, description };
  const values = { 'time.server': 'ntp.example' };
  const template = await platform.call(addConfigTemplate, { body: { ...own, level: 'model', target: model, values } });
  const body = { ...(await devicePlace(platform.call)), mac, name: `${maker} phone`, model, sn: `S-${mac}` };
  const { device } = await platform.call(addDevice, { body });
  const account = await platform.call(addSipAccount, {
    body: { name: `Ann ${maker}`, number: numberOf(mac), serverId, authPassword: 'wallaby-93' },
  });
  await eventually(() =>
    platform.call(assignAccount, { body: { deviceId: device.id, accountId: account.id, line: 1 } }),
  );
  const params = { id: device.id };
  const config = () => platform.call(getDeviceConfig, { params });
  await eventually(async () => expect(await config()).toMatchObject({ lines: [{ line: 1 }] }));
  const { origin, folder } = await platform.call(getDeviceConfigAddress, { params });
  let kept: ProvisionedFile | undefined;
  const phone = { mac, model: modelOf(mac, model), firmware: '1.2.3', ip: '10.0.0.9', failing: [] };
  const boot = async (isNew = false) => {
    const had = isNew ? undefined : kept;
    const { asked, called, file } = await bootOverHttp(origin! + folder, { ...phone, kept: had });
    kept = file;
    return {
      asked: asked.map((one) => [one.file, one.status]),
      called: called.map((one) => `${one.event} ${one.status}`),
      values: file?.values ?? {},
    };
  };
  const editServer = (to: string) =>
    platform.call(editConfigTemplate, { body: { id: template.id, ...own, values: { 'time.server': to } } });
  return { id: device.id, boot, config, editServer };
}

it.each(sold.map((one) => [one.maker, one] as const))(
  'a factory-new %s phone gets its template and account over HTTP, and loses the account again',
  async (_, phone) => {
    const { asked, names, switched, called } = phone;
    const { id, boot, config, editServer } = await added(phone);
    // The configuration is made a moment after template and account.
    await eventually(async () => {
      const { values, ...did } = await boot(true);
      expect(names.map((name) => values[name])).toEqual([
        'ntp.example',
        switched[0],
        numberOf(phone.mac),
        'wallaby-93',
      ]);
      expect(did).toEqual({ asked, called: called.map((event) => `${event} 200`) });
    });
    await eventually(async () => {
      const { version, loadedVersion } = await config();
      const { configVersion } = await platform.call(getDevice, { params: { id } });
      expect([loadedVersion, configVersion]).toEqual([version, version]);
    });

    await platform.call(unassignAccount, { query: { deviceId: id, line: 1 } });
    await editServer('ntp2.example');
    await eventually(async () => {
      const { values } = await boot();
      expect(names.slice(0, 2).map((name) => values[name])).toEqual(['ntp2.example', switched[1]]);
    });
  },
);

it.each(sold.map((one) => [one.maker, one] as const))(
  'a %s phone that knows only the server and is let in finds its own address by itself [DEV-10/makers]',
  async (maker, phone) => {
    const [mac, number] = [phone.mac.replace('f20', 'f21'), `30${phone.mac.slice(-2)}`];
    const body = {
      ...(await devicePlace(platform.call)),
      mac,
      name: `New ${maker}`,
      model: phone.model,
      sn: `S-${mac}`,
    };
    const { device } = await platform.call(addDevice, { body });
    const account = await platform.call(addSipAccount, {
      body: { name: `Ben ${maker}`, number, serverId, authPassword: 'wombat-47' },
    });
    await eventually(() =>
      platform.call(assignAccount, { body: { deviceId: device.id, accountId: account.id, line: 1 } }),
    );
    const params = { id: device.id };
    await eventually(async () =>
      expect(await platform.call(getDeviceConfig, { params })).toMatchObject({ lines: [{ line: 1 }] }),
    );
    await platform.call(openFirstAccess, { body: { ids: [device.id] } });
    const { server } = await platform.call(getFirstAccess, { params });
    const { folder } = await platform.call(getDeviceConfigAddress, { params });
    const starting = { mac, model: modelOf(mac, phone.model), firmware: '1.2.3', ip: '10.0.0.9', failing: [] };
    // The server, the address of the first access, the phone's own, which stays.
    await eventually(async () => {
      const settled = await settleOverHttp(`${server}/`, { ...starting, kept: undefined });
      expect(settled.starts).toHaveLength(3);
      expect(settled.folder).toBe(server + folder.replace('/api/f/config/', '/c/'));
      expect(phone.names.slice(2).map((name) => settled.file?.values[name])).toEqual([number, 'wombat-47']);
    });
    await eventually(async () => {
      const { version, loadedVersion } = await platform.call(getDeviceConfig, { params });
      expect(loadedVersion).toBe(version);
    });
    expect((await platform.call(getFirstAccess, { params })).endedAt).not.toBeNull();
  },
);

/** Adds a phone of a maker with an account, switches it on at an address of its own, and returns what it does. */
async function standing({ maker, model, mac: sample }: Sold) {
  const mac = sample.replace('f20', 'f22');
  const from = `127.0.1.${Number.parseInt(mac.slice(-2), 16)}`;
  const place = await devicePlace(platform.call);
  const { device } = await platform.call(addDevice, {
    body: { ...place, mac, name: `Standing ${maker}`, model, sn: `S-${mac}` },
  });
  const own = { name: `Standing ${mac}`, description };
  const template = await eventually(() =>
    platform.call(addConfigTemplate, {
      body: { ...own, level: 'device', target: device.id, values: { 'time.server': 'ntp.example' } },
    }),
  );
  const { id: accountId } = await platform.call(addSipAccount, {
    body: { name: `Eve ${mac}`, number: `4${mac.slice(-3)}`, serverId, authPassword: 'wombat-47' },
  });
  const params = { id: device.id };
  const config = () => platform.call(getDeviceConfig, { params });
  const { version: withoutLine } = await eventually(async () => {
    const found = await config();
    expect(found.version).not.toBeNull();
    return found;
  });
  await eventually(() => platform.call(assignAccount, { body: { deviceId: device.id, accountId, line: 1 } }));
  // The line is there at once, and the version with it a moment later.
  await eventually(async () => {
    const { lines, version } = await config();
    expect([lines.length, version === withoutLine]).toEqual([1, false]);
  });
  const { origin, folder } = await platform.call(getDeviceConfigAddress, { params });
  const troubles: Error[] = [];
  const phone = new HttpPhone({
    folder: origin! + folder,
    phone: { mac, model: modelOf(mac, model), firmware: '2.3.4', ip: from, from },
    sipPort,
    // Longer than the platform needs to store that the phone took the NOTIFY.
    restartMs: 250,
    onTrouble: (error) => troubles.push(error),
  });
  await phone.start();
  const order = (action: string, given: object = {}) => {
    const body = { action, params: { ...given }, target: { ids: [device.id] } };
    return {
      preview: async () => (await platform.call(previewTask, { query: {}, body })).skipped.map(({ code }) => code),
      add: async () => (await platform.call(addTask, { body: { name: action, ...body } })).id,
    };
  };
  const rowOf = async (id: string) =>
    (await platform.call(listTaskDevices, { params: { id }, query: { limit: 1 } })).records[0]!;
  const editServer = async (to: string) => {
    const { version } = await config();
    await platform.call(editConfigTemplate, { body: { id: template.id, ...own, values: { 'time.server': to } } });
    await eventually(async () => expect((await config()).version).not.toBe(version));
  };
  const seen = () => platform.call(getDevice, { params });
  const restart = async (failing: readonly number[] = []) => {
    await phone.stop();
    phone.failing = failing;
    return phone.start();
  };
  return { phone, restart, order, rowOf, editServer, seen, config, troubles };
}

it.each(sold.map((one) => [one.maker, one] as const))(
  'a %s phone is online, and a task reaches it by SIP or its next call [DEV-10/online] [EDGE-08/http]',
  async (maker, one) => {
    const { phone, restart, order, rowOf, editServer, seen, config, troubles } = await standing(one);
    try {
      await eventually(async () => expect(await seen()).toMatchObject({ state: 'online', firmware: '2.3.4' }));
      await editServer('ntp3.example');
      const update = await order('configUpdate', { by: 'template' }).add();
      if (maker === 'Akuvox') {
        await eventually(async () =>
          expect(await rowOf(update)).toMatchObject({ status: 'process', code: 'phoneWaits' }),
        );
        await restart();
      }
      await eventually(async () => expect(await rowOf(update)).toMatchObject({ status: 'success' }));
      expect(phone.file?.values[one.names[0]]).toBe('ntp3.example');
      await eventually(async () => {
        const { version, loadedVersion } = await config();
        expect(loadedVersion).toBe(version);
      });
      const canRestart = maker !== 'Akuvox' && maker !== 'Poly';
      expect(await order('reboot').preview()).toEqual(canRestart ? [] : ['unsupported']);
      for (const action of ['factoryReset', 'locate'])
        expect(await order(action, action === 'locate' ? { seconds: 5 } : {}).preview(), action).toEqual([
          'unsupported',
        ]);
      if (canRestart) {
        const reboot = await order('reboot').add();
        await eventually(async () => expect(await rowOf(reboot)).toMatchObject({ status: 'success' }));
      }
      expect(troubles).toEqual([]);
    } finally {
      await phone.stop();
    }
  },
);

/** The names under which some makers' phones ask for their image. */
const imageNames: Readonly<Record<string, string>> = { Grandstream: 'grp2614fw.bin', Htek: 'img_926.bin' };

it.each(sold.map((one) => [one.maker, one] as const))(
  'a %s phone is upgraded by a task with an uploaded image, or the task is refused [EDGE-08/firmware]',
  async (maker, one) => {
    const { phone, order, rowOf, seen, config, troubles } = await standing(withMac(one, 'f25'));
    try {
      await eventually(async () => expect(await seen()).toMatchObject({ state: 'online', firmware: '2.3.4' }));
      const image = imageOf('2.4.0', randomBytes(200_000));
      const upload = await uploadFile(platform, 'firmware', imageNames[maker] ?? `${maker} 2.4.0.bin`, image);
      const { id: firmwareId } = await platform.call(addFirmware, {
        body: {
          ...{ name: `${maker} image`, version: '2.4.0', models: [one.model], description, least: null, upload },
          notice: { whom: 'nobody', at: null },
        },
      });
      const upgrade = order('firmwareUpgrade', { firmwareId });
      const skipped = maker === 'Akuvox' ? ['unsupported'] : [];
      await eventually(async () => expect(await upgrade.preview()).toEqual(skipped));
      if (maker === 'Akuvox') return;
      const { version } = await config();
      const task = await upgrade.add();
      await eventually(async () => expect(await rowOf(task)).toMatchObject({ status: 'success', code: null }));
      expect(phone.firmware).toBe('2.4.0');
      await eventually(async () => expect(await seen()).toMatchObject({ state: 'online', firmware: '2.4.0' }));
      expect(await config()).toMatchObject({ version, loadedVersion: version });
      expect(troubles).toEqual([]);
    } finally {
      await phone.stop();
    }
  },
);

it('a Yealink phone loads a ringtone by a task, and another maker’s phone is refused [EDGE-08/resource]', async () => {
  const phones = [await standing(withMac(sold[1]!, 'f26')), await standing(withMac(sold[0]!, 'f26'))];
  try {
    const bytes = Buffer.concat([Buffer.from('RIFF\u0024\u0000\u0000\u0000WAVEfmt '), randomBytes(40)]);
    const uploads = [await uploadFile(platform, 'resourceFile', 'bell.wav', bytes)];
    const body = { name: 'Bell', type: 'ringtone' as const, description, uploads };
    const { id: resourceFileId } = await platform.call(addResourceFile, { body });
    const [desk, hall] = phones.map((one) => one.order('resourceUpgrade', { resourceFileId }));
    await eventually(async () => expect([await desk!.preview(), await hall!.preview()]).toEqual([[], ['unsupported']]));
    const task = await desk!.add();
    await eventually(async () => expect(await phones[0]!.rowOf(task)).toMatchObject({ status: 'success' }));
    expect(phones[0]!.phone.resources).toEqual(['bell.wav']);
  } finally {
    for (const { phone } of phones) await phone.stop();
  }
});

it('a task uses each device’s channel and refuses in advance what one cannot do [EDGE-08]', async () => {
  const [desk, hall] = [await standing(withMac(sold[1]!, 'f23')), await standing(withMac(sold[4]!, 'f23'))];
  try {
    const { records: linked } = await platform.call(listDevices, { query: { channel: ['mqtt'] } });
    const place = await devicePlace(platform.call);
    const { device: unknown } = await platform.call(addDevice, {
      body: { ...place, mac: '0c383e00f240', name: 'Never seen', model: 'X4U', sn: 'S-never' },
    });
    await eventually(async () =>
      expect([(await desk.seen()).state, (await hall.seen()).state]).toEqual(['online', 'online']),
    );
    const ids = [linked[0]!.id, (await desk.seen()).id, (await hall.seen()).id, unknown.id];
    const body = { action: 'reboot', params: {}, target: { ids } };
    const { devices } = await platform.call(previewTask, { query: {}, body });
    const codes = ids.map((id) => devices.records.find(({ deviceId }) => deviceId === id)?.code);
    expect(codes).toEqual([null, null, 'unsupported', 'capabilityUnknown']);
    expect(devices.records.flatMap(({ message }) => message ?? []).sort()).toEqual([
      'It has not said what it can do',
      'The VVX 450 cannot do this',
    ]);
    const { id } = await platform.call(addTask, { body: { name: 'Restart', ...body } });
    await eventually(async () => {
      const { records } = await platform.call(listTaskDevices, { params: { id }, query: { limit: 10 } });
      const row = (deviceId: string) => records.find((one) => one.deviceId === deviceId);
      expect(ids.map((one) => row(one) && [row(one)!.status, row(one)!.code, row(one)!.sentAt !== null])).toEqual([
        ['success', null, true],
        ['success', null, true],
        ['fail', 'unsupported', false],
        ['fail', 'capabilityUnknown', false],
      ]);
    });
    expect((await platform.effects()).get(linked[0]!.mac)).toMatchObject([{ action: 'reboot', count: 1 }]);
  } finally {
    await desk.phone.stop();
    await hall.phone.stop();
  }
});

it('a Yealink phone whose line fails is abnormal and has an alarm, until it registers [EDGE-03/yealink]', async () => {
  const { phone, restart, seen } = await standing(withMac(sold[1]!, 'f24'));
  const alarm = async () => {
    const { records } = await platform.call(listAlarms, { query: { limit: 100 } });
    return records.find(({ type, causeName }) => type === alarmKinds.registrationFailed && causeName === 'pbx.example');
  };
  const line = (status: string) => ({ line: 1, account: '4242', server: 'pbx.example', status });
  try {
    expect(await restart([1])).toMatchObject({
      called: [
        { event: 'boot', status: 200 },
        { event: 'failed', line: 1, status: 200 },
      ],
    });
    await eventually(async () => expect(await seen()).toMatchObject({ lines: [line('failed')], state: 'abnormal' }));
    await eventually(async () => expect(await alarm()).toMatchObject({ state: 'open', open: 1 }));
    expect(await restart()).toMatchObject({
      called: [{ event: 'boot' }, { event: 'registered', line: 1, status: 200 }],
    });
    await eventually(async () => expect(await seen()).toMatchObject({ lines: [line('registered')], state: 'online' }));
    await eventually(async () => expect(await alarm()).toMatchObject({ state: 'ended', open: 0 }));
  } finally {
    await phone.stop();
  }
});

it('the line of a Grandstream phone is registered when its URL says so [EDGE-03/grandstream]', async () => {
  const { phone, restart, seen } = await standing(withMac(sold[2]!, 'f24'));
  try {
    expect(await restart()).toMatchObject({
      called: [{ event: 'boot' }, { event: 'registered', line: 1, status: 200 }],
    });
    const line = { line: 1, account: '4243', server: 'pbx.example', status: 'registered' };
    await eventually(async () => expect(await seen()).toMatchObject({ lines: [line], state: 'online' }));
  } finally {
    await phone.stop();
  }
});
