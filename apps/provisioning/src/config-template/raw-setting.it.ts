import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  previewConfigTemplate,
  type SettingValues,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { ask } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;
beforeAll(async () => {
  bus = await testBus('raw_setting_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor) => service.as(as);
const add = (as: Actor, name: string, target: string | null, values: SettingValues, locked: string[] = []) =>
  call(as)(addConfigTemplate, {
    body: { name, description: '', level: target === null ? 'general' : 'model', target, values, locked } as never,
  });
const configOf = (as: Actor, id: string) => call(as)(getDeviceConfig, { params: { id } });
/** Returns the file of a phone once it has a version. */
const fileOf = (as: Actor, id: string) =>
  eventually(async () => {
    const { file } = await call(as)(getDeviceConfigAddress, { params: { id } });
    const { status, text } = await ask(phonePortOf(service), file!);
    expect(status).toBe(200);
    return text;
  });

const raw = 'raw.yealink.features.power_saving.enable';

test('a raw setting reaches phones of its maker alone, and the preview counts only these [CFG-01/raw]', async () => {
  const own = newActor();
  // The second Yealink phone has a model of the company's own: its MAC tells the maker.
  const [desk, lobby, other] = [uuidv7(), uuidv7(), uuidv7()];
  await publishDevice(bus, own, desk, { model: 'SIP-T46U', mac: '805ec0000a01' });
  await publishDevice(bus, own, lobby, { model: 'Lobby', mac: '805ec0000a02' });
  await publishDevice(bus, own, other, { model: 'Lobby', mac: '0c383e000a03' });
  await add(own, 'Base', null, { 'time.server': 'ntp.example' });
  const before = await eventually(async () => {
    const { version } = await configOf(own, other);
    expect(version).not.toBeNull();
    return version;
  });
  const values = JSON.stringify({ [raw]: '1' });
  const query = { level: 'model', target: 'Lobby', values } as never;
  await eventually(async () =>
    expect(await call(own)(previewConfigTemplate, { query })).toMatchObject({
      devices: 2,
      changed: 1,
      settings: [{ key: raw, changed: 1, changes: [{ before: null, after: '1', devices: 1 }] }],
    }),
  );
  await add(own, 'Lobby', 'Lobby', { [raw]: '1', 'raw.fanvil.phone/list[2]/Extra': 'a<b' });
  await add(own, 'Desk', 'SIP-T46U', { [raw]: '0' });
  const files = () => Promise.all([fileOf(own, desk), fileOf(own, lobby), fileOf(own, other)]);
  await eventually(async () =>
    expect((await files()).map((text) => /features.power_saving.enable = ./.exec(text)?.[0])).toEqual([
      'features.power_saving.enable = 0',
      'features.power_saving.enable = 1',
      undefined,
    ]),
  );
  expect(await fileOf(own, other)).toMatch(/<list index="2">\s+<Extra>a&lt;b<\/Extra>/);
  const config = await configOf(own, other);
  expect(config.values.map(({ key }) => key)).toEqual(['time.server', 'raw.fanvil.phone/list[2]/Extra']);
  expect([config.withoutName, config.version === before]).toEqual([[], false]);
});

test('a raw setting of another maker does not change a configuration, and a locked one wins [CFG-01/raw]', async () => {
  const own = newActor();
  const [desk, other] = [uuidv7(), uuidv7()];
  await publishDevice(bus, own, desk, { model: 'SIP-T46U', mac: '805ec0000b01' });
  await publishDevice(bus, own, other, { model: 'X4U', mac: '0c383e000b02' });
  await add(own, 'Fanvil', 'X4U', { 'screen.backlight': 30 });
  const versionOf = async (id: string) => (await configOf(own, id)).version;
  const before = await eventually(async () => {
    const version = await versionOf(other);
    expect(version).not.toBeNull();
    return version;
  });
  await add(own, 'Yealink', 'SIP-T46U', { [raw]: '0' });
  await add(own, 'All', null, { [raw]: '1' }, [raw]);
  await eventually(async () => expect(await fileOf(own, desk)).toContain('features.power_saving.enable = 1'));
  expect((await configOf(own, desk)).values).toMatchObject([
    { key: raw, value: '1', lock: 'template', overridden: [{ value: '0' }] },
  ]);
  expect(await versionOf(other)).toBe(before);
});

test('a name that Carillon writes itself, a password and a foreign form are refused and change nothing', async () => {
  const own = newActor();
  const refused = async (key: string, value: unknown = '1') => {
    const failure: unknown = await add(own, key.slice(0, 60), null, { [key]: value } as never).catch((e: unknown) => e);
    return (failure as { error?: string }).error;
  };
  expect(await refused('raw.yealink.local_time.ntp_server1')).toBe('configTemplate.rawOwn');
  expect(await refused('raw.grandstream.P237')).toBe('configTemplate.rawOwn');
  expect(await refused('raw.fanvil.sip/line[2]/RegisterAddr')).toBe('configTemplate.rawOwn');
  expect(await refused('raw.grandstream.P2')).toBe('configTemplate.rawSecret');
  for (const key of ['raw.htek.time', 'raw.zz.a.b', 'raw.snom.a\nb'])
    expect(await refused(key)).toBe('configTemplate.settingName');
  expect(await refused(raw, 'a\nb')).toBe('configTemplate.rawValue');
});
